// What stands in a tag of a template: a name, a literal, or a helper with its
// arguments, which may be helpers themselves.
//
//   user.name   ../name   this   @key      names
//   "text"  'text'  30  true  null         literals, as arguments
//   default tone "kind"                    a helper and its arguments
//   gt (length names) 3                    the same as an argument, in parentheses
//
// Values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace lode {

struct TemplateExpression {
  enum class Kind : std::uint8_t { name, literal, call };

  Kind kind = Kind::name;
  std::string_view text{};  // the name, without "../"; the name of the helper
  std::size_t up = 0;       // how many "../" stand before the name
  Json literal{};
  std::vector<TemplateExpression> arguments{};
};

// What a placeholder says. It points into the text. Code::invalid: it is none of
// this; the message says why, or is empty.
Result<TemplateExpression> parse_expression(std::string_view text);

// The same for what a block is about: one name, or a helper in parentheses.
Result<TemplateExpression> parse_subject(std::string_view text);

// Each name in it.
void each_name(const TemplateExpression& expression,
               const std::function<void(const TemplateExpression&)>& visit);

// "user" of "user.name".
std::string_view first_step(std::string_view name);

// What is no variable anywhere: "this", "@index".
bool is_of_loop(std::string_view first_step);

}  // namespace lode
