#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "providers/capability/transfer/derived.h"
#include "providers/capability/transfer/forms.h"
#include "providers/capability/transfer/making.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 5> kRoles{"primary", "support", "override", "monitor",
                                                 "core"};

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

// Of these types Dollhouse refuses a file whose name has other signs.
void make_name(const ElementValue& value, Making& making) {
  if (value.type != ElementType::agent && value.type != ElementType::ensemble &&
      value.type != ElementType::memory) {
    return;
  }
  const auto name = text_field(value.fields, "name");
  if (const auto taken = dollhouse_name(name); taken != name) {
    making.make_common("name", Json(taken), [](const Json&) { return false; });
  }
}

// An entry that Dollhouse does not drop when it reads it.
bool is_entry(const Json& value) {
  const auto* map = value.if_object();
  if (map == nullptr) return false;
  const auto* time = map->if_contains("timestamp");
  return !text_field(*map, "id").empty() && !text_field(*map, "content").empty() &&
         time != nullptr && !time->is_null();
}

// Each entry with an id and a time, a mere text as an entry of its own.
void make_entries(const ElementValue& value, Making& making) {
  const auto* entries = list_field(value.fields, "entries");
  if (entries == nullptr || all_are(*entries, is_entry)) return;
  JsonArray out;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const auto& entry = (*entries)[i];
    JsonObject made = entry.is_object() ? entry.get_object() : JsonObject();
    if (!entry.is_object()) {
      made["content"] = entry.is_string() ? entry : Json(to_text(entry));
    }
    if (text_field(made, "id").empty()) made["id"] = fmt::format("mem_{}", i + 1);
    const auto* time = made.if_contains("timestamp");
    if (time == nullptr || time->is_null()) made["timestamp"] = text_field(value.fields, "created");
    out.push_back(std::move(made));
  }
  making.make_common("entries", std::move(out), [](const Json&) { return false; });
}

}  // namespace

bool fits_dollhouse(ElementType type, std::string_view name, const Json& field) {
  const auto* list = field.if_array();
  if (name == "triggers") return list != nullptr && all_are(*list, is_text);
  if (name == "dependencies") {
    return list == nullptr || list->empty() || !all_are(*list, has_skill_id);
  }
  // There it would be taken for the memory's own fields.
  return type != ElementType::memory || name != "metadata";
}

JsonObject derived_for_dollhouse(const ElementValue& value) {
  Making making(value, fits_dollhouse);
  make_name(value, making);
  make_words(value, making);
  switch (value.type) {
    case ElementType::persona:
    case ElementType::skill: make_instructions(value, making); break;
    case ElementType::agent:
      make_goal(value, making);
      make_instructions(value, making);
      break;
    case ElementType::ensemble: make_elements(value, making); break;
    case ElementType::memory: make_entries(value, making); break;
    case ElementType::template_: break;
  }
  return making.take();
}

bool is_derived(const ElementValue& value, std::string_view name, const Json& made) {
  // Cut for NEXS, where the whole is known.
  const auto cut = made.is_string() ? std::string(std::string_view(made.get_string())) : "";
  for (const auto& whole : {text_field(value.fields, name),
                            name == main_field(value.type) ? value.text : std::string()}) {
    if (!cut.empty() && whole.size() > cut.size() && whole.starts_with(cut)) return true;
  }
  for (const auto& all : {derived_for_nexs(value), derived_for_dollhouse(value)}) {
    const auto* one = all.if_contains(name);
    if (one != nullptr && *one == made) return true;
  }
  return false;
}

}  // namespace lode
