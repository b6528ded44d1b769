#include "providers/capability/element_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/tokens.h"
#include "base/utf8.h"
#include "providers/capability/element_prompts.h"
#include "providers/capability/persona_text.h"
#include "providers/capability/skill_text.h"
#include "providers/capability/template_text.h"

namespace lode {
namespace {

// The relations that make an element need another.
constexpr std::array<std::string_view, 6> kNeeds{"has persona", "uses",      "has member",
                                                 "depends on",  "activates", "includes"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Paragraphs, with an empty line between.
class Paragraphs {
 public:
  void add(std::string_view text) {
    text = trimmed(text);
    if (!text.empty()) text_.append(text_.empty() ? "" : "\n\n").append(text);
  }
  void add_list(std::string_view heading, const std::vector<std::string>& items) {
    if (items.empty()) return;
    std::string list = fmt::format("{}:\n", heading);
    for (const auto& item : items) list += fmt::format("\n- {}", trimmed(item));
    add(list);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// A template whose variables all have a value, or need none, is filled; another is shown
// as it is, with what it takes.
std::string template_text(const Element& element, const Document& document) {
  const auto content = template_content(document);
  const bool filled = std::ranges::all_of(element.variables, [](const Variable& variable) {
    return variable.fallback || !variable.required;
  });
  const bool defaults = std::ranges::any_of(
      element.variables, [](const Variable& variable) { return variable.fallback.has_value(); });
  if (element.variables.empty() || (filled && defaults)) {
    if (auto rendered = render_template(content, element.variables, {})) return *rendered;
  }
  Paragraphs out;
  out.add(content);
  std::vector<std::string> takes;
  takes.reserve(element.variables.size());
  for (const auto& variable : element.variables) {
    takes.push_back(fmt::format("{}{}{}{}", variable.name,
                                variable.required && !variable.fallback ? " (required)" : "",
                                variable.description.empty() ? "" : ": ", variable.description));
  }
  out.add_list("Variables", takes);
  return out.take();
}

std::string skill_body(const Element& element, const Document& document) {
  auto name = skill_name(element.name);
  if (name.empty()) name = "skill";
  const auto form = element.file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml;
  const auto made = make_skill_text(document.text(), form, name);
  auto sheet = made ? Document::parse(made->text, DocumentForm::markdown) : invalid("");
  return std::string(trimmed(sheet ? sheet->body() : document.body()));
}

void add_entries(const YamlNode* entries, Paragraphs& out) {
  if (entries == nullptr) return;
  const auto add = [&](const YamlNode& entry) {
    if (!entry.is_map()) return out.add(entry.text);
    const auto content = text_of(entry, "content");
    if (!content) return;
    const auto time = text_of(entry, "timestamp");
    out.add(time ? fmt::format("[{}] {}", *time, trimmed(*content)) : *content);
  };
  for (const auto& entry : entries->items) add(entry);
  for (const auto& entry : entries->members) add(entry.value);
}

// The fields that hold text, wherever the file keeps them, and then its body.
std::string fields_text(const Element& element, const Document& document) {
  const YamlNode& root = document.frontmatter();
  const auto typed = &maps_of(root).typed;
  Paragraphs out;
  for (const YamlNode* map : {&root, typed == &root ? nullptr : typed}) {
    if (map == nullptr) continue;
    for (const std::string_view key : {"instructions", "system_prompt", "content"}) {
      out.add(text_of(*map, key).value_or(""));
    }
    if (element.type == ElementType::memory) add_entries(map->find("entries"), out);
  }
  out.add_list("Goals", element.goals);
  out.add_list("Actions", element.actions);
  out.add(document.body());
  return out.take();
}

bool needs(const Relation& relation) {
  return std::ranges::find(kNeeds, relation.kind) != kNeeds.end();
}

}  // namespace

std::string element_text(const Element& element, const Document& document) {
  switch (element.type) {
    case ElementType::persona: return std::string(trimmed(persona_text(document)));
    case ElementType::template_: return template_text(element, document);
    case ElementType::skill: return skill_body(element, document);
    case ElementType::agent:
    case ElementType::ensemble:
    case ElementType::memory: return fields_text(element, document);
  }
  return "";
}

std::optional<std::string> ElementTexts::prompt_of(const Collection& collection,
                                                   const Element& element) {
  if (!ElementPrompts::address_of(collection, element.type, element.id)) return std::nullopt;
  return ElementPrompts::name_of(collection, element);
}

// Those that were asked for first, so that these are the last to be left out.
std::vector<ElementTexts::Part> ElementTexts::with_dependencies(
    const ElementGate& gate, const std::vector<Element>& elements) const {
  std::vector<Part> out;
  std::set<Collection::Key> there;
  const auto add = [&](const Element& element, std::string because) {
    if (out.size() == kMost || there.contains({element.type, element.id})) return;
    if (!gate.shows(element) || !gate.admit(Action::read, element)) return;
    there.insert({element.type, element.id});
    out.push_back({element, std::move(because)});
  };
  for (const auto& element : elements) add(element, "");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Element element = out[i].element;  // `out` grows
    for (const auto& relation : element.relations) {
      const auto target = needs(relation) ? collection_.resolve(relation) : std::nullopt;
      if (!target) continue;
      add(*target, fmt::format("for {} \"{}\" ({})", to_string(element.type), visible(element.name),
                               relation.kind));
    }
  }
  return out;
}

std::string ElementTexts::section(const ElementGate& gate, const Part& part) const {
  const Element& element = part.element;
  std::string out = fmt::format("## {}: {}\n\n", to_string(element.type), visible(element.name));
  std::string about = gate.names(element) ? fmt::format("`{}`", element.uri()) : "";
  const auto prompt = prompt_of(collection_, element);
  if (prompt && gate.names(element)) about += fmt::format(", prompt `{}`", visible(*prompt));
  if (!part.because.empty()) about += fmt::format("{}{}", about.empty() ? "" : "; ", part.because);
  if (!about.empty()) out += about + "\n\n";
  auto text = collection_.text_of(element);
  const auto form = element.file.ends_with(".md") ? DocumentForm::markdown : DocumentForm::yaml;
  auto document = text ? Document::parse(std::move(*text), form) : std::move(text).error();
  if (!document) return out + fmt::format("*{}*\n", document.error().message);
  const auto said = element_text(element, *document);
  return out + (said.empty() ? visible(element.description) : said) + "\n";
}

std::string ElementTexts::together(const ElementGate& gate, const std::vector<Element>& elements,
                                   std::size_t tokens) const {
  const auto count = [](std::string_view text) { return Tokenizer::o200k().count(text); };
  constexpr std::size_t kBytesInToken = 64;  // more than any text has; spares to count a huge one
  constexpr std::size_t kLine = 64;          // tokens of a name in the list of what was left out
  std::string out;
  std::vector<std::string> left_out;
  const auto parts = with_dependencies(gate, elements);
  // Room to name what may have to be left out.
  const auto names = std::min(parts.size() * kLine, tokens / 4);
  constexpr std::size_t kHeading = 64;  // of that list
  std::size_t used = kHeading;
  for (const auto& part : parts) {
    const auto text = (out.empty() ? "" : "\n") + section(gate, part);
    const auto cost = text.size() > tokens * kBytesInToken ? tokens : count(text);
    if (used + cost + names <= tokens) {
      used += cost;
      out += text;
      continue;
    }
    const auto name = fmt::format("- {} `{}` ({} tokens)\n", to_string(part.element.type),
                                  visible(part.element.id), cost);
    left_out.push_back(name);
  }
  if (left_out.empty()) return out;
  out += fmt::format(
      "{}## Left out\n\nThese do not fit into {} tokens; read each with "
      "`element_manage` {{\"operation\":\"read\",\"type\":…,\"id\":…}}:\n\n",
      out.empty() ? "" : "\n", tokens);
  std::size_t named = 0;
  for (const auto& line : left_out) {
    const auto cost = count(line);
    if (used + cost > tokens) break;
    used += cost;
    out += line;
    ++named;
  }
  if (named < left_out.size()) out += fmt::format("- … and {} more\n", left_out.size() - named);
  return out;
}

}  // namespace lode
