#include "base/json_schema.h"

#include <utility>

#include "base/json_schema_program.h"

namespace lode {

std::string SchemaProblem::text() const { return path.empty() ? message : path + ": " + message; }

JsonSchema::JsonSchema(std::shared_ptr<const schema::Program> program)
    : program_(std::move(program)) {}

Result<JsonSchema> JsonSchema::compile(const Json& schema, const SchemaLimits& limits) {
  auto program = schema::compile(schema, limits);
  if (!program) return std::move(program).error();
  return JsonSchema(std::move(*program));
}

std::vector<SchemaProblem> JsonSchema::validate(const Json& instance) const {
  return schema::evaluate(*program_, instance);
}

}  // namespace lode
