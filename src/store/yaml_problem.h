// What is wrong with a YAML text, in words for those who wrote it.
#pragma once

#include <string_view>

#include "base/result.h"

namespace lode {

// Code::invalid, "line 7: what".
Error yaml_error(std::size_t line, std::string_view what);

// What the library says, for those who do not know its terms; as it is, if we
// have no better words.
std::string_view in_words(std::string_view problem);

}  // namespace lode
