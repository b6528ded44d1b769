// The symbols of a file as JSON, in two shapes.
//
// Small, the one that is given unless another is asked for: what is repeated is said
// once, by putting symbols of one kind together,
//
//   "symbols":{"exported class":[["5-90 Config // What the user wants",
//       {"method":["10-40 parse(text: string): Config"],"private field":["7-9 a, b, c"]}]]}
//
// each as "LINES NAME" with what it takes and gives, and the first line of its
// comment, both cut where they are long; in a pair with its members, if it has some.
// Plain names on one line, or on a line each, stand together; what is in a method is
// left out. And whole: a list of
// objects with all that is known of each, for programs.
#pragma once

#include "base/json.h"
#include "syntax/outline.h"

namespace lode {

enum class SymbolsShape : std::uint8_t { small, whole };

// Writes the value of "symbols".
void write_symbols(JsonWriter& out, const Outline& outline, SymbolsShape shape);

// "private method", "exported class": a symbol's kind, and for whom it is there.
std::string kind_of(const Symbol& symbol);

// "10-40", or "7".
std::string line_range(const Span& span);

}  // namespace lode
