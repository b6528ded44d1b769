// Text that came from anywhere, made fit for one line of an answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lode {

// Prose: runs of white space become one space, what else cannot be seen is written as
// visible() does, and a longer text is cut to so many bytes and "…".
std::string one_line(std::string_view raw, std::size_t most = 100);

// The text up to a line's end, which is taken off with it.
std::string_view take_line(std::string_view& text);

// Without white space at its ends.
std::string_view trimmed(std::string_view text);

// A word of a shell's command: as it is, or in quotes.
std::string shell_word(std::string_view word);

// "1 file", "2 files", "12,345 files".
std::string counted(std::size_t count, std::string_view one, std::string_view many);
// "12,345".
std::string grouped(std::size_t number);

}  // namespace lode
