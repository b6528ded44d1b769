#include "providers/backlog/manage_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "base/utf8.h"
#include "providers/backlog/manage_values.h"

namespace lode {
namespace {

constexpr std::size_t kMostOthers = 50;

struct Verb {
  TaskVerb verb;
  std::string_view name;
  std::string_view needs;  // with a blank between two
  std::string_view takes;  // besides
  std::string_view example;
};
// Of what they take, "*" is every field of a task.
constexpr std::array<Verb, 8> kVerbs{{
    {TaskVerb::create, "create", "title", "type body fields *",
     R"({"op":"create","title":"Serve the board","parent":"EPIC-0001","labels":["http"],"body":"What is to be done."})"},
    {TaskVerb::update, "update", "id", "body old new replace if_version fields *",
     R"({"op":"update","id":"TASK-0007","priority":"high","old":"- [ ] It answers","new":"- [x] It answers"})"},
    {TaskVerb::move, "move", "id", "status parent order blocked_reason evidence if_version",
     R"({"op":"move","id":"TASK-0007","status":"done","evidence":"tests pass"})"},
    {TaskVerb::claim, "claim", "", "id as parent label",
     R"({"op":"claim","id":"TASK-0007","as":"ana"})"},
    {TaskVerb::comment, "comment", "id text", "as",
     R"({"op":"comment","id":"TASK-0007","text":"Seen on Linux too"})"},
    {TaskVerb::attach, "attach", "id", "url title name content",
     R"({"op":"attach","id":"TASK-0007","name":"trace.txt","content":"…"} or {"op":"attach","id":"TASK-0007","url":"mcp://backlog/resources/docs/plan.md","title":"Plan"})"},
    {TaskVerb::remove, "delete", "id", "if_version", R"({"op":"delete","id":"TASK-0007"})"},
    {TaskVerb::restore, "restore", "id", "", R"({"op":"restore","id":"TASK-0007"})"},
}};

struct FieldName {
  TaskField field;
  std::string_view name;
  std::string_view other;
};
constexpr std::array<FieldName, 12> kFields{{
    {TaskField::title, "title", "name"},
    {TaskField::status, "status", "state"},
    {TaskField::parent, "parent", "parent_id"},
    {TaskField::dependencies, "dependencies", "depends_on"},
    {TaskField::labels, "labels", "tags"},
    {TaskField::priority, "priority", ""},
    {TaskField::assignee, "assignee", "owner"},
    {TaskField::due, "due", "due_date"},
    {TaskField::references, "references", ""},
    {TaskField::evidence, "evidence", ""},
    {TaskField::blocked_reason, "blocked_reason", ""},
    {TaskField::order, "order", "ordinal"},
}};

std::string_view view(const boost::json::string& text) { return {text.data(), text.size()}; }

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

const FieldName* find_field(std::string_view name) {
  const auto* const found = std::find_if(kFields.begin(), kFields.end(), [&](const auto& each) {
    return each.name == name || (!each.other.empty() && each.other == name);
  });
  return found == kFields.end() ? nullptr : found;
}

Error teach(std::string_view what, const Verb& verb) {
  return invalid(fmt::format("{}. Example: {}", what, verb.example));
}

// ---- one operation ----

class OperationReader {
 public:
  OperationReader(const Verb& verb, const JsonObject& given) : verb_(verb), given_(given) {
    out_.verb = verb.verb;
  }

  Result<TaskOperation> read() {
    if (auto known = check_names(); !known) return std::move(known).error();
    for (const auto& argument : given_) {
      auto taken = take(view_of(argument.key()), argument.value());
      if (!taken) return std::move(taken).error();
    }
    if (auto whole = check_whole(); !whole) return std::move(whole).error();
    return std::move(out_);
  }

 private:
  static std::string_view view_of(const boost::json::string_view& text) {
    return {text.data(), text.size()};
  }

  bool takes(std::string_view name) const {
    auto known = words(verb_.takes);
    const auto needs = words(verb_.needs);
    known.insert(known.end(), needs.begin(), needs.end());
    const auto has = [&](std::string_view word) {
      return std::find(known.begin(), known.end(), word) != known.end();
    };
    const auto* field = verb_.verb == TaskVerb::attach ? nullptr : find_field(name);
    return has(name) || (field != nullptr && (has("*") || has(field->name)));
  }

  Status check_names() const {
    for (const auto& argument : given_) {
      const auto name = view_of(argument.key());
      if (name == "op" || name == "operation" || takes(name)) continue;
      auto known = words(verb_.takes);
      const auto needs = words(verb_.needs);
      known.insert(known.end(), needs.begin(), needs.end());
      std::erase(known, "*");
      for (const auto& field : kFields) known.push_back(field.name);
      std::erase_if(known, [&](std::string_view word) { return !takes(word); });
      const auto hint = takes("fields") ? "; fields of your own go into \"fields\"" : "";
      return teach(fmt::format("{} has no argument \"{}\"{}{}", verb_.name, cut_text(name, 100),
                               did_you_mean(name, known), hint),
                   verb_);
    }
    return {};
  }

  Status check_whole() const {
    for (const auto name : words(verb_.needs)) {
      const auto* value = given_.if_contains(name);
      const auto* text = value == nullptr ? nullptr : value->if_string();
      if (value == nullptr || (text != nullptr && text->empty())) {
        return teach(fmt::format("{} needs \"{}\"", verb_.name, name), verb_);
      }
    }
    const bool edits = given_.contains("old") || given_.contains("new");
    if (edits && (!given_.contains("old") || !given_.contains("new"))) {
      return teach("\"old\" and \"new\" go together", verb_);
    }
    if (!out_.replacements.empty() && out_.body) {
      return teach("give the whole \"body\", or \"old\" and \"new\"", verb_);
    }
    const bool file = given_.contains("name") || given_.contains("content");
    if (verb_.verb == TaskVerb::attach &&
        (file == given_.contains("url") ||
         (file && (!given_.contains("name") || !given_.contains("content"))))) {
      return teach("attach takes a url, or a name and the content of a file", verb_);
    }
    const bool changes =
        !out_.fields.empty() || !out_.others.empty() || out_.body || !out_.replacements.empty();
    if ((verb_.verb == TaskVerb::update || verb_.verb == TaskVerb::move) && !changes) {
      return teach(fmt::format("{} says nothing that is to change", verb_.name), verb_);
    }
    return {};
  }

  Error wrong(std::string_view name, const Error& error) const {
    return teach(fmt::format("\"{}\" {}", name, error.message), verb_);
  }

  Status take_text(std::string_view name, const Json& value, std::string& out, std::size_t most) {
    const auto* text = value.if_string();
    if (text == nullptr) return wrong(name, invalid("is to be a text"));
    if (text->size() > most)
      return wrong(name, invalid(fmt::format("has more than {} bytes", most)));
    out = view(*text);
    return {};
  }
  Status take_line(std::string_view name, const Json& value, std::string& out, std::size_t most) {
    auto line = task_line_in(value, most);
    if (!line) return wrong(name, line.error());
    out = std::move(*line);
    return {};
  }

  Status take_field(const FieldName& field, const Json& value) {
    auto set = value.is_null() ? Result<Json>(Json(nullptr)) : task_value_in(field.field, value);
    if (!set) return wrong(field.name, set.error());
    if (value.is_null() && field.field == TaskField::title) {
      return wrong(field.name, invalid("cannot be removed"));
    }
    if (out_.find(field.field) != nullptr) return wrong(field.name, invalid("is given twice"));
    out_.fields.emplace_back(field.field, std::move(*set));
    return {};
  }

  Status take_fields(const Json& value) {
    const auto* map = value.if_object();
    if (map == nullptr) return wrong("fields", invalid("is to be an object"));
    for (const auto& member : *map) {
      const auto name = view_of(member.key());
      if (const auto* field = find_field(name)) {
        if (auto taken = take_field(*field, member.value()); !taken) return taken;
      } else if (is_task_key(name)) {
        return wrong(name, invalid("is set by Lode alone"));
      } else if (out_.others.size() == kMostOthers) {
        return wrong("fields", invalid(fmt::format("has more than {} of your own", kMostOthers)));
      } else {
        out_.others[member.key()] = member.value();
      }
    }
    return {};
  }

  Status take_replacements(const Json& value) {
    const auto* list = value.if_array();
    if (list == nullptr || list->size() > kMostReplacements) {
      return wrong("replace", invalid(fmt::format("is to be a list of at most {} {{\"old\":…,"
                                                  "\"new\":…}}",
                                                  kMostReplacements)));
    }
    for (const auto& item : *list) {
      const auto* map = item.if_object();
      const auto* old = map == nullptr ? nullptr : map->if_contains("old");
      const auto* now = map == nullptr ? nullptr : map->if_contains("new");
      if (old == nullptr || now == nullptr) return wrong("replace", invalid("needs old and new"));
      std::pair<std::string, std::string> pair;
      if (auto taken = take_text("old", *old, pair.first, kTaskTextBytes); !taken) return taken;
      if (auto taken = take_text("new", *now, pair.second, kTaskTextBytes); !taken) return taken;
      out_.replacements.push_back(std::move(pair));
    }
    return {};
  }

  Status take_old(const Json& value) {
    std::pair<std::string, std::string> pair;
    if (auto taken = take_text("old", value, pair.first, kTaskTextBytes); !taken) return taken;
    if (const auto* now = given_.if_contains("new")) {
      if (auto taken = take_text("new", *now, pair.second, kTaskTextBytes); !taken) return taken;
    }
    out_.replacements.push_back(std::move(pair));
    return {};
  }

  Status take_type(const Json& value) {
    const auto* word = value.if_string();
    const auto type = word == nullptr ? std::nullopt : find_task_type(view(*word));
    if (!type) return wrong("type", invalid("is one of task, epic, folder, milestone, artifact"));
    out_.type = *type;
    return {};
  }

  Status take(std::string_view name, const Json& value) {
    if (name == "op" || name == "operation" || name == "new") return {};
    if (name == "old") return take_old(value);
    if (name == "replace") return take_replacements(value);
    if (name == "type") return take_type(value);
    if (name == "fields") return take_fields(value);
    if (name == "if_version") return take_line(name, value, out_.if_version, kShortTextBytes);
    if (name == "as") return take_line(name, value, out_.as, kShortTextBytes);
    if (name == "label") return take_line(name, value, out_.label, kShortTextBytes);
    if (name == "text") return take_text(name, value, out_.text, kCommentBytes);
    if (verb_.verb == TaskVerb::attach && name == "url") {
      return take_line(name, value, out_.url, kTaskUrlBytes);
    }
    if (verb_.verb == TaskVerb::attach && name == "title") {
      return take_line(name, value, out_.title, kTitleBytes);
    }
    if (verb_.verb == TaskVerb::attach && name == "name") {
      return take_line(name, value, out_.name, kShortTextBytes);
    }
    if (name == "content") return take_text(name, value, out_.content, kTaskTextBytes);
    if (name == "body") {
      out_.body.emplace();
      return take_text(name, value, *out_.body, kTaskTextBytes);
    }
    if (name == "id") {
      auto line = task_line_in(value, kTaskUrlBytes);
      if (!line) return wrong(name, line.error());
      out_.id = id_in_argument(*line);
      return {};
    }
    const auto* field = find_field(name);
    return field == nullptr ? Status() : take_field(*field, value);
  }

  const Verb& verb_;
  const JsonObject& given_;
  TaskOperation out_;
};

Result<TaskOperation> read_operation(const Json& value) {
  const auto* given = value.if_object();
  const auto* word = given == nullptr ? nullptr : given->if_contains("op");
  if (word == nullptr && given != nullptr) word = given->if_contains("operation");
  std::vector<std::string_view> names;
  names.reserve(kVerbs.size());
  for (const auto& verb : kVerbs) names.push_back(verb.name);
  if (word == nullptr || !word->is_string()) {
    return teach(fmt::format("\"op\" is missing; it is one of {}", fmt::join(names, ", ")),
                 kVerbs.front());
  }
  const auto name = view(word->get_string());
  for (const auto& verb : kVerbs) {
    if (verb.name == name) return OperationReader(verb, *given).read();
  }
  return invalid(fmt::format("there is no op \"{}\"{}; there are {}", cut_text(name, 100),
                             did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

const Json* TaskOperation::find(TaskField field) const {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto& each) { return each.first == field; });
  return found == fields.end() ? nullptr : &found->second;
}

std::string_view to_string(TaskVerb verb) { return kVerbs[static_cast<std::size_t>(verb)].name; }

Result<std::vector<TaskOperation>> parse_task_operations(const Json& arguments) {
  const auto* given = arguments.if_object();
  const auto* several = given == nullptr ? nullptr : given->if_contains("operations");
  std::vector<TaskOperation> out;
  if (several == nullptr) {
    auto one = read_operation(arguments);
    if (!one) return std::move(one).error();
    out.push_back(std::move(*one));
    return out;
  }
  const auto* list = several->if_array();
  if (list == nullptr || list->empty() || list->size() > kMostOperations) {
    return invalid(
        fmt::format("\"operations\" is a list of 1 to {}; as "
                    "{{\"operations\":[{}]}}",
                    kMostOperations, kVerbs.front().example));
  }
  for (const auto& item : *list) {
    auto one = read_operation(item);
    if (!one) {
      return std::move(one).error().in(
          fmt::format("nothing was written: operation {}", out.size() + 1));
    }
    out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace lode
