#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/sha256.h"
#include "providers/capability/transfer/derived.h"
#include "providers/capability/transfer/making.h"

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
constexpr std::int64_t kMostIterations = 10;
constexpr std::size_t kDayLength = 10;

bool has_word(std::string_view words, std::string_view word) {
  const auto padded = fmt::format(" {} ", words);
  return padded.find(fmt::format(" {} ", word)) != std::string::npos;
}

bool is_map(const Json& value) { return value.is_object(); }

// The contents of a memory's entries, one below the other.
std::string entries_text(const ElementValue& value) {
  std::string out;
  const auto* entries = list_field(value.fields, "entries");
  if (entries == nullptr) return out;
  for (const auto& entry : *entries) {
    const auto* map = entry.if_object();
    const auto* mere = entry.if_string();
    const auto text = map != nullptr    ? text_field(*map, "content")
                      : mere != nullptr ? std::string(mere->data(), mere->size())
                                        : std::string();
    if (!text.empty()) out.append(out.empty() ? "" : "\n\n").append(text);
  }
  return out;
}

bool is_filled_text(const Json& value) { return value.is_string() && !value.get_string().empty(); }
bool is_texts(const Json& value) { return value.is_array() && all_are(value.get_array(), is_text); }
bool is_flag(const Json& value) { return value.is_bool(); }

// One file in which these have another shape keeps NEXS from starting at all.
void make_metadata(const ElementValue& value, Making& making) {
  making.make_common("version", "1.0.0", is_filled_text);
  making.make_common("author", "unknown", is_filled_text);
  making.make_common("isactive", true, is_flag);
  for (const std::string_view name : {"name", "description"}) {
    if (value.fields.contains(name)) making.make_common(name, "", is_text);
  }
  if (!value.fields.contains("tags")) return;
  JsonArray tags;
  if (const auto* list = list_field(value.fields, "tags")) {
    for (const auto& tag : *list) {
      if (tag.is_string()) tags.push_back(tag);
      if (tag.is_number() || tag.is_bool()) tags.emplace_back(to_text(tag));
    }
  } else if (auto one = text_field(value.fields, "tags"); !one.empty()) {
    tags.emplace_back(std::move(one));
  }
  making.make_common("tags", std::move(tags), is_texts);
}

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

}  // namespace

bool fits_nexs(ElementType type, std::string_view name, const Json& field) {
  if (!has_word(kNexsFields[static_cast<std::size_t>(type)], name)) return false;
  const auto* list = field.if_array();
  if (name == "triggers" || name == "procedures") return list != nullptr && all_are(*list, is_map);
  if (name == "dependencies") return list != nullptr && all_are(*list, has_skill_id);
  if (name == "goals") return list != nullptr && all_are(*list, is_text);
  return true;
}

JsonObject derived_for_nexs(const ElementValue& value) {
  Making making(value, fits_nexs);
  make_metadata(value, making);
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

}  // namespace lode
