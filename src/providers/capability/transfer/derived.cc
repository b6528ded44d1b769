#include "providers/capability/transfer/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/sha256.h"

namespace lode {
namespace {

// The fields of NEXS's `data`, type by type.
constexpr std::array<std::string_view, kElementTypeCount> kNexsFields{
    "behavioral_traits expertise_areas response_style system_prompt privacy_level owner "
    "shared_with hot_swappable related_skills related_templates related_memories",
    "triggers procedures dependencies tools_required inputs outputs composable",
    "content format variables validation_rules related_skills related_memories",
    "goals actions decision_tree fallback_strategy max_iterations context persona_id "
    "related_skills related_templates related_memories",
    "members execution_mode aggregation_strategy fallback_chain shared_context",
    "content date_created content_hash search_index metadata",
};
constexpr std::array<std::string_view, 5> kRoles{"primary", "support", "override", "monitor",
                                                 "core"};
constexpr std::int64_t kMostIterations = 10;
constexpr std::size_t kDayLength = 10;

bool has_word(std::string_view words, std::string_view word) {
  const auto padded = fmt::format(" {} ", words);
  return padded.find(fmt::format(" {} ", word)) != std::string::npos;
}

std::string first_of(const JsonObject& fields, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (auto text = text_field(fields, name); !text.empty()) return text;
  }
  return "";
}

std::string about(const ElementValue& value) {
  return first_of(value.fields, {"description", "name"});
}

bool all_are(const JsonArray& list, bool (*fits)(const Json&)) {
  return std::all_of(list.begin(), list.end(), fits);
}
bool is_text(const Json& value) { return value.is_string(); }
bool has_skill_id(const Json& value) {
  return value.is_object() && value.get_object().contains("skill_id");
}
bool is_map(const Json& value) { return value.is_object(); }

// The contents of a memory's entries, one below the other.
std::string entries_text(const ElementValue& value) {
  std::string out;
  const auto* entries = list_field(value.fields, "entries");
  if (entries == nullptr) return out;
  for (const auto& entry : *entries) {
    const auto* map = entry.if_object();
    const auto text = map == nullptr ? "" : text_field(*map, "content");
    if (!text.empty()) out.append(out.empty() ? "" : "\n\n").append(text);
  }
  return out;
}

class Making {
 public:
  using Fits = bool (*)(ElementType, std::string_view, const Json&);

  Making(const ElementValue& value, Fits fits) : value_(value), fits_(fits) {}

  // Unless it is there, and in the form's own shape.
  void make(std::string_view name, Json made) {
    const auto* there = value_.fields.if_contains(name);
    if (there == nullptr || !fits_(value_.type, name, *there)) out_.emplace(name, std::move(made));
  }
  void make(std::string_view name, const std::string& made) { make(name, Json(made)); }
  void make(std::string_view name, const char* made) { make(name, Json(made)); }
  // A field that has one shape everywhere.
  void make_common(std::string_view name, Json made) {
    if (!value_.fields.contains(name)) out_.emplace(name, std::move(made));
  }
  JsonObject take() { return std::move(out_); }

 private:
  const ElementValue& value_;
  const Fits fits_;
  JsonObject out_;
};

// ---- NEXS ----

void make_persona(const ElementValue& value, Making& making) {
  const auto instructions = text_field(value.fields, "instructions");
  if (!instructions.empty()) {
    making.make("system_prompt", instructions);
  } else if (value.text.empty()) {
    making.make("system_prompt", about(value));
  }
  making.make("behavioral_traits",
              JsonArray{JsonObject{{"name", "as prompted"}, {"intensity", 5}}});
  making.make("expertise_areas",
              JsonArray{JsonObject{{"domain", "general"}, {"level", "intermediate"}}});
  making.make("response_style",
              JsonObject{{"tone", "neutral"}, {"formality", "neutral"}, {"verbosity", "balanced"}});
  making.make("privacy_level", "private");
}

void make_skill(const ElementValue& value, Making& making) {
  const auto* triggers = list_field(value.fields, "triggers");
  const bool words = triggers != nullptr && !triggers->empty() && all_are(*triggers, is_text);
  const JsonObject trigger = words ? JsonObject{{"type", "keyword"}, {"keywords", *triggers}}
                                   : JsonObject{{"type", "manual"}};
  making.make("triggers", JsonArray{trigger});
  const auto text = value.text.empty() ? text_field(value.fields, "instructions") : value.text;
  making.make("procedures",
              JsonArray{JsonObject{{"step", 1}, {"action", about(value)}, {"description", text}}});
}

void make_agent(const ElementValue& value, Making& making) {
  const auto* goal = value.fields.if_contains("goal");
  std::string said;
  if (goal != nullptr && goal->is_string()) said = text_field(value.fields, "goal");
  if (goal != nullptr && goal->is_object()) said = text_field(goal->get_object(), "template");
  making.make("goals", JsonArray{said.empty() ? about(value) : said});
  making.make("actions", JsonArray{JsonObject{{"name", "decide"}, {"type", "decision"}}});
  making.make("max_iterations", kMostIterations);
}

Json member_of(const JsonObject& element) {
  auto role = text_field(element, "role");
  if (role.empty()) role = "member";
  const auto name = first_of(element, {"element_name", "elementName", "name"});
  const auto* priority = element.if_contains("priority");
  std::int64_t rank = 5;
  if (priority != nullptr && priority->is_int64()) {
    rank = std::clamp<std::int64_t>(priority->get_int64() / 10, 1, 10);
  }
  return JsonObject{{"agent_id", name}, {"role", role}, {"priority", rank}};
}

void make_ensemble(const ElementValue& value, Making& making) {
  JsonArray members;
  if (const auto* elements = list_field(value.fields, "elements")) {
    for (const auto& element : *elements) {
      if (element.is_object()) members.push_back(member_of(element.get_object()));
    }
  }
  making.make("members", std::move(members));
  making.make("execution_mode", "sequential");
  making.make("aggregation_strategy", "all");
}

void make_memory(const ElementValue& value, Making& making) {
  auto content = value.text;
  if (content.empty()) {
    content = entries_text(value);
    if (content.empty()) content = about(value);
    making.make("content", content);
  }
  making.make("date_created", text_field(value.fields, "created").substr(0, kDayLength));
  making.make("content_hash", sha256_hex(content));
}

// ---- Dollhouse ----

// NEXS has maps where Dollhouse has words.
void make_words(const ElementValue& value, Making& making) {
  if (const auto* triggers = list_field(value.fields, "triggers"); triggers != nullptr) {
    JsonArray words;
    for (const auto& trigger : *triggers) {
      const auto* map = trigger.if_object();
      const auto* keywords = map == nullptr ? nullptr : list_field(*map, "keywords");
      if (keywords != nullptr) words.insert(words.end(), keywords->begin(), keywords->end());
    }
    making.make("triggers", std::move(words));
  }
  if (const auto* needed = list_field(value.fields, "dependencies"); needed != nullptr) {
    JsonArray out;
    for (const auto& one : *needed) {
      const auto id = one.is_object() ? text_field(one.get_object(), "skill_id") : "";
      if (!id.empty()) out.push_back(JsonObject{{"elementId", id}, {"elementType", "skill"}});
    }
    making.make("dependencies", std::move(out));
  }
}

// What a skill's steps say, for who reads text alone.
std::string steps_text(const ElementValue& value) {
  std::string out;
  const auto* steps = list_field(value.fields, "procedures");
  if (steps == nullptr) return out;
  std::size_t number = 0;
  for (const auto& step : *steps) {
    if (!step.is_object()) continue;
    const auto action = text_field(step.get_object(), "action");
    const auto words = text_field(step.get_object(), "description");
    out += fmt::format("{}{}. {}{}{}", out.empty() ? "" : "\n", ++number, action,
                       action.empty() || words.empty() ? "" : ": ", words);
  }
  return out;
}

void make_instructions(const ElementValue& value, Making& making) {
  if (!value.text.empty() || value.fields.contains("instructions")) return;
  auto said = first_of(value.fields, {"systemPrompt", "system_prompt"});
  if (said.empty()) said = steps_text(value);
  making.make("instructions", said.empty() ? about(value) : said);
  making.make("format_version", "v2");
}

void make_goal(const ElementValue& value, Making& making) {
  const auto* goals = list_field(value.fields, "goals");
  if (goals == nullptr) return;
  std::vector<std::string> texts;
  for (const auto& goal : *goals) {
    if (goal.is_string()) texts.emplace_back(std::string_view(goal.get_string()));
  }
  making.make("goal", JsonObject{{"template", fmt::format("{}", fmt::join(texts, "; "))},
                                 {"parameters", JsonArray()}});
}

void make_elements(const ElementValue& value, Making& making) {
  const auto* members = list_field(value.fields, "members");
  if (members == nullptr) return;
  JsonArray out;
  for (const auto& member : *members) {
    if (!member.is_object()) continue;
    const auto& map = member.get_object();
    const auto role = text_field(map, "role");
    const bool known = std::find(kRoles.begin(), kRoles.end(), role) != kRoles.end();
    JsonObject element{{"element_name", first_of(map, {"agent_id", "agent", "id"})},
                       {"element_type", "agent"},
                       {"role", known ? role : "core"}};
    if (const auto* priority = map.if_contains("priority")) element["priority"] = *priority;
    element["activation"] = "always";
    out.push_back(std::move(element));
  }
  making.make("elements", std::move(out));
}

}  // namespace

bool fits_nexs(ElementType type, std::string_view name, const Json& field) {
  if (!has_word(kNexsFields[static_cast<std::size_t>(type)], name)) return false;
  const auto* list = field.if_array();
  if (name == "triggers" || name == "procedures") return list != nullptr && all_are(*list, is_map);
  if (name == "dependencies") return list != nullptr && all_are(*list, has_skill_id);
  if (name == "goals") return list != nullptr && all_are(*list, is_text);
  return true;
}

bool fits_dollhouse(ElementType type, std::string_view name, const Json& field) {
  const auto* list = field.if_array();
  if (name == "triggers") return list != nullptr && all_are(*list, is_text);
  if (name == "dependencies") {
    return list == nullptr || list->empty() || !all_are(*list, has_skill_id);
  }
  // There it would be taken for the memory's own fields.
  return type != ElementType::memory || name != "metadata";
}

JsonObject derived_for_nexs(const ElementValue& value) {
  Making making(value, fits_nexs);
  making.make_common("version", "1.0.0");
  making.make_common("author", "unknown");
  making.make_common("isactive", true);
  switch (value.type) {
    case ElementType::persona: make_persona(value, making); break;
    case ElementType::skill: make_skill(value, making); break;
    case ElementType::template_:
      if (value.text.empty()) making.make("content", about(value));
      making.make("format", "markdown");
      break;
    case ElementType::agent: make_agent(value, making); break;
    case ElementType::ensemble: make_ensemble(value, making); break;
    case ElementType::memory: make_memory(value, making); break;
  }
  return making.take();
}

JsonObject derived_for_dollhouse(const ElementValue& value) {
  Making making(value, fits_dollhouse);
  make_words(value, making);
  switch (value.type) {
    case ElementType::persona:
    case ElementType::skill: make_instructions(value, making); break;
    case ElementType::agent:
      make_goal(value, making);
      make_instructions(value, making);
      break;
    case ElementType::ensemble: make_elements(value, making); break;
    case ElementType::template_:
    case ElementType::memory: break;
  }
  return making.take();
}

bool is_derived(const ElementValue& value, std::string_view name, const Json& made) {
  for (const auto& all : {derived_for_nexs(value), derived_for_dollhouse(value)}) {
    const auto* one = all.if_contains(name);
    if (one != nullptr && *one == made) return true;
  }
  return false;
}

}  // namespace lode
