#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/json_schema_compiler.h"
#include "base/json_schema_value.h"

namespace lode::schema {
namespace {

Error wrong(const Here& here, std::string_view expected) {
  return invalid(fmt::format("{}: must be {}", here.location, expected));
}

template <class Rules>
Rules& rules(std::unique_ptr<Rules>& made) {
  if (!made) made = std::make_unique<Rules>();
  return *made;
}
NumberRules& number(const Here& here) { return rules(here.node.number); }
StringRules& string(const Here& here) { return rules(here.node.string); }
ArrayRules& array(const Here& here) { return rules(here.node.array); }
ObjectRules& object(const Here& here) { return rules(here.node.object); }

// The shapes that values of keywords have.

Status read_number(const Here& here, std::optional<Json>& out) {
  if (!here.value.is_number()) return wrong(here, "a number");
  out = here.value;
  return {};
}

Status read_count(const Here& here, std::optional<std::size_t>& out) {
  const Json& value = here.value;
  if (!is_integer(value) || compare_numbers(value, 0) < 0) {
    return wrong(here, "a non-negative integer");
  }
  const bool fits = compare_numbers(value, std::numeric_limits<std::int64_t>::max()) < 0;
  if (!fits) {
    out = std::numeric_limits<std::size_t>::max();
  } else if (value.is_double()) {
    out = static_cast<std::size_t>(value.get_double());
  } else {
    out = value.is_int64() ? static_cast<std::size_t>(value.get_int64()) : value.get_uint64();
  }
  return {};
}

Status read_flag(const Here& here, bool& out) {
  if (!here.value.is_bool()) return wrong(here, "a boolean");
  out = here.value.get_bool();
  return {};
}

Status read_schema_at(const Here& here, const Json& at, std::string location, const Node*& out) {
  auto node = here.compiler.enter(at, *here.place.resource, std::move(location));
  if (!node) return std::move(node).error();
  out = *node;
  return {};
}

Status read_schema(const Here& here, const Node*& out) {
  return read_schema_at(here, here.value, here.location, out);
}

Status read_schemas(const Here& here, Nodes& out) {
  const auto* items = here.value.if_array();
  if (items == nullptr || items->empty()) return wrong(here, "a non-empty array of schemas");
  for (const Json& item : *items) {
    const Node*& node = out.emplace_back();
    auto location = fmt::format("{}/{}", here.location, out.size() - 1);
    if (auto status = read_schema_at(here, item, std::move(location), node); !status) return status;
  }
  return {};
}

std::string below(const Here& here, boost::json::string_view key) {
  return fmt::format("{}/{}", here.location, pointer_escaped(view(key)));
}

Status read_named_schemas(const Here& here, std::vector<Named>& out) {
  const auto* members = here.value.if_object();
  if (members == nullptr) return wrong(here, "an object of schemas");
  for (const auto& member : *members) {
    const Node* node = nullptr;
    auto status = read_schema_at(here, member.value(), below(here, member.key()), node);
    if (!status) return status;
    out.emplace_back(view(member.key()), node);
  }
  return {};
}

Status read_names(const Here& here, const Json& value, std::vector<std::string>& out) {
  const auto* items = value.if_array();
  if (items == nullptr) return wrong(here, "an array of strings");
  for (const Json& item : *items) {
    if (!item.is_string()) return wrong(here, "an array of strings");
    out.emplace_back(view(item.get_string()));
  }
  return {};
}

Result<const Pattern*> read_pattern_text(const Here& here, std::string_view text) {
  auto pattern = here.compiler.pattern(text);
  if (!pattern) return std::move(pattern).error().in(here.location);
  return pattern;
}

// The keywords that have a shape of their own.

constexpr std::array<std::pair<std::string_view, Type>, 7> kTypeNames = {{{"null", kNull},
                                                                          {"boolean", kBoolean},
                                                                          {"object", kObject},
                                                                          {"array", kArray},
                                                                          {"number", kNumber},
                                                                          {"string", kString},
                                                                          {"integer", kInteger}}};

Status add_type(const Here& here, const Json& name) {
  for (const auto& [known, type] : kTypeNames) {
    if (name.is_string() && view(name.get_string()) == known) {
      here.node.types = static_cast<std::uint8_t>(here.node.types | type);
      return {};
    }
  }
  return wrong(here, "one or several of null, boolean, object, array, number, string, integer");
}

Status read_type(const Here& here) {
  const auto* names = here.value.if_array();
  if (names == nullptr) return add_type(here, here.value);
  if (names->empty()) return wrong(here, "a type or a non-empty array of types");
  for (const Json& name : *names) {
    if (auto status = add_type(here, name); !status) return status;
  }
  return {};
}

Status read_const(const Here& here) {
  here.node.constant = here.value;
  return {};
}

Status read_enum(const Here& here) {
  const auto* values = here.value.if_array();
  if (values == nullptr) return wrong(here, "an array");
  here.node.choices.emplace(values->begin(), values->end());
  return {};
}

Status read_multiple_of(const Here& here) {
  if (!here.value.is_number() || compare_numbers(here.value, 0) <= 0) {
    return wrong(here, "a number above 0");
  }
  number(here).multiple_of = here.value;
  return {};
}

Status read_pattern(const Here& here) {
  if (!here.value.is_string()) return wrong(here, "a string");
  auto pattern = read_pattern_text(here, view(here.value.get_string()));
  if (!pattern) return std::move(pattern).error();
  string(here).pattern = *pattern;
  return {};
}

Status read_format(const Here& here) {
  return here.value.is_string() ? Status() : wrong(here, "a string");
}

Status read_pattern_properties(const Here& here) {
  std::vector<Named> named;
  if (auto status = read_named_schemas(here, named); !status) return status;
  for (const auto& [text, node] : named) {
    auto pattern = read_pattern_text(here, text);
    if (!pattern) return std::move(pattern).error();
    object(here).patterns.emplace_back(*pattern, node);
  }
  return {};
}

Status read_dependent_required(const Here& here) {
  const auto* members = here.value.if_object();
  if (members == nullptr) return wrong(here, "an object of arrays of strings");
  for (const auto& member : *members) {
    auto& added = object(here).dependent_required.emplace_back(view(member.key()),
                                                               std::vector<std::string>());
    if (auto status = read_names(here, member.value(), added.second); !status) return status;
  }
  return {};
}

// draft-07's form of dependentRequired and dependentSchemas.
Status read_dependencies(const Here& here) {
  const auto* members = here.value.if_object();
  if (members == nullptr) return wrong(here, "an object");
  for (const auto& member : *members) {
    std::vector<std::string> names;
    const Node* node = nullptr;
    auto status = member.value().is_array()
                      ? read_names(here, member.value(), names)
                      : read_schema_at(here, member.value(), below(here, member.key()), node);
    if (!status) return status;
    if (node != nullptr) {
      object(here).dependent_schemas.emplace_back(view(member.key()), node);
    } else {
      object(here).dependent_required.emplace_back(view(member.key()), std::move(names));
    }
  }
  return {};
}

// draft-07's `items` may be an array, which is now called prefixItems.
Status read_items(const Here& here) {
  if (!here.value.is_array()) return read_schema(here, array(here).items);
  if (here.place.resource->draft7) return read_schemas(here, array(here).prefix);
  return wrong(here, "a schema (for one schema an item, use prefixItems)");
}

Status read_additional_items(const Here& here) {
  const Json* items = here.schema.if_contains("items");
  if (items == nullptr || !items->is_array()) return {};
  return read_schema(here, array(here).items);
}

// Not applied, but checked, and the place of most references.
Status read_definitions(const Here& here) {
  std::vector<Named> unused;
  return read_named_schemas(here, unused);
}

Status read_ref(const Here& here) {
  here.compiler.refer(here, false);
  return {};
}

Status read_dynamic_ref(const Here& here) {
  if (!here.value.is_string()) return wrong(here, "a string");
  here.compiler.refer(here, true);
  return {};
}

enum Dialects : std::uint8_t { kOnly7 = 1, kOnly2020 = 2, kBoth = 3 };

struct Keyword {
  std::string_view name;
  Dialects dialects;
  Status (*read)(const Here&);
};

constexpr std::array kKeywords = {
    Keyword{"$ref", kBoth, read_ref},
    Keyword{"$dynamicRef", kOnly2020, read_dynamic_ref},
    Keyword{"$defs", kBoth, read_definitions},
    Keyword{"definitions", kBoth, read_definitions},
    Keyword{"type", kBoth, read_type},
    Keyword{"const", kBoth, read_const},
    Keyword{"enum", kBoth, read_enum},
    Keyword{"format", kBoth, read_format},

    Keyword{"minimum", kBoth, [](auto& h) { return read_number(h, number(h).minimum); }},
    Keyword{"maximum", kBoth, [](auto& h) { return read_number(h, number(h).maximum); }},
    Keyword{"exclusiveMinimum", kBoth,
            [](auto& h) { return read_number(h, number(h).exclusive_minimum); }},
    Keyword{"exclusiveMaximum", kBoth,
            [](auto& h) { return read_number(h, number(h).exclusive_maximum); }},
    Keyword{"multipleOf", kBoth, read_multiple_of},

    Keyword{"minLength", kBoth, [](auto& h) { return read_count(h, string(h).min_length); }},
    Keyword{"maxLength", kBoth, [](auto& h) { return read_count(h, string(h).max_length); }},
    Keyword{"pattern", kBoth, read_pattern},

    Keyword{"prefixItems", kOnly2020, [](auto& h) { return read_schemas(h, array(h).prefix); }},
    Keyword{"items", kBoth, read_items},
    Keyword{"additionalItems", kOnly7, read_additional_items},
    Keyword{"contains", kBoth, [](auto& h) { return read_schema(h, array(h).contains); }},
    Keyword{"minContains", kOnly2020, [](auto& h) { return read_count(h, array(h).min_contains); }},
    Keyword{"maxContains", kOnly2020, [](auto& h) { return read_count(h, array(h).max_contains); }},
    Keyword{"minItems", kBoth, [](auto& h) { return read_count(h, array(h).min_items); }},
    Keyword{"maxItems", kBoth, [](auto& h) { return read_count(h, array(h).max_items); }},
    Keyword{"uniqueItems", kBoth, [](auto& h) { return read_flag(h, array(h).unique); }},
    Keyword{"unevaluatedItems", kOnly2020,
            [](auto& h) { return read_schema(h, h.node.unevaluated_items); }},

    Keyword{"properties", kBoth,
            [](auto& h) { return read_named_schemas(h, object(h).properties); }},
    Keyword{"patternProperties", kBoth, read_pattern_properties},
    Keyword{"additionalProperties", kBoth,
            [](auto& h) { return read_schema(h, object(h).additional); }},
    Keyword{"propertyNames", kBoth, [](auto& h) { return read_schema(h, object(h).names); }},
    Keyword{"required", kBoth, [](auto& h) { return read_names(h, h.value, object(h).required); }},
    Keyword{"minProperties", kBoth,
            [](auto& h) { return read_count(h, object(h).min_properties); }},
    Keyword{"maxProperties", kBoth,
            [](auto& h) { return read_count(h, object(h).max_properties); }},
    Keyword{"dependentRequired", kOnly2020, read_dependent_required},
    Keyword{"dependentSchemas", kOnly2020,
            [](auto& h) { return read_named_schemas(h, object(h).dependent_schemas); }},
    Keyword{"dependencies", kBoth, read_dependencies},
    Keyword{"unevaluatedProperties", kOnly2020,
            [](auto& h) { return read_schema(h, h.node.unevaluated_properties); }},

    Keyword{"allOf", kBoth, [](auto& h) { return read_schemas(h, h.node.all_of); }},
    Keyword{"anyOf", kBoth, [](auto& h) { return read_schemas(h, h.node.any_of); }},
    Keyword{"oneOf", kBoth, [](auto& h) { return read_schemas(h, h.node.one_of); }},
    Keyword{"not", kBoth, [](auto& h) { return read_schema(h, h.node.negated); }},
    Keyword{"if", kBoth, [](auto& h) { return read_schema(h, h.node.condition); }},
    Keyword{"then", kBoth, [](auto& h) { return read_schema(h, h.node.consequence); }},
    Keyword{"else", kBoth, [](auto& h) { return read_schema(h, h.node.alternative); }},
};

}  // namespace

Status read_keywords(Compiler& compiler, const Place& place) {
  if (const bool* flag = place.at->if_bool()) {
    place.node->always = *flag;
    return {};
  }
  const JsonObject& schema = place.at->get_object();
  const bool draft7 = place.resource->draft7;
  const bool only_ref = draft7 && schema.contains("$ref");
  for (const Keyword& keyword : kKeywords) {
    const Json* value = schema.if_contains({keyword.name.data(), keyword.name.size()});
    const bool spoken = (keyword.dialects & (draft7 ? kOnly7 : kOnly2020)) != 0;
    const bool hidden = only_ref && keyword.read != read_ref && keyword.read != read_definitions;
    if (value == nullptr || !spoken || hidden) continue;
    const Here here{compiler, place,  *place.node,
                    schema,   *value, fmt::format("{}/{}", place.location, keyword.name)};
    if (auto status = keyword.read(here); !status) return status;
  }
  return {};
}

}  // namespace lode::schema
