// Text for a terminal: how wide it is, and colours where they are wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

// ---- pure functions on values ----

// How many columns a text takes: two of East Asian characters and pictures, none of marks that
// combine. An estimate: terminals differ.
std::size_t text_columns(std::string_view text);
// The beginning that fits, with "…" at its end if something is left out; UTF-8 stays whole.
std::string fit_columns(std::string_view text, std::size_t columns);
// The same, filled up with blanks.
std::string pad_columns(std::string_view text, std::size_t columns);
// In lines of at most so many columns, broken at blanks where there are any; at most so many
// lines, the last with "…" if there is more.
std::vector<std::string> wrap_columns(std::string_view text, std::size_t columns,
                                      std::size_t lines);

enum class Colour : std::uint8_t { none, bold, dim, red, green, yellow, blue };

// ---- the terminal ----

// Standard output, as it was when the program began.
struct Terminal {
  std::size_t columns = 0;  // 0: no limit
  bool coloured = false;

  static Terminal of_stdout();
  std::string paint(Colour colour, std::string_view text) const;
};

}  // namespace lode
