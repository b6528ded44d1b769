// A piece of a text: its bytes, and where people look for it.
#pragma once

#include <cstdint>
#include <string_view>

namespace lode {

// Lines and columns begin with 1; a column counts bytes. The end is one past the
// last byte.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;

  bool operator==(const Span&) const = default;
  bool contains(const Span& other) const { return begin <= other.begin && other.end <= end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

}  // namespace lode
