// What a file's name tells about its language: several hundred of them, most of which
// syntax/language.h cannot read. The table is GitHub Linguist's, made by the build
// (languages/). Pure functions; any thread.
#pragma once

#include <string_view>

namespace lode {

// By the whole name or the longest of its endings; empty: it tells nothing. What is
// returned is there as long as the program.
std::string_view language_by_name(std::string_view path);

// By the interpreter that a script's first line names; empty: it names none that is known.
std::string_view language_by_interpreter(std::string_view text);

}  // namespace lode
