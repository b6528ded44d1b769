// A template. Input: its text, a NUL, and a JSON object of values.
//
//  - It is filled in or refused with the line, within its limits.
//  - What is wrong with it whatever the values is told before it is filled in.
//  - The names that it uses are names of it.
#include <string>

#include "base/json.h"
#include "fuzz.h"
#include "providers/capability/template_text.h"

namespace lode::fuzz {

void run(std::string_view input) {
  const std::string text(take_until(input, '\0'));
  const auto values = parse_json(input);
  const JsonObject none;
  const JsonObject& given = values && values->is_object() ? values->get_object() : none;
  std::vector<Variable> variables;
  for (const auto& used : names_used(text)) {
    check(text.find(used.name) != std::string::npos, "a name that is used stands in the text");
    variables.push_back({used.name, "", used.listed ? "array" : "string", std::nullopt, false, {}});
  }
  const TemplateLimits limits;
  const auto problem = problem_in_template(text);
  const auto filled = render_template(text, variables, given, limits);
  if (problem) check(!filled, "what is wrong with every value is refused with these");
  if (filled) check(filled->size() <= limits.output_bytes, "what it makes is bounded");
  if (!filled) check(!filled.error().message.empty(), "a refusal says why");
}

}  // namespace lode::fuzz
