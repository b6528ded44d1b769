// One validation of one instance, as it runs. Internal to JsonSchema.
//
// Design. evaluate() applies one Node to one value and recurses. Two things are
// carried along:
//
// - Where the value stands (Spot): its path, kept as a chain of stack frames and
//   written out only for a problem, and the resources entered on the way, which
//   $dynamicRef looks through.
// - Which members or items of the value have been evaluated (Seen), asked for
//   only below an unevaluatedProperties or unevaluatedItems.
//
// 1. While problems are collected evaluation goes on after a failure; otherwise
//    it ends at the first. Schemas that may fail without harm (anyOf, not, if …)
//    are tried without collecting.
// 2. What a failed schema has seen is not seen: a schema that may fail without
//    harm marks a Seen of its own, merged only if it succeeds.
// 3. Past a limit `exhausted_` is set, everything fails at once, and the verdict
//    is that limit, whatever a `not` above has made of the failure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_schema_message.h"
#include "base/json_schema_program.h"

namespace lode::schema {

struct Scope {
  const Scope* outer = nullptr;
  const Resource* resource = nullptr;
};

struct Spot {
  const Json& value;
  const Path* path = nullptr;  // null: the whole instance
  const Scope* scope = nullptr;
};

// One mark for each item of an array or member of an object.
using Seen = std::vector<bool>;

void merge(Seen& into, const Seen& from);

struct Bounds {
  std::optional<std::size_t> least, most;
};

// What is counted, in the singular and the plural.
struct Unit {
  std::string_view one, many;
};

class Evaluation {
 public:
  Evaluation(const SchemaLimits& limits, std::vector<SchemaProblem>& problems)
      : limits_(limits), problems_(&problems), room_(limits.max_problems) {}

  bool evaluate(const Node& node, const Spot& outer, Seen* seen);
  const std::string& exhausted() const { return exhausted_; }

 private:
  bool apply(const Node& node, const Spot& spot, Seen* seen);
  bool check_value(const Node& node, const Spot& spot);
  bool check_rules(const Node& node, const Spot& spot, Seen* seen);
  bool check_number(const NumberRules& rules, const Spot& spot);
  bool check_string(const StringRules& rules, const Spot& spot);
  bool check_size(const Spot& spot, std::size_t size, const Bounds& bounds, const Unit& unit);

  bool check_array(const ArrayRules& rules, const Spot& spot, Seen* seen);
  bool check_items(const ArrayRules& rules, const Spot& spot, Seen* seen);
  bool check_contains(const ArrayRules& rules, const Spot& spot, Seen* seen);
  bool check_unique(const Spot& spot);

  bool check_object(const ObjectRules& rules, const Spot& spot, Seen* seen);
  bool check_required(const ObjectRules& rules, const Spot& spot);
  bool check_properties(const ObjectRules& rules, const Spot& spot, Seen* seen);
  bool check_patterns(const ObjectRules& rules, const Spot& spot, Seen& matched);
  bool check_additional(const ObjectRules& rules, const Spot& spot, const Seen& matched);
  bool check_names(const Node& names, const Spot& spot);
  bool check_dependent_schemas(const ObjectRules& rules, const Spot& spot, Seen* seen);

  bool check_references(const Node& node, const Spot& spot, Seen* seen);
  bool check_in_place(const Node& node, const Spot& spot, Seen* seen);
  bool check_any_of(const Nodes& branches, const Spot& spot, Seen* seen);
  bool check_one_of(const Nodes& branches, const Spot& spot, Seen* seen);
  bool check_condition(const Node& node, const Spot& spot, Seen* seen);
  bool check_unevaluated(const Node& node, const Spot& spot, Seen& seen);

  bool evaluate_item(const Node& node, const Spot& array, std::size_t index);
  bool evaluate_member(const Node& node, const Spot& object, const JsonObject::value_type& member);
  // Evaluates without reporting.
  bool holds(const Node& node, const Spot& spot, Seen* seen);
  std::string explain(const Nodes& branches, const Spot& spot);
  bool same(const Json& a, const Json& b);

  bool spend(std::size_t steps);
  // Reports a problem if problems are collected; its message is made only then.
  template <class MakeMessage>
  bool fail(const Spot& spot, MakeMessage message);
  bool collecting() const { return room_ > 0; }
  // Whether there is no use in going on.
  bool done(bool ok) const { return !exhausted_.empty() || (!ok && !collecting()); }

  const SchemaLimits& limits_;
  std::vector<SchemaProblem>* problems_;
  std::size_t room_;  // for further problems; 0: not collecting
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
  std::string exhausted_;
};

template <class MakeMessage>
bool Evaluation::fail(const Spot& spot, MakeMessage message) {
  if (!collecting()) return false;
  std::string text = message();
  if (!exhausted_.empty()) return false;
  problems_->push_back({path_text(spot.path), std::move(text)});
  --room_;
  return false;
}

}  // namespace lode::schema
