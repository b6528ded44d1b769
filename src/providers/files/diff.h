// One change of a text as a unified diff, as git and patch read it. A pure
// function; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "providers/files/replace.h"

namespace lode {

// One hunk with three lines around it. Bytes that are no UTF-8 are shown as
// U+FFFD. Where it is over so many bytes, whole lines are left out at its end, and
// a last line says so.
std::string unified_diff(std::string_view path, std::string_view text,
                         const Replacement& replacement, std::size_t most);

}  // namespace lode
