// Compares JsonSchema with the verdicts of ajv.
//
//   lode_schema_agreement [pairs.jsonl]      (or on standard input)
//
// A line is {"schema": …, "instance": …, "valid": bool}, as generate.mjs writes
// it. Prints every disagreement and "N passed, M failed"; exits with 1 if there
// is one, or if there are too few pairs to mean anything.
#include <cstddef>
#include <fstream>
#include <iostream>
#include <string>

#include "base/json.h"
#include "base/json_schema.h"

namespace lode {
namespace {

constexpr std::size_t kFewestPairs = 5000;

// Empty if we agree; otherwise what we say.
std::string disagreement(const Json& schema, const Json& instance, bool valid) {
  auto compiled = JsonSchema::compile(schema);
  if (!compiled) return "refused the schema: " + compiled.error().message;
  const auto problems = compiled->validate(instance);
  if (problems.empty() == valid) return {};
  return problems.empty() ? "valid" : "invalid: " + problems[0].text();
}

// Prints why a line fails; true if it passes.
bool passes(const std::string& line) {
  auto pair = parse_json(line);
  const auto* object = pair ? pair->if_object() : nullptr;
  const Json* schema = object == nullptr ? nullptr : object->if_contains("schema");
  const Json* instance = object == nullptr ? nullptr : object->if_contains("instance");
  const Json* valid = object == nullptr ? nullptr : object->if_contains("valid");
  if (schema == nullptr || instance == nullptr || valid == nullptr || !valid->is_bool()) {
    std::cout << "not a pair: " << line << "\n";
    return false;
  }
  const std::string ours = disagreement(*schema, *instance, valid->get_bool());
  if (ours.empty()) return true;
  std::cout << "schema:   " << to_text(*schema) << "\ninstance: " << to_text(*instance)
            << "\najv:      " << (valid->get_bool() ? "valid" : "invalid") << "\nours:     " << ours
            << "\n\n";
  return false;
}

int run(std::istream& lines) {
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (std::string line; std::getline(lines, line);) ++(passes(line) ? passed : failed);
  std::cout << passed << " passed, " << failed << " failed\n";
  if (passed + failed < kFewestPairs) {
    std::cout << "too few pairs: at least " << kFewestPairs << " are needed\n";
    return 1;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lode

int main(int argc, char** argv) {
  if (argc < 2) return lode::run(std::cin);
  std::ifstream file(argv[1]);
  if (!file) {
    std::cout << "cannot read " << argv[1] << "\n";
    return 1;
  }
  return lode::run(file);
}
