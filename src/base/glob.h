// Patterns over addresses and paths.
//
//   *       any run of characters but '/'
//   **      any run of characters
//   **/     at the start, or after a '/': also nothing, so a/**/b holds a/b
//   ?       one character but '/'
//   [a-z_]  one of these ASCII characters; [!a] one that is none of them. A ']'
//           that comes first is a member. Never a '/'.
//   {a,b}   either; alternatives may be empty, hold patterns, and nest
//   \x      the character x itself
//
// A glob is held against the whole text. A character is one of UTF-8; in a URI
// it is one byte, and a percent-encoding is three.
//
// Design. What surrounds the first and the last wildcard is compared as bytes;
// what is between runs as an automaton without memory allocation, all of its
// states at once. Time is at most (bytes of text) x (states of the pattern),
// whatever the pattern, and a pattern has at most kMaxStates.
//
// A Glob is immutable; any thread may match.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode {

class Glob {
 public:
  static constexpr std::size_t kMaxLength = 512;   // bytes of a pattern
  static constexpr std::size_t kMaxStates = 1023;  // about one a character
  static constexpr std::size_t kMaxNesting = 8;    // of braces

  // Code::invalid says what is wrong and at which offset.
  static Result<Glob> parse(std::string_view pattern);

  bool matches(std::string_view text) const {
    return text.starts_with(prefix_) && matches_after_prefix(text);
  }
  // The same, for who has compared the prefix before.
  // REQUIRES: text starts with literal_prefix().
  bool matches_after_prefix(std::string_view text) const;

  // What every text that matches begins with. Valid as long as this Glob.
  std::string_view literal_prefix() const { return prefix_; }
  // What it ends with; after the prefix, with which it has no byte in common.
  std::string_view literal_suffix() const { return suffix_; }

  // The pattern as it was written.
  const std::string& text() const { return text_; }

 private:
  friend class GlobParser;

  enum class Op : std::uint8_t {
    literal,   // the byte `argument`
    any,       // the first byte of a character that is no '/'
    set,       // the same, if sets_[argument] has it
    rest,      // what follows the first byte of a character
    run,       // any bytes but '/'
    deep_run,  // any bytes
    fork,      // goes on both at the next state and at `argument`
    jump,      // goes on at `argument`
  };
  // Forks and jumps lead forward only; states_.size() is the end.
  struct State {
    Op op = Op::literal;
    std::uint16_t argument = 0;
  };
  struct Set {
    std::array<std::uint64_t, 2> members{};  // ASCII
    bool negated = false;

    void add(unsigned char c) { members[c / 64] |= std::uint64_t{1} << (c % 64); }
    bool holds(unsigned char c) const;
  };
  template <std::size_t kWords>
  class Run;

  Glob() = default;

  std::string text_;
  std::string prefix_;  // before the first state
  std::string suffix_;  // after the last
  std::vector<State> states_;
  std::vector<Set> sets_;
};

}  // namespace lode
