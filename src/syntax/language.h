// The languages that can be read. A language is a row of the table in
// language.cc, and the query files that the row names (queries/README.md); no
// other code knows one from another.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "syntax/symbol.h"

struct TSLanguage;

namespace lode {

// What a name alone says about who may use what it names.
enum class NameRule : std::uint8_t {
  none,
  underscore_is_private,  // _name, but not __name__
  capital_is_public,      // Name is public, name is not
};

// What a file offers to others.
enum class ExportRule : std::uint8_t {
  none,     // there is no such thing
  marked,   // what its queries mark as exported
  visible,  // what they mark; if that is nothing, the public symbols that are in no
            // other, or in modules, packages and namespaces alone
};

struct Language {
  std::string_view id;                 // "cpp"
  std::string_view name;               // "C++"
  std::string_view extensions;         // of file names, without the dot, divided by spaces
  std::string_view file_names = {};    // whole names, divided by spaces
  std::string_view interpreters = {};  // of `#!` lines, divided by spaces
  std::string_view queries;            // files below queries/, without .scm, divided by spaces
  NameRule names = NameRule::none;
  Visibility visibility = Visibility::unsaid;  // of what nothing else is said about
  ExportRule exports = ExportRule::none;
  bool data = false;    // its symbols are keys of data
  bool macros = false;  // a preprocessor has words stand for anything (syntax/macros.h)
  const TSLanguage* (*grammar)() = nullptr;
};

// All, by id. A language is one of these, and is told apart by its address.
std::span<const Language> languages();

// Null: no language has the id.
const Language* find_language(std::string_view id);

// The language of a file, by its name, and by its text where the name leaves it
// open: a header of C or C++, a script that names its interpreter. Null: none.
const Language* language_of(std::string_view path, std::string_view text);

}  // namespace lode
