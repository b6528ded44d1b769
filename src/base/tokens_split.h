// The first step of the encoding: a text is cut into pieces, and tokens never
// cross a cut. The pieces are the matches of o200k_base's regular expression,
// its alternatives tried in this order:
//
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   \p{N}{1,3}
//   \x20?[^\s\p{L}\p{N}]+[\r\n/]*
//   \s*[\r\n]+
//   \s+(?!\S)
//   \s+
//
// The first two may back off; the functions below compute where a backtracking
// matcher would end. Each piece is scanned a bounded number of times, so that
// the whole is linear.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/tokens_table.h"

namespace lode {

class TokenSplitter {
 public:
  // REQUIRES: the text is UTF-8. Borrows both.
  TokenSplitter(std::string_view text, const VocabularyImage& vocabulary)
      : text_(text), vocabulary_(vocabulary) {}

  // Where the piece that begins here ends.
  // REQUIRES: begin < text.size(), and a piece begins there.
  std::size_t end_of_piece(std::size_t begin) const;

 private:
  struct Char {
    CharClass type;
    std::size_t width;  // zero at the end of the text
  };

  Char at(std::size_t position) const;
  Char at_wide(std::size_t position) const;
  // The first position from here on whose class is not in the set.
  std::size_t skip(std::size_t position, unsigned set) const;

  // Each answers where the alternative ends, or `begin` if it does not match.
  std::size_t word(std::size_t begin) const;
  std::size_t word_with_lower(std::size_t begin) const;
  std::size_t number(std::size_t begin) const;
  std::size_t punctuation(std::size_t begin) const;
  std::size_t whitespace(std::size_t begin) const;
  // Where a contraction that begins here ends, or `begin`.
  std::size_t contraction(std::size_t begin) const;

  std::string_view text_;
  const VocabularyImage& vocabulary_;
};

}  // namespace lode
