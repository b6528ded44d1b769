#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <optional>

#include "base/json_schema_evaluation.h"
#include "base/json_schema_value.h"

namespace lode::schema {

using boost::json::kind;

bool Evaluation::check_value(const Node& node, const Spot& spot) {
  if (node.types != 0 && (node.types & types_of(spot.value)) == 0) {
    return fail(spot, [&] {
      return fmt::format("must be {}, is {}", type_names(node.types), type_name(spot.value));
    });
  }
  if (node.constant && !same(*node.constant, spot.value)) {
    return fail(spot, [&] {
      return fmt::format("must be {}, is {}", quoted(*node.constant), shown(spot.value));
    });
  }
  if (!node.choices) return true;
  if (node.choices->empty()) {
    return fail(spot, [] { return std::string("is not allowed: the enum is empty"); });
  }
  const bool found = std::any_of(node.choices->begin(), node.choices->end(),
                                 [&](const Json& choice) { return same(choice, spot.value); });
  return found || fail(spot, [&] {
           return fmt::format("must be one of {}; is {}", listed(*node.choices, quoted),
                              shown(spot.value));
         });
}

bool Evaluation::check_rules(const Node& node, const Spot& spot, Seen* seen) {
  switch (spot.value.kind()) {
    case kind::object: return !node.object || check_object(*node.object, spot, seen);
    case kind::array: return !node.array || check_array(*node.array, spot, seen);
    case kind::string: return !node.string || check_string(*node.string, spot);
    case kind::null:
    case kind::bool_: return true;
    default: return !node.number || check_number(*node.number, spot);
  }
}

bool Evaluation::check_number(const NumberRules& rules, const Spot& spot) {
  bool ok = true;
  const auto require = [&](const std::optional<Json>& limit, bool (*fits)(std::partial_ordering),
                           std::string_view what) {
    if (!limit || fits(compare_numbers(spot.value, *limit))) return;
    ok = fail(spot, [&] {
      return fmt::format("must be {} {}, is {}", what, to_text(*limit), to_text(spot.value));
    });
  };
  require(rules.minimum, std::is_gteq, "at least");
  require(rules.maximum, std::is_lteq, "at most");
  require(rules.exclusive_minimum, std::is_gt, "above");
  require(rules.exclusive_maximum, std::is_lt, "below");
  if (rules.multiple_of && !is_multiple(spot.value, *rules.multiple_of)) {
    ok = fail(spot, [&] {
      return fmt::format("must be a multiple of {}, is {}", to_text(*rules.multiple_of),
                         to_text(spot.value));
    });
  }
  return ok;
}

bool Evaluation::check_size(const Spot& spot, std::size_t size, const Bounds& bounds,
                            const Unit& unit) {
  const auto report = [&](std::string_view what, std::size_t bound) {
    return fail(spot, [&] {
      return fmt::format("must have {} {} {}, has {}", what, bound,
                         bound == 1 ? unit.one : unit.many, size);
    });
  };
  if (bounds.least && size < *bounds.least) return report("at least", *bounds.least);
  if (bounds.most && size > *bounds.most) return report("at most", *bounds.most);
  return true;
}

bool Evaluation::check_string(const StringRules& rules, const Spot& spot) {
  const std::string_view text = view(spot.value.get_string());
  if (!spend(rules.pattern == nullptr ? 1 + text.size() / 256 : rules.pattern->cost(text.size()))) {
    return false;
  }
  bool ok = true;
  if (rules.min_length || rules.max_length) {
    ok = check_size(spot, count_code_points(text), {rules.min_length, rules.max_length},
                    {"character", "characters"});
  }
  if (rules.pattern != nullptr && !rules.pattern->found_in(text)) {
    ok = fail(spot, [&] {
      return fmt::format("must match the pattern {}, is {}",
                         shorten(rules.pattern->text(), 4 * kShownBytes), shown(spot.value));
    });
  }
  return ok;
}

bool Evaluation::evaluate_item(const Node& node, const Spot& array, std::size_t index) {
  const Path path{array.path, {}, index, true};
  return evaluate(node, {array.value.get_array()[index], &path, array.scope}, nullptr);
}

bool Evaluation::evaluate_member(const Node& node, const Spot& object,
                                 const JsonObject::value_type& member) {
  const Path path{object.path, view(member.key()), 0, false};
  return evaluate(node, {member.value(), &path, object.scope}, nullptr);
}

bool Evaluation::check_array(const ArrayRules& rules, const Spot& spot, Seen* seen) {
  const std::size_t size = spot.value.get_array().size();
  bool ok = check_size(spot, size, {rules.min_items, rules.max_items}, {"item", "items"});
  if (done(ok)) return false;
  ok = check_items(rules, spot, seen) && ok;
  if (!done(ok) && rules.unique) ok = check_unique(spot) && ok;
  if (!done(ok) && rules.contains != nullptr) ok = check_contains(rules, spot, seen) && ok;
  return ok;
}

bool Evaluation::check_items(const ArrayRules& rules, const Spot& spot, Seen* seen) {
  const std::size_t size = spot.value.get_array().size();
  bool ok = true;
  for (std::size_t i = 0; i < size && !done(ok); ++i) {
    const Node* node = i < rules.prefix.size() ? rules.prefix[i] : rules.items;
    if (node == nullptr) break;
    ok = evaluate_item(*node, spot, i) && ok;
    if (seen != nullptr) (*seen)[i] = true;
  }
  return ok;
}

bool Evaluation::check_contains(const ArrayRules& rules, const Spot& spot, Seen* seen) {
  const std::size_t size = spot.value.get_array().size();
  const std::size_t room = std::exchange(room_, 0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < size && exhausted_.empty(); ++i) {
    if (!evaluate_item(*rules.contains, spot, i)) continue;
    ++count;
    if (seen != nullptr) (*seen)[i] = true;
  }
  room_ = room;
  return check_size(spot, count, {rules.min_contains.value_or(1), rules.max_contains},
                    {"item that matches \"contains\"", "items that match \"contains\""});
}

// Compares only what has the same hash: long arrays must not cost their square.
bool Evaluation::check_unique(const Spot& spot) {
  const JsonArray& items = spot.value.get_array();
  std::vector<std::pair<std::size_t, std::size_t>> hashes;
  std::size_t cost = items.size();
  for (std::size_t i = 0; i < items.size(); ++i) hashes.emplace_back(hash_value(items[i], cost), i);
  if (!spend(cost)) return false;
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 1; i < hashes.size(); ++i) {
    for (std::size_t j = i; j-- > 0 && hashes[j].first == hashes[i].first;) {
      if (same(items[hashes[j].second], items[hashes[i].second])) {
        return fail(spot, [&] {
          return fmt::format("must have no two equal items; {} and {} are equal", hashes[j].second,
                             hashes[i].second);
        });
      }
      if (!exhausted_.empty()) return false;
    }
  }
  return true;
}

bool Evaluation::check_object(const ObjectRules& rules, const Spot& spot, Seen* seen) {
  bool ok = check_required(rules, spot);
  ok = check_size(spot, spot.value.get_object().size(),
                  {rules.min_properties, rules.max_properties}, {"property", "properties"}) &&
       ok;
  if (!done(ok)) ok = check_properties(rules, spot, seen) && ok;
  if (!done(ok) && rules.names != nullptr) ok = check_names(*rules.names, spot) && ok;
  if (!done(ok)) ok = check_dependent_schemas(rules, spot, seen) && ok;
  return ok;
}

bool Evaluation::check_required(const ObjectRules& rules, const Spot& spot) {
  const JsonObject& object = spot.value.get_object();
  bool ok = spend(rules.required.size());
  for (const std::string& name : rules.required) {
    if (!object.contains(name))
      ok = fail(spot, [&] { return fmt::format("must have the property \"{}\"", name); });
  }
  for (const auto& [present, names] : rules.dependent_required) {
    if (!spend(1 + names.size())) return false;
    if (!object.contains(present)) continue;
    for (const std::string& name : names) {
      if (object.contains(name)) continue;
      ok = fail(spot, [&] {
        return fmt::format("must have the property \"{}\", because it has \"{}\"", name, present);
      });
    }
  }
  return ok;
}

bool Evaluation::check_properties(const ObjectRules& rules, const Spot& spot, Seen* seen) {
  const JsonObject& object = spot.value.get_object();
  Seen matched(object.size());
  if (!spend(rules.properties.size() + matched.size() / 64)) return false;
  bool ok = true;
  for (const auto& [name, node] : rules.properties) {
    const auto* member = object.find(name);
    if (member == object.end()) continue;
    matched[static_cast<std::size_t>(member - object.begin())] = true;
    ok = evaluate_member(*node, spot, *member) && ok;
    if (done(ok)) return false;
  }
  ok = check_patterns(rules, spot, matched) && ok;
  if (rules.additional != nullptr && !done(ok)) {
    ok = check_additional(rules, spot, matched) && ok;
    matched.assign(matched.size(), true);
  }
  if (seen != nullptr) merge(*seen, matched);
  return ok;
}

bool Evaluation::check_patterns(const ObjectRules& rules, const Spot& spot, Seen& matched) {
  bool ok = true;
  for (const auto& [pattern, node] : rules.patterns) {
    std::size_t index = 0;
    for (const auto& member : spot.value.get_object()) {
      const std::size_t at = index++;
      if (!spend(pattern->cost(member.key().size()))) return false;
      if (!pattern->found_in(view(member.key()))) continue;
      matched[at] = true;
      ok = evaluate_member(*node, spot, member) && ok;
      if (done(ok)) return false;
    }
  }
  return ok;
}

bool Evaluation::check_additional(const ObjectRules& rules, const Spot& spot, const Seen& matched) {
  bool ok = true;
  std::size_t index = 0;
  for (const auto& member : spot.value.get_object()) {
    if (matched[index++]) continue;
    if (rules.additional->always == false) {
      const Path path{spot.path, view(member.key()), 0, false};
      const auto name = [](const Named& named) { return shorten(named.first, kShownBytes); };
      ok = fail({member.value(), &path, spot.scope}, [&] {
        return rules.properties.empty()
                   ? std::string("is not a known property")
                   : "is not a known property; known: " + listed(rules.properties, name);
      });
    } else {
      ok = evaluate_member(*rules.additional, spot, member) && ok;
    }
    if (done(ok)) return false;
  }
  return ok;
}

bool Evaluation::check_names(const Node& names, const Spot& spot) {
  bool ok = true;
  for (const auto& member : spot.value.get_object()) {
    const Json name(member.key());
    if (holds(names, {name, spot.path, spot.scope}, nullptr)) continue;
    ok = fail(spot, [&] {
      return fmt::format("the name \"{}\" is wrong: {}", shorten(view(member.key()), kShownBytes),
                         explain({&names}, {name, spot.path, spot.scope}));
    });
    if (done(ok)) return false;
  }
  return ok;
}

bool Evaluation::check_dependent_schemas(const ObjectRules& rules, const Spot& spot, Seen* seen) {
  bool ok = spend(rules.dependent_schemas.size());
  for (const auto& [name, node] : rules.dependent_schemas) {
    if (!spot.value.get_object().contains(name)) continue;
    ok = evaluate(*node, spot, seen) && ok;
    if (done(ok)) return false;
  }
  return ok;
}

}  // namespace lode::schema
