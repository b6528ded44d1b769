// An outline as bytes, so that a text that was parsed once need not be parsed again.
//
// What stands in the text is referred to by its place, and all else is written out:
// about 25 bytes a symbol. To be read with the text that the outline is of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/outline.h"

namespace lode {

// Differs whenever one text may have another outline than before: by other grammars,
// other queries, or other code of ours.
std::string_view outline_version();

std::string encode_outline(const Outline& outline);

// REQUIRES: the text outlives the outline. Nothing: the bytes are damaged, or of an
// outline of a longer text.
std::optional<Outline> decode_outline(std::string_view bytes, const Language& language,
                                      std::string_view text);

}  // namespace lode
