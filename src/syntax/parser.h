// Texts become trees. Only this room sees tree-sitter's types.
//
// A tree takes 11 to 28 times the memory of its text: it is made, read and let go
// within one call of Syntax, never kept. It is not walked to be let go: its memory,
// and that of the parser and of the cursors that read it, ends as a whole
// (syntax/parse_memory.h).
#pragma once

#include <tree_sitter/api.h>

#include <chrono>
#include <ctime>
#include <string_view>

#include "base/result.h"
#include "syntax/language.h"
#include "syntax/limits.h"
#include "syntax/parse_memory.h"
#include "syntax/span.h"

namespace lode {

// The end of the processor's time that the calling thread may take for something: on a
// busy machine a text must not look worse than it is.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds time)
      : end_(std::chrono::steady_clock::now() + time), processor_end_(processor_time() + time) {}

  bool passed() const {
    // A thread never gets more of the processor than passes by the clock, and the clock is
    // cheaper to ask.
    return std::chrono::steady_clock::now() >= end_ && processor_time() >= processor_end_;
  }

 private:
  static std::chrono::nanoseconds processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  }

  std::chrono::steady_clock::time_point end_;
  std::chrono::nanoseconds processor_end_;
};

// Made by parse_tree alone, and gone with the memory that it was made in: whoever reads a
// tree may leave what tree-sitter makes meanwhile to that memory too.
class Tree {
 public:
  TSNode root() const { return ts_tree_root_node(tree_); }
  // Until when it may be read: parsing and reading share SyntaxLimits::time.
  const Deadline& deadline() const { return deadline_; }

 private:
  friend Result<Tree> parse_tree(const ParseMemory&, const Language&, std::string_view,
                                 const SyntaxLimits&);
  Tree(const TSTree* tree, const Deadline& deadline) : tree_(tree), deadline_(deadline) {}

  const TSTree* tree_;
  Deadline deadline_;
};

// Code::unsupported: more than the limit allows.
Status check_length(std::string_view text, const SyntaxLimits& limits);

// The tree of a text. Code::unsupported: not text (syntax/text.h), or too long.
// Code::timeout: it takes too long.
Result<Tree> parse_tree(const ParseMemory& memory, const Language& language, std::string_view text,
                        const SyntaxLimits& limits);

Span span_of(TSNode node);

inline std::string_view text_of(TSNode node, std::string_view source) {
  const auto begin = ts_node_start_byte(node);
  return source.substr(begin, ts_node_end_byte(node) - begin);
}

}  // namespace lode
