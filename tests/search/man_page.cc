#include "man_page.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lode {
namespace {

// Macros whose arguments are text. Those of the second kind alternate between
// two fonts, with nothing in between.
constexpr auto kTextMacros = std::to_array<std::string_view>({"B", "I", "SM", "SB", "SH", "SS"});
constexpr auto kFontMacros =
    std::to_array<std::string_view>({"BI", "BR", "IB", "IR", "RB", "RI", "MR"});

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// How long the escape sequence is that follows a backslash, and what it prints.
struct Escape {
  std::size_t size = 1;
  std::string_view prints = {};
};

std::size_t named(std::string_view rest) {
  if (rest.starts_with("(")) return std::min<std::size_t>(3, rest.size());
  if (rest.starts_with("[")) return std::min(rest.find(']'), rest.size() - 1) + 1;
  return std::min<std::size_t>(1, rest.size());
}

Escape escape(std::string_view rest) {
  if (rest.empty()) return {0};
  switch (rest[0]) {
    case '-': return {1, "-"};
    case 'e': return {1, "\\"};
    case ' ':
    case '~':
    case '0': return {1, " "};
    case '"': return {rest.size()};
    case 'f':
    case '*':
    case 'n': return {1 + named(rest.substr(1))};
    case 's':
      return {rest.find_first_not_of("+-0123456789", 1) == std::string_view::npos
                  ? rest.size()
                  : rest.find_first_not_of("+-0123456789", 1)};
    case '(':
    case '[': {
      const std::size_t size = named(rest);
      if (rest.starts_with("(aq") || rest.starts_with("[aq]")) return {size, "'"};
      if (rest.starts_with("(dq") || rest.starts_with("[dq]")) return {size, "\""};
      return {size, " "};
    }
    default: return {1};
  }
}

std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      out += line[i];
      continue;
    }
    const Escape found = escape(line.substr(i + 1));
    out += found.prints;
    i += found.size;
  }
  return out;
}

std::vector<std::string_view> arguments(std::string_view rest) {
  std::vector<std::string_view> found;
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) return found;
    const bool quoted = rest.front() == '"';
    if (quoted) rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find(quoted ? '"' : ' '), rest.size());
    found.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// What a line prints; a macro's own name does not.
std::string printed(std::string_view line) {
  if (!line.starts_with(".") && !line.starts_with("'")) return plain(line);
  line.remove_prefix(1);
  const auto name = line.substr(0, line.find(' '));
  const bool fonts = has(kFontMacros, name);
  if (!fonts && !has(kTextMacros, name)) return {};
  std::string out;
  for (const auto argument : arguments(line.substr(name.size()))) {
    out += plain(argument);
    if (!fonts) out += ' ';
  }
  return out;
}

}  // namespace

ManPage parse_man_page(std::string_view source) {
  ManPage page;
  bool in_name = false;
  while (!source.empty()) {
    const auto line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(line.size() + 1, source.size()));
    const bool heading = line.starts_with(".SH");
    if (heading) in_name = line == ".SH NAME" || line == ".SH \"NAME\"";
    if (heading && in_name) continue;
    const std::string text = printed(line);
    if (text.empty()) continue;
    (in_name ? page.name : page.text) += text + (in_name ? ' ' : '\n');
  }
  return page;
}

}  // namespace lode
