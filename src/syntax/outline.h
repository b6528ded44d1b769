// The outline of a file: what it defines, imports and exports, and where it could
// not be read.
//
// Symbols stand in the order of the file, each after the one around it. What a
// function keeps to itself, its variables and parameters, is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/language.h"
#include "syntax/symbol.h"

namespace lode {

// Its texts are views of `text`, of `made`, or of the Syntax that made it: text and
// Syntax must outlive it. To be moved, not copied.
struct Outline {
  Outline() = default;
  Outline(Outline&&) = default;
  Outline& operator=(Outline&&) = default;

  const Language* language = nullptr;
  std::string_view text;
  std::uint32_t lines = 0;
  std::vector<Symbol> symbols;
  std::vector<Import> imports;
  std::vector<Export> exports;
  std::vector<SyntaxProblem> problems;
  std::deque<std::string> made;       // texts that stand nowhere in the file as they are
  std::size_t symbols_left_out = 0;   // over a limit
  std::size_t problems_left_out = 0;  //

  // How the symbol is found from outside: "Class.method".
  std::string path(const Symbol& symbol) const;
  // What its definition says before its body, on one line, cut where it is long.
  std::string signature(const Symbol& symbol) const;
  // The first line of its comment that says something; empty: there is none.
  std::string doc(const Symbol& symbol) const;
};

// The outline as Markdown: a heading, counts, and a list item for each symbol,
// nested as they are, with its line.
std::string structure(const Outline& outline, std::string_view title);

// The symbol that is meant by "Class.method" or its end, "method"; `::`, `#` and
// `/` divide as well. What is defined goes before what is only declared. One of several
// is meant by the line where it or its name begins, "method:12", and if that is not
// enough by the column as well, "method:12:5".
// Code::not_found: none. Code::conflict: several, which the message lists.
Result<const Symbol*> find_symbol(const Outline& outline, std::string_view path);

// What each symbol is found by, in their order: its path, with its place if the path
// alone means another or several.
std::vector<std::string> symbol_selectors(const Outline& outline);

}  // namespace lode
