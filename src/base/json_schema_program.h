// The compiled form of a JSON Schema: what json_schema_compile.cc makes and
// json_schema_evaluate.cc runs. Internal to JsonSchema.
//
// A Program is a graph: one Node a subschema, pointing at others in the same
// program, in cycles where the schema is recursive. Nothing in it changes after
// compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/json_schema.h"
#include "base/json_schema_pattern.h"

namespace lode::schema {

struct Node;

// One bit a type; an integer is a number too.
enum Type : std::uint8_t {
  kNull = 1,
  kBoolean = 2,
  kObject = 4,
  kArray = 8,
  kNumber = 16,
  kString = 32,
  kInteger = 64,
};

using Named = std::pair<std::string, const Node*>;
using Nodes = std::vector<const Node*>;

struct NumberRules {
  std::optional<Json> minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct StringRules {
  std::optional<std::size_t> min_length, max_length;
  const Pattern* pattern = nullptr;
};

struct ArrayRules {
  Nodes prefix;
  const Node* items = nullptr;  // for those after the prefix
  const Node* contains = nullptr;
  std::optional<std::size_t> min_items, max_items, min_contains, max_contains;
  bool unique = false;
};

struct ObjectRules {
  std::vector<Named> properties;
  std::vector<std::pair<const Pattern*, const Node*>> patterns;
  const Node* additional = nullptr;
  const Node* names = nullptr;
  std::optional<std::size_t> min_properties, max_properties;
  std::vector<std::string> required;
  std::vector<std::pair<std::string, std::vector<std::string>>> dependent_required;
  std::vector<Named> dependent_schemas;
};

// A schema with its own URI: the root, and every subschema with an $id.
struct Resource {
  std::string uri;
  bool draft7 = false;
  std::map<std::string, const Node*, std::less<>> dynamic_anchors;
};

// A subschema. What a schema does not say is absent.
struct Node {
  const Resource* resource = nullptr;
  std::optional<bool> always;  // the schemas true and false
  std::uint8_t types = 0;      // of Type; 0: any
  std::optional<Json> constant;
  std::optional<std::vector<Json>> choices;  // enum

  std::unique_ptr<NumberRules> number;
  std::unique_ptr<StringRules> string;
  std::unique_ptr<ArrayRules> array;
  std::unique_ptr<ObjectRules> object;

  const Node* ref = nullptr;
  const Node* dynamic_ref = nullptr;  // where no outer resource overrides it
  std::string dynamic_name;           // empty: dynamic_ref is as good as ref
  Nodes all_of, any_of, one_of;
  const Node* negated = nullptr;
  const Node* condition = nullptr;  // if
  const Node* consequence = nullptr;
  const Node* alternative = nullptr;
  const Node* unevaluated_items = nullptr;
  const Node* unevaluated_properties = nullptr;
};

struct Program {
  SchemaLimits limits;
  const Node* root = nullptr;
  std::deque<Node> nodes;
  std::deque<Resource> resources;
  std::map<std::string, Pattern, std::less<>> patterns;
};

Result<std::shared_ptr<const Program>> compile(const Json& schema, const SchemaLimits& limits);

std::vector<SchemaProblem> evaluate(const Program& program, const Json& instance);

}  // namespace lode::schema
