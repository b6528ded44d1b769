#include "cli/terminal_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace lode {
namespace {

constexpr std::size_t kFewestColumns = 20;
constexpr std::size_t kMostColumns = 1000;

using Range = std::pair<char32_t, char32_t>;
constexpr std::array<Range, 5> kCombining{Range{0x300, 0x36f}, Range{0x200b, 0x200f},
                                          Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f},
                                          Range{0xfe20, 0xfe2f}};
constexpr std::array<Range, 8> kWide{
    Range{0x1100, 0x115f}, Range{0x2e80, 0xa4cf}, Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
    Range{0xfe30, 0xfe6f}, Range{0xff00, 0xff60}, Range{0x1f300, 0x1faff}, Range{0x20000, 0x3fffd}};

template <std::size_t kCount>
bool is_in(const std::array<Range, kCount>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.second; });
}

// A character of a text, with its bytes. What is no UTF-8 is a character of one byte.
struct Character {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length == 1 || length > text.size()) return {};
  char32_t c = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    c = (c << 6U) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  return {length, is_in(kCombining, c) ? 0U : is_in(kWide, c) ? 2U : 1U};
}

// How many bytes fit.
std::size_t bytes_in(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t taken = 0; at < text.size();) {
    const auto next = first_character(text.substr(at));
    taken += next.columns;
    if (taken > columns) break;
    at += next.bytes;
  }
  return at;
}

std::size_t columns_from_environment() {
  const char* said = std::getenv("COLUMNS");
  const auto number = said == nullptr ? 0 : std::strtoul(said, nullptr, 10);
  return number == 0 ? 0 : std::clamp<std::size_t>(number, kFewestColumns, kMostColumns);
}

bool wants_colours() {
  const char* none = std::getenv("NO_COLOR");
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view(kind) == "dumb";
  return !dumb && (none == nullptr || *none == '\0');
}

}  // namespace

std::size_t text_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto next = first_character(text);
    columns += next.columns;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string fit_columns(std::string_view text, std::size_t columns) {
  if (text_columns(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  return std::string(text.substr(0, bytes_in(text, columns - 1))) + "\u2026";
}

std::string pad_columns(std::string_view text, std::size_t columns) {
  auto out = fit_columns(text, columns);
  const auto taken = text_columns(out);
  return out.append(columns - std::min(taken, columns), ' ');
}

std::vector<std::string> wrap_columns(std::string_view text, std::size_t columns,
                                      std::size_t lines) {
  std::vector<std::string> out;
  while (!text.empty() && out.size() < lines) {
    if (text_columns(text) <= columns || out.size() + 1 == lines) {
      out.push_back(fit_columns(text, columns));
      break;
    }
    const auto most = std::max<std::size_t>(bytes_in(text, columns), 1);
    const auto blank = text.rfind(' ', most);
    const auto end = blank == std::string_view::npos || blank == 0 ? most : blank;
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return out;
}

Terminal Terminal::of_stdout() {
  Terminal out;
  out.columns = columns_from_environment();
  if (::isatty(STDOUT_FILENO) == 0) return out;
  out.coloured = wants_colours();
  struct winsize size {};
  if (out.columns == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    out.columns = std::max<std::size_t>(size.ws_col, kFewestColumns);
  }
  constexpr std::size_t kUsual = 80;
  if (out.columns == 0) out.columns = kUsual;
  return out;
}

std::string Terminal::paint(Colour colour, std::string_view text) const {
  constexpr std::array<std::string_view, 7> kCodes{"", "1", "2", "31", "32", "33", "34"};
  if (!coloured || colour == Colour::none) return std::string(text);
  std::string out = "\033[";
  out.append(kCodes[static_cast<std::size_t>(colour)]).append("m").append(text);
  return out.append("\033[0m");
}

}  // namespace lode
