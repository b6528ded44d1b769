// The regular expressions of JSON Schema (ECMA-262, unicode mode), run by RE2
// in time linear in the text.
//
// What ECMA-262 writes differently is translated: `.`, `\s`, `\cX`, `\uXXXX`,
// `(?<name>`, `[]`, `[^]`, names of Unicode properties. Lookaheads are
// understood where they are tests of the whole text, as in
// `^(?!\.)(?=.*\d)[a-z\d.]+$`: after the leading `^`, with no alternative beside
// it. Other lookarounds and back-references are unsupported, and so are the
// properties that RE2 does not know and repetitions beyond 1000.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode::schema {

// An ECMA-262 expression in the words of RE2.
struct TranslatedPattern {
  // A lookahead at the start of the text.
  struct Guard {
    std::string pattern;
    bool negative = false;
  };
  std::string pattern;
  std::vector<Guard> guards;
};

// Error: Code::unsupported for what is valid but cannot be said to RE2,
// Code::invalid for what ECMA-262 refuses too.
Result<TranslatedPattern> translate_pattern(std::string_view ecma);

// Immutable; any thread may match.
class Pattern {
 public:
  // The message of an error names the pattern. max_memory bounds, in bytes, the
  // program and the cache of each RE2.
  static Result<Pattern> compile(std::string_view ecma, std::int64_t max_memory);

  // Whether the pattern occurs anywhere in the text.
  bool found_in(std::string_view text) const;

  // How much found_in() may have to do: steps for a text of so many bytes.
  std::size_t cost(std::size_t bytes) const;

  // Of the compiled programs, in instructions.
  std::size_t size() const { return size_; }
  const std::string& text() const { return text_; }

 private:
  struct Guard {
    std::unique_ptr<const re2::RE2> expression;
    bool negative = false;
  };

  std::string text_;
  std::unique_ptr<const re2::RE2> expression_;
  std::vector<Guard> guards_;
  std::size_t size_ = 0;
};

}  // namespace lode::schema
