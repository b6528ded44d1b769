// The tool: its arguments turned into calls of the manager, and the answers into
// words.
#include <fmt/format.h>

#include "base/nearest.h"
#include "base/utf8.h"
#include "providers/capability/element_text.h"
#include "providers/capability/manage.h"
#include "providers/capability/manage_arguments.h"
#include "providers/capability/pages.h"

namespace lode {
namespace {

Contents say(std::string text) {
  Contents contents;
  contents.items.push_back(Content::text(std::move(text)));
  return contents;
}

std::string render_call(const Element& element) {
  JsonObject values;
  for (const auto& variable : element.variables) {
    if (variable.required && !variable.fallback) values[variable.name] = "…";
  }
  for (const auto& variable : element.variables) {
    if (values.empty()) values[variable.name] = "…";
  }
  return to_text(
      JsonObject{{"operation", "render"}, {"id", element.id}, {"values", std::move(values)}});
}

// Where an element can be read, as far as the caller may be told.
std::string addresses(const ElementGate& gate, const Collection& collection,
                      const Element& element) {
  std::vector<std::string> out;
  if (gate.names(element)) {
    out.push_back(fmt::format("resource {}", element.uri()));
    if (const auto prompt = ElementTexts::prompt_of(collection, element)) {
      out.push_back(fmt::format("prompt {}", visible(*prompt)));
    }
  }
  if (gate.names(CapabilityPages::kActive)) {
    out.push_back(fmt::format("all that are active: {}", CapabilityPages::kActive));
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

}  // namespace

void ElementManager::add_operations() {
  using Run = Result<Contents> (ElementManager::*)(const ElementGate&, const JsonObject&) const;
  const auto with = [this](Run call) {
    return [this, call](const ElementGate& gate, const JsonObject& arguments) {
      return (this->*call)(gate, arguments);
    };
  };
  const auto mark = [this](bool on) {
    return [this, on](const ElementGate& gate, const JsonObject& arguments) {
      return run_mark(gate, arguments, on);
    };
  };
  add({"create", "type name description", "id fields body scope",
       R"({"operation":"create","type":"persona","name":"Reviewer","description":"Reviews code","fields":{"tags":["code"]},"body":"You review code."})",
       with(&ElementManager::run_create)});
  add({"update", "type id", "name description fields body",
       R"({"operation":"update","type":"persona","id":"reviewer","fields":{"tags":["code","go"],"category":null}})",
       with(&ElementManager::run_update)});
  add({"append", "id body", "type",
       R"({"operation":"append","id":"decisions","body":"We chose SQLite"})",
       with(&ElementManager::run_append)});
  add({"read", "type id", "", R"({"operation":"read","type":"persona","id":"reviewer"})",
       with(&ElementManager::run_read)});
  add({"list", "", "type id", R"({"operation":"list","type":"persona"})",
       with(&ElementManager::run_list)});
  add({"delete", "type id", "", R"({"operation":"delete","type":"persona","id":"reviewer"})",
       with(&ElementManager::run_delete)});
  add({"restore", "id", "type", R"({"operation":"restore","type":"persona","id":"reviewer"})",
       with(&ElementManager::run_restore)});
  add({"activate", "type id", "", R"({"operation":"activate","type":"persona","id":"reviewer"})",
       mark(true)});
  add({"deactivate", "type id", "",
       R"({"operation":"deactivate","type":"persona","id":"reviewer"})", mark(false)});
  add({"render", "id", "type values",
       R"({"operation":"render","id":"letter","values":{"to":"Ada"}})",
       with(&ElementManager::run_render)});
}

std::string ElementManager::place(const Element& element) const {
  return fmt::format("{} of the {}", visible(collection_.shown({element.folder, element.file})),
                     element.of_workspace ? "workspace" : "user");
}

Result<Contents> ElementManager::run(const ElementGate& gate, const Json& arguments) const {
  std::vector<std::string_view> names;
  names.reserve(operations_.size());
  for (const auto& operation : operations_) names.push_back(operation.name);
  const auto* given = arguments.if_object();
  const auto* word = given == nullptr ? nullptr : given->if_contains("operation");
  const auto all = fmt::format("{}", fmt::join(names, ", "));
  if (word == nullptr || !word->is_string()) {
    return teach(fmt::format("\"operation\" is missing; there are {}", all), operations_.front());
  }
  const std::string_view name(word->get_string().data(), word->get_string().size());
  for (const auto& operation : operations_) {
    if (operation.name != name) continue;
    JsonObject own = *given;
    split_id(own);
    if (auto checked = check_arguments(operation, own); !checked) return std::move(checked).error();
    return operation.run(gate, own);
  }
  return invalid(fmt::format("there is no operation \"{}\"{}; there are {}", name,
                             did_you_mean(name, names), all));
}

Result<Contents> ElementManager::run_create(const ElementGate& gate,
                                            const JsonObject& arguments) const {
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  auto fields = fields_in(arguments);
  if (!fields) return std::move(fields).error();
  if (const auto* id = arguments.if_contains("id")) (*fields)["id"] = *id;
  New wanted{*type, text_in(arguments, "name"), text_in(arguments, "description")};
  wanted.fields = std::move(*fields);
  wanted.body = text_in(arguments, "body");
  if (arguments.contains("scope")) {
    const auto scope = text_in(arguments, "scope");
    if (scope != "workspace" && scope != "user") {
      return invalid(fmt::format("\"scope\" is workspace or user, not \"{}\"", scope));
    }
    wanted.of_workspace = scope == "workspace";
  }
  auto made = create(gate, wanted);
  if (!made) return std::move(made).error();
  return say(fmt::format("created {} (version {}, {}){}", gate.called(*made), made->version,
                         place(*made), notes(gate, *made)));
}

Result<Contents> ElementManager::run_update(const ElementGate& gate,
                                            const JsonObject& arguments) const {
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  auto fields = fields_in(arguments);
  if (!fields) return std::move(fields).error();
  Change change{*type, text_in(arguments, "id"), std::move(*fields)};
  if (arguments.contains("body")) change.body = text_in(arguments, "body");
  auto done = update(gate, change);
  if (!done) return std::move(done).error();
  const auto& element = done->element;
  if (done->changed.empty()) {
    return say(fmt::format("nothing was written: {} says this already", gate.called(element)));
  }
  const auto version = element.version == done->version_before
                           ? element.version
                           : fmt::format("{} → {}", done->version_before, element.version);
  return say(fmt::format("updated {}: {} (version {}, {}){}", gate.called(element),
                         fmt::join(done->changed, ", "), version, place(element),
                         notes(gate, element)));
}

Result<Contents> ElementManager::run_delete(const ElementGate& gate,
                                            const JsonObject& arguments) const {
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  auto done = remove(gate, *type, text_in(arguments, "id"));
  if (!done) return std::move(done).error();
  const auto& element = done->element;
  const auto undo = to_text(JsonObject{{"operation", "restore"}, {"id", done->entry}});
  const auto other =
      done->uncovered ? fmt::format("; now {} counts", place(*done->uncovered)) : std::string();
  return say(fmt::format("deleted {} ({}){}. Undo: {}", gate.called(element), place(element), other,
                         undo));
}

Result<Contents> ElementManager::run_restore(const ElementGate& gate,
                                             const JsonObject& arguments) const {
  const auto id = text_in(arguments, "id");
  if (id.find('~') != id.npos && !arguments.contains("type")) {
    auto back = restore(gate, id);
    if (!back) return std::move(back).error();
    return say(fmt::format("restored {} ({})", gate.called(*back), place(*back)));
  }
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  auto back = restore(gate, *type, id);
  if (!back) return std::move(back).error();
  return say(fmt::format("restored {} ({})", gate.called(*back), place(*back)));
}

Result<Contents> ElementManager::run_mark(const ElementGate& gate, const JsonObject& arguments,
                                          bool on) const {
  auto type = type_in(arguments);
  if (!type) return std::move(type).error();
  const auto id = text_in(arguments, "id");
  auto done = on ? activate(gate, *type, id) : deactivate(gate, *type, id);
  if (!done) return std::move(done).error();
  auto text = fmt::format("{} \"{}\" {} {}", to_string(*type), done->id,
                          done->changed ? "is now" : "was already", on ? "active" : "inactive");
  const auto element = on ? find(gate, *type, done->id) : Result<Element>(not_found(""));
  if (!element) return say(std::move(text));
  if (const auto where = addresses(gate, collection_, *element); !where.empty())
    text += ": " + where;
  auto contents = say(text + notes(gate, *element));
  if (auto said = text_with_dependencies(gate, *element); !said.bytes.empty()) {
    contents.items.push_back(std::move(said));
  }
  return contents;
}

Result<Contents> ElementManager::run_render(const ElementGate& gate,
                                            const JsonObject& arguments) const {
  if (arguments.contains("type")) {
    auto type = type_in(arguments);
    if (!type) return std::move(type).error();
    if (*type != ElementType::template_) {
      return invalid(fmt::format("a {} cannot be rendered, only a template", to_string(*type)));
    }
  }
  const auto id = text_in(arguments, "id");
  auto text = render(gate, id, map_in(arguments, "values"));
  if (text) return say(std::move(*text));
  Error error = std::move(text).error();
  const auto element = find(gate, ElementType::template_, id);
  // What is wrong with the values, not with the text.
  if (element && error.code == Code::invalid && !error.message.starts_with("line ")) {
    error.message += fmt::format(". Call: {}", render_call(*element));
  }
  return error;
}

Tool element_manage_tool() {
  const JsonObject text{{"type", "string"}};
  const JsonObject map{{"type", "object"}};
  Tool tool;
  tool.name = "element_manage";
  tool.description =
      "Elements (persona, skill, template, agent, ensemble, memory): list (type), read (type, id), "
      "create (type, name, description; fields, body, scope: workspace|user), update (type, id; "
      "fields merge, null removes), append (memory's id, body), delete, restore, activate, "
      "deactivate (type, id), render (id, values), import (path), export (path, format)";
  tool.input_schema = JsonObject{{"type", "object"},
                                 {"properties", JsonObject{{"operation", text},
                                                           {"type", text},
                                                           {"id", text},
                                                           {"name", text},
                                                           {"description", text},
                                                           {"fields", map},
                                                           {"body", text},
                                                           {"scope", text},
                                                           {"values", map},
                                                           {"path", text},
                                                           {"format", text}}},
                                 {"required", JsonArray{"operation"}}};
  tool.hints = ToolHints{false, true, false, false};
  return tool;
}

}  // namespace lode
