#include "base/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace lode {
namespace {

// Strings end with their line: those that do not are refused before.
std::size_t dots_outside_strings(std::string_view text) {
  std::size_t dots = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      quote = 0;
    } else if (quote != 0) {
      if (quote == '"' && c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.') {
      ++dots;
    }
  }
  return dots;
}

}  // namespace

Status check_toml_text(std::string_view text, std::string_view what, const TomlLimits& limits) {
  if (text.size() > limits.bytes) {
    return invalid(fmt::format("the {} is over {} bytes", what, limits.bytes));
  }
  if (!valid_utf8(text)) return invalid(fmt::format("the {} is not UTF-8", what));
  for (const std::string_view quotes : {"\"\"\"", "'''"}) {
    if (text.find(quotes) != std::string_view::npos) {
      return invalid(fmt::format("strings over several lines are not for a {}", what));
    }
  }
  if (dots_outside_strings(text) > limits.dots) {
    return invalid(fmt::format("the {} nests too deep", what));
  }
  return {};
}

}  // namespace lode
