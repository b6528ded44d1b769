#include "base/utf8.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace lode {
namespace {

bool continues(char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) == 0x80U; }

// How many bytes the character at the front has; 0: there is none that is whole and right.
std::size_t character_size(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return size <= text.size() && valid_utf8(text.substr(0, size)) ? size : 0;
}

// REQUIRES: the text is one character.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(character[i]); };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
  return code;
}

bool is_mark_of_direction(char32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_plain(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  return !control && code != 0x2028 && code != 0x2029 && !is_mark_of_direction(code);
}

void append_escape(std::string& out, char32_t code) {
  switch (code) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto number = static_cast<std::uint32_t>(code);
  if (code < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  }
}

// The text with what is not plain as escapes, but for some that are kept.
std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto size = character_size(text);
    const auto character = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(character.size());
    if (size == 0) {
      const auto byte = static_cast<unsigned>(static_cast<std::uint8_t>(character.front()));
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
      continue;
    }
    const auto code = code_point(character);
    if (is_plain(code) || kept.find(character) != kept.npos) {
      out += character;
    } else {
      append_escape(out, code);
    }
  }
  return out;
}

}  // namespace

bool valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

std::string cut_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(first_bytes(text, most)) + "…";
}

std::string visible(std::string_view text) { return escaped(text, ""); }

std::string visible_lines(std::string_view text) { return escaped(text, "\n\t"); }

}  // namespace lode
