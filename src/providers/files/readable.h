// Bytes of files as text that can be shown. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lode {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Text has no NUL.
bool is_binary(std::string_view bytes);

// Valid UTF-8: each byte that belongs to no character becomes U+FFFD.
std::string shown(std::string bytes);

// Lines that end in CRLF end in LF.
void end_lines_in_lf(std::string& text);

// What a search sees of a file: shown(), without a byte order mark, and with
// lines that end in LF alone. Lines keep their numbers.
std::string readable(std::string bytes);

// Appends a line that is longer than `most` bytes cut around the offset `at`,
// between characters, with "…" where something is missing. REQUIRES: valid UTF-8.
void append_cut(std::string& out, std::string_view line, std::size_t at, std::size_t most);

// Where the line begins that an offset is in, and its number, from 1.
std::size_t line_begin(std::string_view text, std::size_t offset);
std::size_t line_at(std::string_view text, std::size_t offset);

}  // namespace lode
