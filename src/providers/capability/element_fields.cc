// The fields of the six types, line by line: what a value must be. Both
// families' spellings are here; a field that is not here may be anything.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "providers/capability/element.h"

namespace lode {
namespace {

enum class Want : std::uint8_t { text, number, flag, list, texts, map, one_of };

struct Field {
  std::uint8_t types;     // bits: which types have it
  std::string_view path;  // "members[].priority": of each item of a list
  Want want;
  double least = 0;              // of a number; of a text, its length
  double most = 0;               // 0: any
  std::string_view values = {};  // of one_of, separated by a blank
};

constexpr std::uint8_t bit(ElementType type) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type));
}
constexpr std::uint8_t kAll = 0x3f;
constexpr std::uint8_t kPersona = bit(ElementType::persona);
constexpr std::uint8_t kSkill = bit(ElementType::skill);
constexpr std::uint8_t kTemplate = bit(ElementType::template_);
constexpr std::uint8_t kAgent = bit(ElementType::agent);
constexpr std::uint8_t kEnsemble = bit(ElementType::ensemble);
constexpr std::uint8_t kMemory = bit(ElementType::memory);

constexpr std::array kFields = {
    Field{kAll, "id", Want::text, 1, 200},
    Field{kAll, "name", Want::text, 1, 100},
    Field{kAll & ~kSkill, "description", Want::text, 0, 500},
    Field{kSkill, "description", Want::text, 0, 1024},
    Field{kAll, "version", Want::text, 1, 50},
    Field{kAll, "author", Want::text, 0, 200},
    Field{kAll, "tags", Want::texts},
    Field{kAll, "triggers", Want::list},
    Field{kAll, "category", Want::text, 0, 50},
    Field{kAll, "created", Want::text},
    Field{kAll, "updated", Want::text},
    Field{kAll, "instructions", Want::text},
    Field{kAll, "related_skills", Want::texts},
    Field{kAll, "related_templates", Want::texts},
    Field{kAll, "related_memories", Want::texts},
    Field{kAll, "dependencies", Want::list},

    Field{kPersona, "system_prompt", Want::text},
    Field{kPersona, "behavioral_traits", Want::list},
    Field{kPersona, "behavioral_traits[].name", Want::text, 1},
    Field{kPersona, "behavioral_traits[].intensity", Want::number, 1, 10},
    Field{kPersona, "expertise_areas", Want::list},
    Field{kPersona, "expertise_areas[].domain", Want::text, 1},
    Field{kPersona, "expertise_areas[].level", Want::one_of, 0, 0,
          "beginner intermediate advanced expert"},
    Field{kPersona, "response_style", Want::map},
    Field{kPersona, "response_style.formality", Want::one_of, 0, 0, "casual neutral formal"},
    Field{kPersona, "response_style.verbosity", Want::one_of, 0, 0, "concise balanced verbose"},
    Field{kPersona, "privacy_level", Want::one_of, 0, 0, "public private shared"},
    Field{kPersona, "shared_with", Want::texts},
    Field{kPersona, "hot_swappable", Want::flag},
    Field{kPersona, "age_rating", Want::one_of, 0, 0, "all 13+ 18+"},
    Field{kPersona, "content_flags", Want::texts},
    Field{kPersona, "ai_generated", Want::flag},

    Field{kSkill, "compatibility", Want::text, 1, 500},
    Field{kSkill, "triggers[].type", Want::one_of, 0, 0, "keyword pattern context manual"},
    Field{kSkill, "triggers[].keywords", Want::texts},
    Field{kSkill, "procedures", Want::list},
    Field{kSkill, "procedures[].step", Want::number, 1, 100000},
    Field{kSkill, "procedures[].action", Want::text, 1},
    Field{kSkill, "dependencies[].skill_id", Want::text, 1},
    Field{kSkill, "tools_required", Want::texts},
    Field{kSkill, "composable", Want::flag},
    Field{kSkill, "languages", Want::texts},
    Field{kSkill, "domains", Want::texts},
    Field{kSkill, "prerequisites", Want::texts},
    Field{kSkill, "complexity", Want::one_of, 0, 0, "beginner intermediate advanced expert"},
    Field{kSkill, "proficiency_level", Want::number, 0, 100},

    Field{kTemplate, "content", Want::text},
    Field{kTemplate, "format", Want::one_of, 0, 0, "markdown yaml json text html xml"},
    Field{kTemplate, "output_format", Want::text},
    Field{kTemplate, "variables", Want::list},
    Field{kTemplate, "variables[].name", Want::text, 1, 100},
    Field{kTemplate, "variables[].type", Want::one_of, 0, 0,
          "string number boolean date array object"},
    Field{kTemplate, "variables[].required", Want::flag},
    Field{kTemplate, "variables[].enum", Want::texts},
    Field{kTemplate, "includes", Want::texts},

    Field{kAgent, "goals", Want::list},
    Field{kAgent, "actions", Want::list},
    Field{kAgent, "actions[].name", Want::text, 1},
    Field{kAgent, "actions[].type", Want::one_of, 0, 0, "tool skill decision loop"},
    Field{kAgent, "max_iterations", Want::number, 1, 100},
    Field{kAgent, "persona", Want::text, 1},
    Field{kAgent, "persona_id", Want::text, 1},
    Field{kAgent, "skills", Want::texts},
    Field{kAgent, "activates", Want::map},
    Field{kAgent, "fallback_strategy", Want::text},

    Field{kEnsemble, "members", Want::list},
    Field{kEnsemble, "members[].role", Want::text, 1},
    Field{kEnsemble, "members[].priority", Want::number, 0, 100},
    Field{kEnsemble, "elements", Want::list},
    Field{kEnsemble, "elements[].priority", Want::number, 0, 100},
    Field{kEnsemble, "execution_mode", Want::one_of, 0, 0, "sequential parallel hybrid"},
    Field{kEnsemble, "aggregation_strategy", Want::text, 1},
    Field{kEnsemble, "activationStrategy", Want::one_of, 0, 0,
          "all sequential lazy conditional priority"},
    Field{kEnsemble, "activation_strategy", Want::one_of, 0, 0,
          "all sequential lazy conditional priority"},

    Field{kMemory, "content", Want::text},
    Field{kMemory, "entries", Want::list},
    Field{kMemory, "entries[].content", Want::text},
    Field{kMemory, "related", Want::texts},
    Field{kMemory, "retentionDays", Want::number, 0, 1e9},
    Field{kMemory, "privacyLevel", Want::one_of, 0, 0, "public private sensitive"},
    Field{kMemory, "searchable", Want::flag},
    Field{kMemory, "maxEntries", Want::number, 1, 1e9},
};

bool is_scalar(const YamlNode& node) {
  return !node.is_list() && !node.is_map() && node.kind != YamlKind::null;
}

bool is_number(const YamlNode& node) {
  return node.kind == YamlKind::integer || node.kind == YamlKind::number;
}

bool listed(std::string_view values, std::string_view word) {
  while (!values.empty()) {
    const auto end = std::min(values.find(' '), values.size());
    if (values.substr(0, end) == word) return true;
    values.remove_prefix(std::min(end + 1, values.size()));
  }
  return false;
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string length_problem(const Field& field, std::size_t length) {
  const auto size = static_cast<double>(length);
  if (size < field.least) return fmt::format("is shorter than {} characters", field.least);
  if (field.most > 0 && size > field.most) {
    return fmt::format("is longer than {} characters", field.most);
  }
  return "";
}

// Empty: the value is as it should be.
std::string problem_of(const Field& field, const YamlNode& value) {
  switch (field.want) {
    case Want::text:
      return is_scalar(value) ? length_problem(field, characters_in(value.text)) : "is no text";
    case Want::number:
      if (!is_number(value)) return "is no number";
      return value.number >= field.least && value.number <= field.most
                 ? ""
                 : fmt::format("is not between {} and {}", field.least, field.most);
    case Want::flag: return value.kind == YamlKind::boolean ? "" : "is neither true nor false";
    case Want::list: return value.is_list() ? "" : "is no list";
    case Want::map: return value.is_map() ? "" : "is no map";
    case Want::texts:
      return value.is_list() && std::all_of(value.items.begin(), value.items.end(), is_scalar)
                 ? ""
                 : "is no list of texts";
    case Want::one_of:
      return is_scalar(value) && listed(field.values, value.text)
                 ? ""
                 : fmt::format("is none of {}", field.values);
  }
  return "";
}

struct Checking {
  const Field& field;
  std::string_view file;
  std::vector<Problem>& problems;

  // path: what is left of the field's path below this node.
  void check(const YamlNode& node, std::string_view path) const {
    const auto dot = path.find('.');
    auto key = path.substr(0, dot);
    const bool each = key.ends_with("[]");
    if (each) key.remove_suffix(2);
    const auto* value = node.find(key);
    if (value == nullptr || value->kind == YamlKind::null) return;
    if (dot == std::string_view::npos) {
      if (auto wrong = problem_of(field, *value); !wrong.empty()) {
        problems.push_back(
            {std::string(file), value->line, fmt::format("{} {}", field.path, wrong)});
      }
      return;
    }
    const auto rest = path.substr(dot + 1);
    if (!each) return check(*value, rest);
    for (const auto& item : value->items) {
      if (item.is_map()) check(item, rest);
    }
  }
};

}  // namespace

void check_fields(ElementType type, const YamlNode& root, std::string_view file,
                  std::vector<Problem>& problems) {
  for (const auto& field : kFields) {
    if ((field.types & bit(type)) != 0) Checking{field, file, problems}.check(root, field.path);
  }
}

}  // namespace lode
