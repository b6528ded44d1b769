// Edits within lines, as a unified diff that git and patch read. Pure functions on values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

// Some bytes of a text, without line ends, and what is to stand there, without line ends too.
struct LineEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

// REQUIRES, of both: the edits are in order, do not overlap and are within the text.
std::string with_edits(std::string_view text, const std::vector<LineEdit>& edits);
// Hunks with three lines around each edited line; empty: there are no edits.
std::string line_diff(std::string_view path, std::string_view text,
                      const std::vector<LineEdit>& edits);

}  // namespace lode
