// What a TOML text must satisfy before a parser may see it.
//
// The parser that we use bounds nested values but not dotted keys, and frees
// what it made by recursion: a hostile file would end the program. So dots
// outside strings are counted, and strings over several lines, which would make
// counting hard, are refused.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace lode {

struct TomlLimits {
  std::size_t bytes = 0;
  std::size_t dots = 0;  // outside strings, in the whole text
};

// what: a word for the text, for the error: "policy".
Status check_toml_text(std::string_view text, std::string_view what, const TomlLimits& limits);

}  // namespace lode
