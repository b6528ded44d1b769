// Replaces one place of a text. Pure functions on values; any thread.
//
// Exact: the bytes of `old`, once. The new text goes in as it is given.
//
// Flexible: white space (blanks, tabs, line ends) of `old` stands for any white
// space, at least one character for at least one; at either end of `old` also
// for none. What is replaced has as many lines as `old` names: the blanks and
// line ends around its words belong to it only if `old` has some there. The new
// text gets the line ends of the text, and does not give a text a last line end
// that had none.
//
// Design of the flexible search. Both texts are squeezed, every run of white
// space to one blank; then it is a search for bytes, in linear time. Only what
// was found is traced back to the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

enum class Whitespace : std::uint8_t { exact, flexible };

struct Replacement {
  std::size_t begin = 0;  // of the text
  std::size_t end = 0;
  std::string fresh;  // what is there instead
};

// Code::invalid: there is nothing to look for, or it is to stay as it is.
// Code::not_found says what is near. Code::conflict: it is there several times
// (places that overlap count); the lines are named.
Result<Replacement> find_replacement(std::string_view text, std::string_view old,
                                     std::string_view fresh, Whitespace whitespace);

// The new text.
std::string replaced(std::string_view text, const Replacement& replacement);

}  // namespace lode
