// Source code, read: tree-sitter behind one interface.
//
//   const LocalSyntax syntax;                      // or IsolatedSyntax
//   const auto* language = language_of(path, text);
//   auto outline = syntax.outline(*language, text);
//
// Each call parses the text, answers, and drops the tree. The text must be UTF-8; a
// byte order mark and CRLF are read past, and a last line without its end is a line.
// A text with syntax errors is no error: what can be read of it is told.
//
// Code::unsupported: the bytes are no such text, or too long, or need too much memory.
// Code::timeout: it took longer than the limit.
//
// Two implementations. LocalSyntax (local_syntax.h) parses on the calling thread.
// Grammars are other people's C code that hostile text can crash, so a server never
// does that: IsolatedSyntax (isolated_syntax.h) has worker processes parse.
//
// Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/language.h"
#include "syntax/outline.h"

namespace lode {

struct SyntaxTask;

struct AstOptions {
  // Named nodes alone, each with its line; a name that is one token is its
  // parent's "name". Else all nodes, with where they begin and end.
  bool compact = false;
  // The root is at 0. What has nodes below the last level tells how many
  // ("left_out").
  std::optional<std::uint32_t> max_depth = {};
  // Texts of more than five bytes that come three times or more are "@1", "@2",
  // …, and "symbol_table" says what these are.
  bool use_symbol_table = false;
  // "semantic_hash": equal for two texts that differ in white space and comments
  // alone, whatever the other options are.
  bool include_semantic_hash = false;
};

struct QueryCapture {
  std::uint32_t match = 0;  // its number, from 0
  std::uint32_t name = 0;   // its number in QueryAnswer::names
  Span span;
  std::string_view text;  // of the text that was asked
};

struct QueryAnswer {
  std::vector<std::string> names;  // of captures, without the @
  std::vector<QueryCapture> captures;
  std::uint32_t matches = 0;
  std::string incomplete;  // why there may be more; empty: this is all
};

// While one is alive, what its thread asks is asked for a guest (base/principal.h), who must
// not keep others waiting.
class GuestTasks {
 public:
  explicit GuestTasks(bool guest) : before_(asks_for_guest) { asks_for_guest = guest; }
  ~GuestTasks() { asks_for_guest = before_; }
  GuestTasks(const GuestTasks&) = delete;
  GuestTasks& operator=(const GuestTasks&) = delete;

  static bool current() { return asks_for_guest; }

 private:
  static thread_local bool asks_for_guest;
  const bool before_;
};

class Syntax {
 public:
  Syntax() = default;
  virtual ~Syntax() = default;
  Syntax(const Syntax&) = delete;
  Syntax& operator=(const Syntax&) = delete;

  // REQUIRES: the text outlives the outline.
  Result<Outline> outline(const Language& language, std::string_view text) const;
  // The same as bytes (outline_record.h), to be kept.
  Result<std::string> outline_record(const Language& language, std::string_view text) const;

  // The tree as JSON. Code::invalid: it has too many nodes to be written.
  Result<std::string> ast(const Language& language, std::string_view text,
                          const AstOptions& options) const;

  // The answer to a query in tree-sitter's language (syntax/pattern_query.h has the
  // predicates). Code::invalid says what is wrong with it, and at which offset.
  Result<QueryAnswer> query(const Language& language, std::string_view text,
                            std::string_view query) const;

  // Where the name stands as a name, in order. A text that does not have it is not
  // parsed.
  Result<std::vector<Span>> mentions(const Language& language, std::string_view text,
                                     std::string_view name) const;

 private:
  // The answer as bytes (syntax/task.h).
  virtual Result<std::string> run(const SyntaxTask& task) const = 0;
};

}  // namespace lode
