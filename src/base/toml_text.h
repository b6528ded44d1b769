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

// For the error.
struct TomlName {
  std::string_view file;  // "policy.toml"
  std::string_view what;  // "policy"
};

// The error names the file and the line: "policy.toml:4: the policy is not UTF-8".
Status check_toml_text(std::string_view text, const TomlName& name, const TomlLimits& limits);

}  // namespace lode
