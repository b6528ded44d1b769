// How many tokens a text costs a language model: o200k_base, counted exactly.
//
//   Tokenizer::o200k().count("Hello, world")     // 3
//
// The result is tiktoken's, token by token: the same cuts by the encoding's
// regular expression (tokens_split.h), the same merges by rank. What looks like
// a special token, such as <|endoftext|>, is counted as the text it is. Bytes
// that are not UTF-8 count as the replacement character U+FFFD would, one for
// each maximal ill-formed sequence, as decoders substitute it.
//
// The vocabulary is part of the program (tokens_table.h); nothing is loaded. All
// functions may be called from any thread. Time is O(n log n) for every text,
// one endless word included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/tokens_table.h"

namespace lode {

class Tokenizer {
 public:
  static Tokenizer o200k() { return Tokenizer(lode_vocabulary); }

  std::size_t count(std::string_view text) const;
  // The tokens themselves, as ranks.
  std::vector<std::uint32_t> encode(std::string_view text) const;

 private:
  explicit Tokenizer(const VocabularyImage& vocabulary) : vocabulary_(&vocabulary) {}

  const VocabularyImage* vocabulary_;
};

struct TokenCount {
  std::size_t tokens = 0;
  bool estimated = false;
};

// Texts up to the limit are counted. Of a longer one only `limit` bytes are, in
// slices spread evenly over it, and the rest is taken to be like them.
inline constexpr std::size_t kCountedBytes = 256 * 1024;
TokenCount count_or_estimate(std::string_view text, std::size_t limit = kCountedBytes);

// Puts "tokens":N behind the last member of a JSON object, N being what the whole
// then costs, counted exactly. REQUIRES: the text is an object, and ends with it.
std::string state_tokens(std::string object);

}  // namespace lode
