#include "providers/capability/persona_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "providers/capability/element.h"

namespace lode {
namespace {

struct Part {
  std::string_view title;
  std::array<std::string_view, 2> keys;  // the first that is there
};
constexpr std::array<Part, 6> kParts{{{"Traits", {"behavioral_traits", "traits"}},
                                      {"Style", {"response_style", "communication_style"}},
                                      {"Behavior", {"behavior", "behaviour"}},
                                      {"Expertise", {"expertise_areas", "expertise"}},
                                      {"Constraints", {"constraints", "limitations"}},
                                      {"Response format", {"response_format", ""}}}};

bool is_scalar(const YamlNode& node) {
  return !node.is_list() && !node.is_map() && node.kind != YamlKind::null;
}

// "calm", or "calm (patient with beginners; intensity 8)": a map by its name and all else.
std::string line_of(const YamlNode& item) {
  if (is_scalar(item)) return item.text;
  std::string name;
  std::vector<std::string> rest;
  for (const auto& member : item.members) {
    if (member.value.is_list()) {
      std::vector<std::string> words;
      for (const auto& one : member.value.items) {
        if (is_scalar(one)) words.push_back(one.text);
      }
      rest.push_back(fmt::format("{}: {}", member.key, fmt::join(words, ", ")));
    } else if (!is_scalar(member.value)) {
      continue;
    } else if (name.empty() && (member.key == "name" || member.key == "domain")) {
      name = member.value.text;
    } else if (member.key == "description") {
      rest.insert(rest.begin(), member.value.text);
    } else {
      rest.push_back(fmt::format("{}: {}", member.key, member.value.text));
    }
  }
  if (name.empty()) return fmt::format("{}", fmt::join(rest, "; "));
  return rest.empty() ? name : fmt::format("{} ({})", name, fmt::join(rest, "; "));
}

std::string part_of(const Part& part, const YamlNode& typed) {
  const YamlNode* value = nullptr;
  for (const auto key : part.keys) {
    if (value == nullptr && !key.empty()) value = typed.find(key);
  }
  if (value == nullptr) return "";
  std::string out;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) out += fmt::format("\n- {}", line);
  };
  if (is_scalar(*value)) return fmt::format("{}: {}", part.title, value->text);
  for (const auto& item : value->items) add(line_of(item));
  for (const auto& member : value->members) {
    const auto said = line_of(member.value);
    if (!said.empty()) add(fmt::format("{}: {}", member.key, said));
  }
  return out.empty() ? "" : fmt::format("{}:{}", part.title, out);
}

class Text {
 public:
  void add(std::string_view part) {
    if (part.empty()) return;
    if (!out_.empty()) out_ += "\n\n";
    out_ += part;
  }
  bool has_words() const { return out_.find_first_not_of(" \t\r\n") != out_.npos; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

std::string persona_text(const Document& document) {
  Text out;
  const YamlNode& root = document.frontmatter();
  for (const YamlNode* map : {&root, root.find("data")}) {
    if (map == nullptr) continue;
    for (const std::string_view key : {"instructions", "system_prompt"}) {
      if (const auto text = text_of(*map, key)) out.add(*text);
    }
  }
  auto body = document.body();
  while (body.starts_with('\n')) body.remove_prefix(1);
  out.add(body);
  if (out.has_words()) return out.take();
  Text told;
  const auto [common, typed] = maps_of(root);
  told.add(text_of(common, "description").value_or(text_of(common, "name").value_or("")));
  for (const auto& part : kParts) told.add(part_of(part, typed));
  return told.take();
}

}  // namespace lode
