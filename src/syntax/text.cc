#include "syntax/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace lode {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool says_something(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// The number of the first line that is not UTF-8. REQUIRES: one is not.
std::size_t wrong_line(std::string_view bytes) {
  for (std::size_t number = 1;; ++number) {
    if (!valid_utf8(take_line(bytes)) || bytes.empty()) return number;
  }
}

// Zero: no number.
std::uint32_t line_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

// Cuts what opens a comment or a string, with the letters before a docstring's
// quotes, off the front.
std::string_view without_opening(std::string_view line) {
  const auto quote = line.find_first_of("\"'");
  if (quote <= 2 && std::ranges::all_of(line.substr(0, quote), says_something)) {
    line.remove_prefix(quote);
  }
  if (const auto mark = line.find("<!--"); mark != line.npos) line.remove_prefix(mark + 4);
  const auto begin = line.find_first_not_of(" \t\r/*#!-;\"'");
  return line.substr(std::min(begin, line.size()));
}

std::string_view without_closing(std::string_view line) {
  for (const std::string_view mark : {"*/", "-->", "\"\"\"", "'''", "]]", "\""}) {
    if (const auto at = line.find(mark); at != line.npos) line = line.substr(0, at);
  }
  return line;
}

// Comments of some languages are XML: "<summary>A thing.</summary>".
std::string without_tags(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const auto open = std::min(line.find('<'), line.size());
    text += line.substr(0, open);
    line.remove_prefix(open);
    const auto close = line.find('>');
    const bool is_tag = close != line.npos && line.size() > 1 &&
                        (line[1] == '/' || (line[1] >= 'a' && line[1] <= 'z'));
    const auto taken = is_tag ? close + 1 : std::min<std::size_t>(1, line.size());
    if (!is_tag) text += line.substr(0, taken);
    line.remove_prefix(taken);
  }
  return text;
}

}  // namespace

Status check_text(std::string_view bytes) {
  if (bytes.find('\0') != bytes.npos) {
    return Error{Code::unsupported, "a binary file: it has a NUL byte", {}};
  }
  if (valid_utf8(bytes)) return {};
  return Error{Code::unsupported, fmt::format("not UTF-8 text: line {}", wrong_line(bytes)), {}};
}

Result<std::string_view> lines_of(std::string_view text, std::string_view range) {
  const auto dash = range.find('-');
  const auto first_text = range.substr(0, dash);
  const auto last_text = dash == range.npos ? first_text : range.substr(dash + 1);
  const auto first = first_text.empty() ? 1 : line_number(first_text);
  const auto last = last_text.empty() ? UINT32_MAX : line_number(last_text);
  if (range.size() < 2 - (dash == range.npos ? 1 : 0) || first == 0 || last < first) {
    return invalid(fmt::format("lines: \"{}\" is no range like 10-40", range));
  }
  auto rest = text;
  for (std::uint32_t line = 1; line < first && !rest.empty(); ++line) take_line(rest);
  if (rest.empty()) {
    return not_found(fmt::format("lines: the file has {} lines", count_lines(text)));
  }
  const auto* begin = rest.data();
  for (std::uint32_t line = first; line <= last && !rest.empty(); ++line) take_line(rest);
  return std::string_view(begin, static_cast<std::size_t>(rest.data() - begin));
}

std::uint32_t count_lines(std::string_view text) {
  const auto ends = std::ranges::count(text, '\n');
  return static_cast<std::uint32_t>(ends + (text.empty() || text.back() == '\n' ? 0 : 1));
}

std::string_view line_around(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const auto begin = before == text.npos ? 0 : before + 1;
  auto line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  bool space = false;
  for (const char c : text) {
    if (is_space(c)) {
      space = !line.empty();
      continue;
    }
    if (space) line += ' ';
    space = false;
    line += c;
  }
  return line;
}

std::string first_line_of_doc(std::string_view comment) {
  while (!comment.empty()) {
    const auto line = without_tags(without_closing(without_opening(take_line(comment))));
    if (std::ranges::any_of(line, says_something)) return on_one_line(line);
  }
  return {};
}

}  // namespace lode
