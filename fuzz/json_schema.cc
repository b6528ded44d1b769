// JSON Schema. Input: a schema; on each further line an instance.
//
//  - Any schema compiles or is refused; any instance is judged, within limits.
//  - Every problem points into the instance; a verdict is the same twice.
//  - `not` reverses a verdict, `allOf`, `anyOf` and `oneOf` of one repeat it.
//  - Every instance is its own `const`, and one of its own `enum`.
#include "base/json_schema.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"

namespace lode::fuzz {
namespace {

// Small, so that inputs of this size pass them.
const SchemaLimits kLimits{
    .max_subschemas = 60, .max_steps = 10'000, .max_patterns = 6, .max_pattern_length = 200};
constexpr std::size_t kInstances = 4;
constexpr std::size_t kLongestKeyShown = 100;

bool has_long_key(const Json& value) {
  if (const auto* array = value.if_array()) {
    return std::any_of(array->begin(), array->end(), has_long_key);
  }
  const auto* object = value.if_object();
  return object != nullptr && std::any_of(object->begin(), object->end(), [](const auto& member) {
           return member.key().size() > kLongestKeyShown || has_long_key(member.value());
         });
}

// Nothing if a limit was passed.
std::optional<bool> verdict(const JsonSchema& schema, const Json& instance) {
  const auto problems = schema.validate(instance);
  if (problems.size() == 1 && problems[0].message.starts_with("not checked to the end")) {
    return std::nullopt;
  }
  check(problems.size() <= kLimits.max_problems, "the number of problems is bounded");
  const bool keys_are_whole = !has_long_key(instance);
  for (const auto& problem : problems) {
    check(!problem.message.empty(), "a problem has a message");
    boost::system::error_code error;
    const bool there =
        instance.find_pointer({problem.path.data(), problem.path.size()}, error) != nullptr;
    check(there || !keys_are_whole, "a problem points into the instance");
  }
  return problems.empty();
}

std::optional<bool> verdict(const Json& schema, const Json& instance) {
  const auto compiled = JsonSchema::compile(schema, kLimits);
  return compiled ? verdict(*compiled, instance) : std::nullopt;
}

void check_alike(std::optional<bool> a, std::optional<bool> b, std::string_view claim) {
  check(!a || !b || *a == *b, claim);
}

void check_wrapped(const Json& schema, const Json& instance, std::optional<bool> plain) {
  for (const auto* keyword : {"allOf", "anyOf", "oneOf"}) {
    check_alike(plain, verdict(JsonObject{{keyword, JsonArray{schema}}}, instance),
                "a schema means the same inside another");
  }
  check(!verdict(JsonObject{{"oneOf", JsonArray{schema, schema}}}, instance).value_or(false),
        "a schema and itself are never exactly one");
  auto reversed = verdict(JsonObject{{"not", schema}}, instance);
  if (reversed) reversed = !*reversed;
  check_alike(plain, reversed, "a schema and its opposite disagree");
}

void check_constant(const Json& instance) {
  check(verdict(JsonObject{{"const", instance}}, instance).value_or(true), "a value is its const");
  check(verdict(JsonObject{{"enum", JsonArray{instance}}}, instance).value_or(true),
        "and one of its enum");
}

}  // namespace

void run(std::string_view input) {
  const auto first = take_until(input, '\n');
  const auto schema = parse_json(first);
  if (!schema) return;
  const auto compiled = JsonSchema::compile(*schema, kLimits);
  if (!compiled) {
    const auto& error = compiled.error();
    check(error.code == Code::invalid || error.code == Code::unsupported, "a refusal has its code");
    check(!error.message.empty(), "and says why");
  }
  // References and identifiers mean something else inside another schema.
  const bool movable =
      first.find("\"$") == std::string_view::npos && first.find("\\u") == std::string_view::npos;
  for (std::size_t i = 0; i < kInstances && !input.empty(); ++i) {
    const auto instance = parse_json(take_until(input, '\n'));
    if (!instance) continue;
    check_constant(*instance);
    if (!compiled) continue;
    const auto plain = verdict(*compiled, *instance);
    check(plain == verdict(*compiled, *instance), "a verdict is the same twice");
    if (movable) check_wrapped(*schema, *instance, plain);
  }
}

}  // namespace lode::fuzz
