// JSON Schema 2020-12 (and draft-07, which many clients still send): checks the
// arguments of tools, and what tools answer, against the schema they declare.
//
//   auto schema = JsonSchema::compile(text);
//   for (const auto& problem : schema->validate(arguments)) …problem.text()…
//
// All keywords of the core, applicator, unevaluated and validation vocabularies
// are honoured; `format`, content and meta-data are annotations and change no
// verdict; unknown keywords are ignored. Patterns are ECMA-262 as far as
// json_schema_pattern.h says.
//
// A schema is one document. References stay inside it, by JSON pointer, anchor
// or $id; nothing is ever fetched. Both a schema and an instance may be hostile:
// every cost has a limit, and past a limit an instance is never valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace lode {

namespace schema {
struct Program;
}

struct SchemaLimits {
  std::size_t max_subschemas = 10'000;
  // Schemas being evaluated inside one another, through references too. The
  // stack holds one frame for each.
  std::size_t max_depth = 512;
  // Schemas applied, members, items and values compared, in one validation.
  std::size_t max_steps = 1'000'000;
  std::size_t max_patterns = 100;  // different ones
  std::size_t max_pattern_length = 4096;
  std::int64_t max_pattern_memory = std::int64_t{4} << 20U;  // bytes, for each
  std::size_t max_pattern_size = 500'000;                    // instructions, of all together
  std::size_t max_problems = 10;                             // reported by one validation
};

// One thing that is wrong with an instance.
struct SchemaProblem {
  std::string path;     // JSON pointer into the instance; empty: the whole
  std::string message;  // "must be an integer, is a string"

  // "/age: must be an integer, is a string"; without the path if it is empty.
  std::string text() const;
};

// A compiled schema. Immutable; any thread may validate; copies are cheap and
// share. Keeps no reference to the Json it was made from.
class JsonSchema {
 public:
  // Error: Code::invalid if the schema is wrong (the message begins with the
  // place, "#/properties/age/minLength: must be …") or a reference leads
  // nowhere; Code::unsupported for another dialect, for a pattern beyond us and
  // past a limit.
  static Result<JsonSchema> compile(const Json& schema, const SchemaLimits& limits = {});

  // Empty if the instance is valid. Otherwise the problems in the order in which
  // they were found, at most limits.max_problems and at least one.
  std::vector<SchemaProblem> validate(const Json& instance) const;

 private:
  explicit JsonSchema(std::shared_ptr<const schema::Program> program);

  std::shared_ptr<const schema::Program> program_;
};

}  // namespace lode
