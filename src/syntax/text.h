// What is text, and small things that are done with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lode {

// Whether the bytes are text that can be parsed. Code::unsupported says what they
// are instead: binary (a NUL byte), or not UTF-8, with the line of the first byte
// that is not.
Status check_text(std::string_view bytes);

// Some lines of a text, the first being 1: "10-40", "10-", "-40" or "10". Their
// line ends are as in the text. Code::invalid: not such a range. Code::not_found:
// the text has fewer lines.
Result<std::string_view> lines_of(std::string_view text, std::string_view range);

// How many lines; a text that does not end its last line has it all the same.
std::uint32_t count_lines(std::string_view text);

// The line around a byte of the text, without its end.
std::string_view line_around(std::string_view text, std::size_t offset);

// The text on one line: each run of white space is one space, none at the ends.
std::string on_one_line(std::string_view text);

// The first line of a comment or docstring that says something, without the marks
// around it, on one line.
std::string first_line_of_doc(std::string_view comment);

}  // namespace lode
