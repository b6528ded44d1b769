// What a plain scalar means: YAML 1.2's core schema, and what other readers
// might take it for.
#pragma once

#include <string_view>

#include "store/yaml.h"

namespace lode {

// Sets kind, boolean, integer and number from the text of a plain scalar. An
// integer that does not fit 64 bits is a number.
void resolve_plain(std::string_view text, YamlNode& node);

// A calendar date, alone or with a time behind it: a string to us, a date to
// readers of YAML 1.1.
bool looks_like_date(std::string_view text);

// Something that readers of YAML 1.1 or 1.2 do not take for a string: `no`,
// `1.0`, `0x1f`, `12:30`, a date, `<<`. Errs on the side of yes.
bool ambiguous(std::string_view text);

}  // namespace lode
