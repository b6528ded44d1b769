#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json_schema_evaluation.h"
#include "base/json_schema_value.h"

namespace lode::schema {
namespace {

constexpr std::size_t kShownBranches = 4;  // of an anyOf, in its explanation

std::size_t size_of(const Json& value) {
  if (const auto* array = value.if_array()) return array->size();
  const auto* object = value.if_object();
  return object == nullptr ? 0 : object->size();
}

}  // namespace

void merge(Seen& into, const Seen& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = into[i] || from[i];
}

bool Evaluation::spend(std::size_t steps) {
  steps_ += steps;
  if (steps_ > limits_.max_steps && exhausted_.empty()) {
    exhausted_ = fmt::format("not checked to the end: more than {} steps", limits_.max_steps);
  }
  return exhausted_.empty();
}

bool Evaluation::same(const Json& a, const Json& b) {
  std::size_t cost = 0;
  const bool equal = same_value(a, b, cost);
  return spend(cost) && equal;
}

bool Evaluation::evaluate(const Node& node, const Spot& outer, Seen* seen) {
  if (!spend(1)) return false;
  if (depth_ >= limits_.max_depth) {
    exhausted_ = fmt::format(
        "not checked to the end: schemas nested deeper than {} (does a $ref lead to itself?)",
        limits_.max_depth);
    return false;
  }
  ++depth_;
  const Scope entered{outer.scope, node.resource};
  const bool stays = outer.scope != nullptr && outer.scope->resource == node.resource;
  const bool ok = apply(node, {outer.value, outer.path, stays ? outer.scope : &entered}, seen);
  --depth_;
  return ok;
}

bool Evaluation::apply(const Node& node, const Spot& spot, Seen* seen) {
  if (node.always) return *node.always || fail(spot, [] { return std::string("is not allowed"); });
  if (!check_value(node, spot)) return false;
  const bool unevaluated =
      node.unevaluated_items != nullptr || node.unevaluated_properties != nullptr;
  if (!unevaluated) {
    const bool ok = check_rules(node, spot, seen);
    return !done(ok) && check_in_place(node, spot, seen) && ok;
  }
  Seen own(size_of(spot.value));
  if (!spend(own.size() / 64)) return false;
  bool ok = check_rules(node, spot, &own);
  ok = !done(ok) && check_in_place(node, spot, &own) && ok;
  ok = ok && check_unevaluated(node, spot, own);
  if (ok && seen != nullptr) merge(*seen, own);
  return ok;
}

bool Evaluation::holds(const Node& node, const Spot& spot, Seen* seen) {
  const std::size_t room = std::exchange(room_, 0);
  bool ok = false;
  if (seen == nullptr) {
    ok = evaluate(node, spot, nullptr);
  } else {
    Seen own(seen->size());
    ok = spend(own.size() / 64) && evaluate(node, spot, &own);
    if (ok) merge(*seen, own);
  }
  room_ = room;
  return ok;
}

bool Evaluation::check_references(const Node& node, const Spot& spot, Seen* seen) {
  bool ok = node.ref == nullptr || evaluate(*node.ref, spot, seen);
  if (node.dynamic_ref == nullptr || done(ok)) return ok;
  const Node* target = node.dynamic_ref;
  for (const Scope* scope = spot.scope; scope != nullptr && !node.dynamic_name.empty();
       scope = scope->outer) {
    const auto found = scope->resource->dynamic_anchors.find(node.dynamic_name);
    if (found != scope->resource->dynamic_anchors.end()) target = found->second;
  }
  return evaluate(*target, spot, seen) && ok;
}

bool Evaluation::check_in_place(const Node& node, const Spot& spot, Seen* seen) {
  bool ok = check_references(node, spot, seen);
  for (const Node* branch : node.all_of) {
    if (done(ok)) return false;
    ok = evaluate(*branch, spot, seen) && ok;
  }
  if (!done(ok) && !node.any_of.empty()) ok = check_any_of(node.any_of, spot, seen) && ok;
  if (!done(ok) && !node.one_of.empty()) ok = check_one_of(node.one_of, spot, seen) && ok;
  if (!done(ok) && node.condition != nullptr) ok = check_condition(node, spot, seen) && ok;
  if (!done(ok) && node.negated != nullptr && holds(*node.negated, spot, nullptr)) {
    ok = fail(spot, [] { return std::string("must not match the schema of \"not\""); });
  }
  return ok;
}

// With annotations wanted, every branch counts, not only the first that holds.
bool Evaluation::check_any_of(const Nodes& branches, const Spot& spot, Seen* seen) {
  bool any = false;
  for (const Node* branch : branches) {
    any = holds(*branch, spot, seen) || any;
    if (!exhausted_.empty()) return false;
    if (any && seen == nullptr) break;
  }
  if (any || !collecting()) return any;
  return fail(spot,
              [&] { return "must match at least one alternative: " + explain(branches, spot); });
}

bool Evaluation::check_one_of(const Nodes& branches, const Spot& spot, Seen* seen) {
  std::vector<std::size_t> matches;
  for (std::size_t i = 0; i < branches.size() && exhausted_.empty(); ++i) {
    if (holds(*branches[i], spot, seen)) matches.push_back(i + 1);
    if (matches.size() > 1) break;
  }
  if (matches.size() == 1 || !collecting()) return matches.size() == 1;
  if (matches.empty()) {
    return fail(spot,
                [&] { return "must match exactly one alternative: " + explain(branches, spot); });
  }
  return fail(spot, [&] {
    return fmt::format("must match exactly one of {} alternatives, matches {} and {}",
                       branches.size(), matches[0], matches[1]);
  });
}

bool Evaluation::check_condition(const Node& node, const Spot& spot, Seen* seen) {
  const bool chosen = holds(*node.condition, spot, seen);
  const Node* next = chosen ? node.consequence : node.alternative;
  return next == nullptr || evaluate(*next, spot, seen);
}

bool Evaluation::check_unevaluated(const Node& node, const Spot& spot, Seen& seen) {
  const auto* array = spot.value.if_array();
  const auto* object = spot.value.if_object();
  const Node* rest = array != nullptr ? node.unevaluated_items : node.unevaluated_properties;
  if (rest == nullptr || (array == nullptr && object == nullptr)) return true;
  bool ok = true;
  for (std::size_t i = 0; i < seen.size() && !done(ok); ++i) {
    if (seen[i]) continue;
    ok = (array != nullptr ? evaluate_item(*rest, spot, i)
                           : evaluate_member(*rest, spot, *(object->begin() + i))) &&
         ok;
    seen[i] = true;
  }
  return ok;
}

// Why each branch fails, in a few words: its first problem.
std::string Evaluation::explain(const Nodes& branches, const Spot& spot) {
  std::vector<SchemaProblem> found;
  auto* const problems = std::exchange(problems_, &found);
  const std::size_t room = room_;
  const std::string here = path_text(spot.path);
  std::string out;
  for (std::size_t i = 0; i < std::min(branches.size(), kShownBranches); ++i) {
    found.clear();
    room_ = 1;
    evaluate(*branches[i], spot, nullptr);
    if (found.empty()) continue;
    const std::string text = found[0].path == here ? found[0].message : found[0].text();
    out += out.empty() ? "" : "; ";
    out += branches.size() == 1 ? text : fmt::format("({}) {}", i + 1, text);
  }
  problems_ = problems;
  room_ = room;
  return shorten(out, 16 * kShownBytes);
}

std::vector<SchemaProblem> evaluate(const Program& program, const Json& instance) {
  std::vector<SchemaProblem> problems;
  Evaluation evaluation(program.limits, problems);
  const bool ok = evaluation.evaluate(*program.root, {instance, nullptr, nullptr}, nullptr);
  if (!evaluation.exhausted().empty()) return {{"", evaluation.exhausted()}};
  if (!ok && problems.empty()) problems.push_back({"", "does not match the schema"});
  return problems;
}

}  // namespace lode::schema
