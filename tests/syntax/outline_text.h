// An outline as text, for people to read and tests to compare.
#pragma once

#include <string>

#include "syntax/outline.h"

namespace lode {

// A line for each symbol, import, export and problem. A symbol is
//
//   12-20 method name (private, exported) [scope]: signature  -- comment
//
// two spaces further in than the symbol around it.
std::string outline_text(const Outline& outline);

}  // namespace lode
