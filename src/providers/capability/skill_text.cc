#include "providers/capability/skill_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "providers/capability/element.h"

namespace lode {
namespace {

// The format's limits, in characters.
constexpr std::size_t kNameLength = 64;
constexpr std::size_t kDescriptionLength = 1024;
constexpr std::size_t kCompatibilityLength = 500;
constexpr std::string_view kBlanks = " \t\r\n";

// What becomes the body, and is no field any more.
constexpr std::string_view kInstructions = "instructions";
constexpr std::string_view kContent = "content";
constexpr std::string_view kProcedures = "procedures";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string indented(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text)) {
    out += c;
    if (c == '\n') out += "   ";
  }
  return out;
}

bool is_scalar(const YamlNode& node) { return !node.is_list() && !node.is_map(); }

bool says(const YamlNode& map, std::string_view key) {
  const auto* value = map.find(key);
  return value != nullptr && value->is_string() && !trimmed(value->text).empty();
}

// A SKILL.md as everybody reads it, so that it can be served as it is.
bool is_proper(const Document& document, DocumentForm form, std::string_view name) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (form != DocumentForm::markdown) return false;
  std::string_view head(document.text());
  head.remove_suffix(document.body().size());
  if (head.starts_with(kMark)) head.remove_prefix(kMark.size());
  if (!head.starts_with("---\n") && !head.starts_with("---\r\n")) return false;
  const YamlNode& root = document.frontmatter();
  return trimmed(head).ends_with("\n---") && says(root, "name") && says(root, "description") &&
         root.find("name")->text == name;
}

bool goes_to_body(const YamlMember& member) {
  if (member.key == kProcedures) return member.value.is_list();
  return (member.key == kInstructions || member.key == kContent) && is_scalar(member.value);
}

JsonObject fields_left(const YamlNode& map) {
  JsonObject out;
  for (const auto& member : map.members) {
    if (!goes_to_body(member)) out.emplace(member.key, to_json(member.value));
  }
  return out;
}

// The first characters of a text, the last of them "…" if there were more.
std::string cut_to(std::string_view text, std::size_t characters) {
  std::size_t count = 0;
  std::size_t last = 0;  // where the last character that fits begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) == 0x80) continue;
    if (++count == characters) last = i;
    if (count > characters) return std::string(text.substr(0, last)) + "…";
  }
  return std::string(text);
}

std::string json_as_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_text(value);
}

// A map of texts, each as it is written.
JsonObject texts_of(const YamlNode& metadata) {
  if (!metadata.is_map()) return {{"value", json_as_text(to_json(metadata))}};
  JsonObject out;
  for (const auto& member : metadata.members) {
    out[member.key] = is_scalar(member.value) ? member.value.text : to_text(to_json(member.value));
  }
  return out;
}

// What the format's readers refuse, made such that they do not. root: where they are from.
void mend(JsonObject& fields, const YamlNode& root) {
  if (auto* description = fields.if_contains("description")) {
    *description = cut_to(json_as_text(*description), kDescriptionLength);
  }
  if (auto* compatibility = fields.if_contains("compatibility")) {
    auto text = cut_to(json_as_text(*compatibility), kCompatibilityLength);
    if (compatibility->is_null() || text.empty()) {
      fields.erase("compatibility");
    } else {
      *compatibility = text;
    }
  }
  const auto* metadata = root.find("metadata");
  if (metadata != nullptr) fields["metadata"] = texts_of(*metadata);
}

JsonObject frontmatter_of(const YamlNode& root, const std::string& name) {
  const auto [common, typed] = maps_of(root);
  const std::string title = text_of(common, "name").value_or("");
  std::string description(trimmed(text_of(common, "description").value_or("")));
  if (description.empty()) description = title.empty() ? name : title;

  JsonObject out;
  out.emplace("name", name);
  out.emplace("description", description);
  if (!title.empty() && title != name && root.find("title") == nullptr) {
    out.emplace("title", title);
  }
  for (const auto& member : root.members) {
    if (&member.value == &typed) {
      auto left = fields_left(typed);
      if (!left.empty()) out.emplace(member.key, std::move(left));
    } else if (&root != &typed || !goes_to_body(member)) {
      out.emplace(member.key, to_json(member.value));  // not what is there already
    }
  }
  return out;
}

std::string value_text(const YamlNode& value) {
  if (is_scalar(value)) return indented(value.text);
  if (!value.is_list() || !std::all_of(value.items.begin(), value.items.end(), is_scalar)) {
    return to_text(to_json(value));
  }
  std::string out;
  for (const auto& item : value.items) out.append(out.empty() ? "" : ", ").append(item.text);
  return indented(out);
}

// "tools_used" becomes "Tools used".
std::string label_of(std::string_view key) {
  std::string out(key);
  std::replace(out.begin(), out.end(), '_', ' ');
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 32);
  return out;
}

std::string step_text(const YamlNode& step, std::size_t number) {
  if (!step.is_map()) return fmt::format("{}. {}", number, value_text(step));
  const auto* said = step.find("step");
  const bool numbered = said != nullptr && said->kind == YamlKind::integer && said->integer >= 0;
  std::string out = fmt::format("{}.", numbered ? said->text : std::to_string(number));
  const auto action = text_of(step, "action");
  const auto description = text_of(step, "description");
  if (action) out.append(" ").append(indented(*action));
  if (description) out.append(action ? ": " : " ").append(indented(*description));
  for (const auto& [key, line, span, value] : step.members) {
    const bool told = (key == "step" && numbered) || (key == "action" && action) ||
                      (key == "description" && description);
    if (told || value.kind == YamlKind::null) continue;
    out.append("\n   - ").append(label_of(key)).append(": ").append(value_text(value));
  }
  return out;
}

std::string procedures_text(const YamlNode& list) {
  if (list.items.empty()) return "";
  std::string out = "## Procedure\n";
  std::size_t number = 0;
  for (const auto& step : list.items) out.append("\n").append(step_text(step, ++number));
  return out;
}

std::string body_of(const Document& document, std::string_view description) {
  const auto [common, typed] = maps_of(document.frontmatter());
  std::string out;
  const auto add = [&](std::string_view part) {
    part = trimmed(part);
    if (!part.empty()) out.append(out.empty() ? "" : "\n\n").append(part);
  };
  add(text_of(typed, kInstructions).value_or(""));
  add(text_of(typed, kContent).value_or(""));
  add(document.body());
  const auto* procedures = typed.find(kProcedures);
  if (procedures != nullptr && procedures->is_list()) add(procedures_text(*procedures));
  if (out.empty()) add(description);
  const auto title = text_of(common, "name");
  if (!title || out.starts_with("# ")) return out;
  return fmt::format("# {}\n\n{}", trimmed(*title), out);
}

}  // namespace

bool is_skill_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameLength && name.find("--") == std::string_view::npos &&
         is_word(name.front()) && is_word(name.back()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '-'; });
}

std::string skill_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
    if (is_word(small)) {
      out += small;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (out.size() > kNameLength) out.resize(kNameLength);
  if (out.ends_with('-')) out.pop_back();
  return out;
}

Result<SkillText> make_skill_text(std::string file, DocumentForm form, const std::string& name) {
  auto document = Document::parse(std::move(file), form);
  if (!document) return std::move(document).error();
  const bool proper = is_proper(*document, form, name);
  auto fields = proper ? to_json(document->frontmatter()).as_object()
                       : frontmatter_of(document->frontmatter(), name);
  const auto before = fields;
  mend(fields, document->frontmatter());
  if (!proper || fields != before) {
    const auto description = json_as_text(before.at("description"));
    const auto body =
        proper ? std::string(trimmed(document->body())) : body_of(*document, description);
    auto made = make_document(fields, body);
    if (!made) return std::move(made).error();
    // Read again, so that what is said of it is what others will read.
    document = Document::parse(std::move(*made), DocumentForm::markdown);
    if (!document) return std::move(document).error();
  }
  SkillText out;
  out.text = document->text();
  out.frontmatter = to_json(document->frontmatter());
  out.description = document->frontmatter().find("description")->text;
  return out;
}

}  // namespace lode
