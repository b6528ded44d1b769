#include "base/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace lode {
namespace {

// The line that holds the offset, counted from 1.
std::ptrdiff_t line_at(std::string_view text, std::size_t offset) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

// The beginning of the first line that is not UTF-8: no character spans lines.
std::size_t find_not_utf8(std::string_view text) {
  if (valid_utf8(text)) return std::string_view::npos;
  for (std::size_t begin = 0;;) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (!valid_utf8(text.substr(begin, end - begin))) return begin;
    begin = end + 1;
  }
}

// The first dot that is one too many. Strings end with their line: those that
// do not are refused before.
std::size_t find_dot_beyond(std::string_view text, std::size_t limit) {
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
    } else if (c == '.' && limit-- == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Status check_toml_text(std::string_view text, const TomlName& name, const TomlLimits& limits) {
  if (text.size() > limits.bytes) {
    return invalid(fmt::format("{}: the {} is over {} bytes", name.file, name.what, limits.bytes));
  }
  const auto wrong = [&](std::size_t offset, std::string_view message) {
    return invalid(fmt::format("{}:{}: {}", name.file, line_at(text, offset), message));
  };
  if (const auto at = find_not_utf8(text); at != std::string_view::npos) {
    return wrong(at, fmt::format("the {} is not UTF-8", name.what));
  }
  if (const auto at = std::min(text.find("\"\"\""), text.find("'''"));
      at != std::string_view::npos) {
    return wrong(at, fmt::format("strings over several lines are not for a {}", name.what));
  }
  if (const auto at = find_dot_beyond(text, limits.dots); at != std::string_view::npos) {
    return wrong(at, fmt::format("the {} nests too deep", name.what));
  }
  return {};
}

}  // namespace lode
