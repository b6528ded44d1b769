// What a file of source code is made of, as far as its outline tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "syntax/span.h"

namespace lode {

enum class SymbolKind : std::uint8_t {
  module,
  package,
  namespace_,
  class_,
  struct_,
  union_,
  interface,
  trait,
  enum_,
  enum_member,
  object,
  implementation,  // what is added to a type elsewhere: Rust's impl, Swift's extension
  type,            // a name for a type that is written out elsewhere
  constructor,
  function,
  method,
  property,
  field,
  constant,
  variable,
  macro,
  section,  // a heading and what is below it
  key,      // of data
  table,
  view,
  index,
  trigger,
  element,  // of HTML, with an id
  rule,     // of a style sheet
};

// The word for it, which is the name of the capture that finds it as well.
std::string_view to_string(SymbolKind kind);
std::optional<SymbolKind> find_symbol_kind(std::string_view word);

bool is_callable(SymbolKind kind);

// A type with members, so that a function in it is a method.
bool has_members(SymbolKind kind);

enum class Visibility : std::uint8_t { unsaid, public_, protected_, internal, private_ };

std::string_view to_string(Visibility visibility);

// What the word of some language means: "pub(crate)" is internal. Unsaid: nothing.
Visibility visibility_of(std::string_view word);

inline constexpr std::uint32_t kNoSymbol = UINT32_MAX;

// Texts are views; what they borrow from is said at Outline.
struct Symbol {
  std::string_view name;
  std::string_view scope;  // what a definition elsewhere says it belongs to: A of `void A::f() {}`
  SymbolKind kind = SymbolKind::variable;
  Visibility visibility = Visibility::unsaid;
  bool exported = false;
  bool has_body = false;              // else it is declared only, or is a value
  std::uint32_t depth = 0;            // how many symbols are around it
  std::uint32_t parent = kNoSymbol;   // the number of the innermost of them
  std::uint32_t name_line = 1;        // where its name stands
  std::uint32_t signature_begin = 0;  // bytes of the text
  std::uint32_t signature_end = 0;    //
  std::uint32_t doc_begin = 0;        // of the comment, or docstring
  std::uint32_t doc_end = 0;          //
  Span span;                          // with decorators and templates around it
};

// One name that a statement imports, or the whole of what it names.
struct Import {
  std::string_view source;  // the module, file or package; without quotes or angle brackets
  std::string_view name;    // empty: the source itself; "*": all its names
  std::string_view alias;   // what it is called here, if it is called otherwise
  Span span;                // of the statement
};

// One name that others can import.
struct Export {
  std::string_view name;             // "*": all names of the source
  std::string_view alias;            // what others call it, if otherwise
  std::string_view source;           // the module that it is passed on from
  std::uint32_t symbol = kNoSymbol;  // the number of what it names, if that is in the file
  std::uint32_t line = 1;
};

struct SyntaxProblem {
  std::string_view missing;  // the kind of node that should be there; empty: cannot be read
  Span span;
};

}  // namespace lode
