#include "providers/capability/element_prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "providers/capability/persona_text.h"
#include "providers/capability/settle.h"
#include "providers/capability/template_text.h"
#include "store/document.h"

namespace lode {
namespace {

constexpr std::size_t kMostCompletions = 101;  // one more than is shown tells that there are more

// A persona's or template's prompt: "persona-reviewer".
struct PromptName {
  ElementType type;
  std::string id;
};

std::optional<PromptName> parse_prompt(std::string_view name) {
  for (const auto type : {ElementType::persona, ElementType::template_}) {
    const std::string begin = std::string(to_string(type)) + "-";
    if (name.starts_with(begin)) return PromptName{type, std::string(name.substr(begin.size()))};
  }
  return std::nullopt;
}

Error no_such_prompt(std::string_view name) {
  return not_found(fmt::format("no prompt has the name \"{}\"", name));
}

std::string full_name(ElementType type, std::string_view id) {
  return fmt::format("{}-{}", to_string(type), id);
}

Prompt prompt_of(const Collection& collection, const Element& element) {
  Prompt prompt;
  prompt.name = ElementPrompts::name_of(collection, element);
  prompt.title = element.name;
  prompt.description = element.description;
  for (const auto& variable : element.variables) {
    prompt.arguments.push_back(
        {variable.name, variable.description, variable.required && !variable.fallback});
  }
  return prompt;
}

Result<Document> document_of(const Element& element, std::string text) {
  return Document::parse(
      std::move(text), element.file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml);
}

}  // namespace

// ---- prompts ----

std::string ElementPrompts::name_of(const Collection& collection, const Element& element) {
  return full_name(element.type, collection.short_id(element));
}

std::optional<std::string> ElementPrompts::address_of(const Collection& collection,
                                                      ElementType type, std::string_view id) {
  if (type != ElementType::persona && type != ElementType::template_) return std::nullopt;
  const auto element = collection.find(type, id);
  const auto uri = prompt_uri(full_name(type, element ? collection.short_id(*element) : id));
  return uri ? std::optional(std::string(uri->text())) : std::nullopt;
}

Result<Page<Prompt>> ElementPrompts::list(const Exchange& exchange, const ListQuery& query) {
  if (auto all = wait_for_all(collection_, exchange); !all) return std::move(all).error();
  const auto gate = gate_of(exchange);
  Page<Prompt> page;
  const auto start = parse_prompt(query.after);  // cursors have ids: no other has them
  std::vector<Element> found;                    // each() holds the lock that names need
  for (const auto type : {ElementType::persona, ElementType::template_}) {
    if (start && start->type > type) continue;
    collection_.each(type, start && start->type == type ? start->id : "",
                     [&](const Element& element) {
                       if (!is_prompt(gate, element)) return true;
                       if (found.size() == query.limit) {
                         page.next = full_name(found.back().type, found.back().id);
                         return false;
                       }
                       found.push_back(element);
                       return true;
                     });
    if (!page.next.empty()) break;
  }
  for (const auto& element : found) page.items.push_back(prompt_of(collection_, element));
  return page;
}

std::optional<Element> ElementPrompts::prompted(std::string_view name) const {
  settle(collection_);
  const auto parsed = parse_prompt(name);
  return parsed ? collection_.find(parsed->type, parsed->id) : std::nullopt;
}

std::optional<Prompt> ElementPrompts::find(std::string_view name) const {
  const auto element = prompted(name);
  return element ? std::optional(prompt_of(collection_, *element)) : std::nullopt;
}

std::optional<Uri> ElementPrompts::source(std::string_view name) const {
  const auto element = prompted(name);
  auto uri = element ? Uri::parse(element->uri()) : not_found("no such prompt");
  return uri ? std::optional(std::move(*uri)) : std::nullopt;
}

Result<Outcome> ElementPrompts::get(const Exchange& exchange, std::string_view name,
                                    const JsonObject& arguments) {
  const auto element = prompted(name);
  const auto gate = gate_of(exchange);
  if (!element || !is_prompt(gate, *element)) return no_such_prompt(name);
  auto text = collection_.text_of(*element);
  if (!text) return std::move(text).error();
  auto document = document_of(*element, std::move(*text));
  if (!document) return std::move(document).error().in(element->file);
  Contents contents;
  contents.description = element->description;
  if (element->type == ElementType::persona) {
    contents.items.push_back(Content::text(persona_text(*document)));
  } else {
    auto rendered = render_template(template_content(*document), element->variables, arguments);
    if (!rendered) return std::move(rendered).error().in(fmt::format("the prompt {}", name));
    contents.items.push_back(Content::text(std::move(*rendered)));
  }
  contents.items.front().origin = origin_of(*element);
  return contents;
}

// ---- completion ----

// What a variable may be, as far as its file says it; and the names of elements,
// for one that is named after their type.
Result<Completions> ElementPrompts::complete(const Exchange& exchange,
                                             const CompletionQuery& query) {
  const auto gate = gate_of(exchange);
  Completions found;
  const auto element = prompted(query.name);
  if (!element || !is_prompt(gate, *element)) return no_such_prompt(query.name);
  const auto& variables = element->variables;
  const auto variable = std::find_if(variables.begin(), variables.end(), [&](const Variable& each) {
    return each.name == query.argument;
  });
  if (variable == variables.end()) return found;
  const auto add = [&](const std::string& value) {
    const bool fits = value.starts_with(query.value) && found.values.size() < kMostCompletions;
    if (fits && std::find(found.values.begin(), found.values.end(), value) == found.values.end()) {
      found.values.push_back(value);
    }
  };
  if (variable->fallback) add(*variable->fallback);
  for (const auto& choice : variable->choices) add(choice);
  if (variable->type == "boolean") {
    add("true");
    add("false");
  }
  if (const auto type = find_element_type(variable->name); type && variable->choices.empty()) {
    collection_.each(*type, "", [&](const Element& each) {
      if (gate.shows(each) && gate.admit(Action::complete, each)) add(each.name);
      return found.values.size() < kMostCompletions;
    });
  }
  return found;
}

}  // namespace lode
