// A tree-sitter query that was compiled, with the predicates that the runtime
// leaves to its callers:
//
//   (#eq? @a "text")  (#eq? @a @b)   the texts are equal
//   (#match? @a "regex")             RE2 finds the regex in the text
//   (#any-of? @a "one" "two")        the text is one of them
//
// each with `not-` (`#not-eq?`), and with `any-` (`#any-match?`): where a capture
// has several nodes, one is enough instead of all. `#set!` and other directives
// (`!`) decide nothing.
//
// Immutable: any thread.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/language.h"

namespace lode {

class PatternQuery {
 public:
  // Code::invalid says what is wrong, and at which byte of the text.
  static Result<PatternQuery> make(const Language& language, std::string_view text);

  PatternQuery(PatternQuery&&) noexcept;
  PatternQuery& operator=(PatternQuery&&) noexcept;
  ~PatternQuery();

  const TSQuery* get() const { return query_.get(); }
  std::uint32_t capture_count() const { return ts_query_capture_count(get()); }
  std::string_view capture_name(std::uint32_t capture) const;

  // Whether the predicates of the match's pattern hold.
  bool accepts(const TSQueryMatch& match, std::string_view source) const;

  // What `(#set! key value)` says in a pattern; empty: nothing.
  std::string_view setting(std::uint32_t pattern, std::string_view key) const;

 private:
  using Steps = std::span<const TSQueryPredicateStep>;
  struct Predicate;
  struct Setting {
    std::uint32_t pattern;
    std::string_view key;
    std::string_view value;
  };
  struct Deleter {
    void operator()(TSQuery* query) const { ts_query_delete(query); }
  };

  explicit PatternQuery(TSQuery* query);
  Status read_predicates();
  Status read_predicate(std::uint32_t pattern, Steps steps);
  Status read_values(Steps values, Predicate& predicate) const;
  std::string_view string_of(const TSQueryPredicateStep& step) const;

  std::unique_ptr<TSQuery, Deleter> query_;
  std::vector<std::vector<Predicate>> predicates_;  // by pattern
  std::vector<Setting> settings_;
};

}  // namespace lode
