// Texts become trees. Only this room sees tree-sitter's types.
//
// A tree takes 11 to 28 times the memory of its text: it is made, read and let go
// within one call of Syntax, never kept.
#pragma once

#include <tree_sitter/api.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "syntax/language.h"
#include "syntax/limits.h"
#include "syntax/span.h"

namespace lode {

struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

struct CursorDeleter {
  void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};
using QueryCursor = std::unique_ptr<TSQueryCursor, CursorDeleter>;

// The tree of a text. Code::unsupported: not text (syntax/text.h), or too long.
// Code::timeout: it takes too long.
Result<Tree> parse_tree(const Language& language, std::string_view text,
                        const SyntaxLimits& limits);

// The end of the time that something may take.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds time)
      : end_(std::chrono::steady_clock::now() + time) {}
  bool passed() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

Span span_of(TSNode node);

inline std::string_view text_of(TSNode node, std::string_view source) {
  const auto begin = ts_node_start_byte(node);
  return source.substr(begin, ts_node_end_byte(node) - begin);
}

}  // namespace lode
