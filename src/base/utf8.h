// UTF-8, and text from elsewhere as it is shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lode {

bool valid_utf8(std::string_view bytes);

// The longest beginning of no more than so many bytes that cuts no character in two.
std::string_view first_bytes(std::string_view text, std::size_t most);

// The same, and "…" if something is left out.
std::string cut_text(std::string_view text, std::size_t most);

// A name or another short text from outside, fit for one line that people, terminals
// and models read. It can neither begin a line of its own nor drive a terminal nor
// reorder what stands around it: control characters, line and paragraph separators and
// marks of direction are written as escapes (\n, \x1b, \u202e), and so is each byte that
// is not UTF-8 (\xff). Everything else stays as it is. The result is UTF-8.
std::string visible(std::string_view text);

// The same for a text of several lines that goes to a terminal: line ends and tabs stay.
std::string visible_lines(std::string_view text);

}  // namespace lode
