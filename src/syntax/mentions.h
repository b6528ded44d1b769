// Where a name stands in a text as a name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/parser.h"
#include "syntax/span.h"

namespace lode {

// The bytes at which the name begins as a word of its own, in a comment or not.
std::vector<std::uint32_t> places_of(std::string_view text, std::string_view name);

// Those of the places at which the tree has the name as one token: not a part of a
// comment or of a quoted text.
std::vector<Span> mentions_at(const Tree& tree, const std::vector<std::uint32_t>& places,
                              std::uint32_t length);

}  // namespace lode
