#include "base/tokens.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <string>

#include "base/tokens_split.h"
#include "base/utf8.h"

namespace lode {
namespace {

std::uint32_t find_rank(const VocabularyImage& vocabulary, std::string_view token) {
  if (token.size() > kLongestToken) return kNoRank;
  const auto hash = vocabulary_hash(token);
  const auto hint = VocabularySlot::hint_of(hash);
  for (auto at = VocabularySlot::home_of(hash);; at = VocabularySlot::after(at)) {
    const VocabularySlot slot{vocabulary.slots[at]};
    if (slot.empty()) return kNoRank;
    if (slot.hint() != hint || slot.length() != token.size()) continue;
    if (std::memcmp(&vocabulary.bytes[slot.offset()], token.data(), token.size()) == 0) {
      return slot.rank();
    }
  }
}

// Merges the bytes of one piece into tokens: of all neighbours that together are
// a token, those of the lowest rank first, the leftmost of equals.
//
// Parts are a linked list over the piece's bytes; mergeable neighbours wait in a
// heap. A neighbour that has meanwhile been merged otherwise stays in the heap
// and is recognised when it comes up: its two parts no longer end where they did.
class Merger {
 public:
  explicit Merger(const VocabularyImage& vocabulary) : vocabulary_(vocabulary) {}

  // Calls sink(rank) for each token of the piece.
  template <class Sink>
  void run(std::string_view piece, const Sink& sink) {
    start(piece);
    while (!waiting_.empty()) merge_first();
    for (std::size_t at = 0; at < piece.size(); at = next_[at]) {
      sink(find_rank(vocabulary_, piece.substr(at, next_[at] - at)));
    }
  }

 private:
  // rank, where the left part begins, the length of both together: in this order,
  // so that comparing the numbers compares rank and place.
  struct Pair {
    std::uint64_t bits;

    Pair(std::uint32_t rank, std::size_t begin, std::size_t length)
        : bits(std::uint64_t{rank} << 46 | std::uint64_t{begin} << 8 | length) {}
    std::size_t begin() const { return bits >> 8 & 0x3FFFFFFFFF; }
    std::size_t end() const { return begin() + (bits & 0xFF); }
    bool operator>(const Pair& other) const { return bits > other.bits; }
  };

  void start(std::string_view piece) {
    piece_ = piece;
    next_.resize(piece.size());
    previous_.resize(piece.size());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      next_[i] = i + 1;
      previous_[i] = i - 1;
    }
    for (std::size_t i = 0; i + 1 < piece.size(); ++i) add(i, i + 2);
    std::make_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  }

  bool add(std::size_t begin, std::size_t end) {
    const auto rank = find_rank(vocabulary_, piece_.substr(begin, end - begin));
    if (rank == kNoRank) return false;
    waiting_.emplace_back(rank, begin, end - begin);
    return true;
  }

  void add_and_sift(std::size_t begin, std::size_t end) {
    if (add(begin, end)) std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  }

  void merge_first() {
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    const Pair pair = waiting_.back();
    waiting_.pop_back();
    const auto begin = pair.begin();
    const auto end = pair.end();
    const auto middle = next_[begin];
    if (middle == kMerged || middle >= end || next_[middle] != end) return;
    next_[begin] = end;
    next_[middle] = kMerged;
    if (end < piece_.size()) {
      previous_[end] = begin;
      add_and_sift(begin, next_[end]);
    }
    if (begin > 0) add_and_sift(previous_[begin], end);
  }

  static constexpr std::size_t kMerged = 0;  // no part is followed by the first

  const VocabularyImage& vocabulary_;
  std::string_view piece_;
  std::vector<std::size_t> next_, previous_;  // by where a part begins
  std::vector<Pair> waiting_;
};

// REQUIRES: the text is UTF-8.
template <class Sink>
void tokenize(const VocabularyImage& vocabulary, std::string_view text, const Sink& sink) {
  const TokenSplitter splitter(text, vocabulary);
  Merger merger(vocabulary);
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = splitter.end_of_piece(begin);
    const auto piece = text.substr(begin, end - begin);
    // Most pieces are a token; the encoding takes those whole, without merging.
    if (const auto rank = find_rank(vocabulary, piece); rank != kNoRank) {
      sink(rank);
    } else {
      merger.run(piece, sink);
    }
  }
}

// How many bytes from here on are one code point, or, with `good` false, how
// many a decoder replaces by one U+FFFD.
struct Sequence {
  std::size_t size;
  bool good;
};

Sequence sequence_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t width = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  // Overlong forms, surrogates and what lies beyond Unicode show in the second byte.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return {1, false};
  std::size_t have = 2;
  while (have < width && byte(have) >= 0x80 && byte(have) <= 0xBF) ++have;
  return {have, have == width};
}

std::string repaired(std::string_view text) {
  std::string valid;
  valid.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    const auto [size, good] = sequence_at(text, at);
    valid += good ? text.substr(at, size) : "\uFFFD";
    at += size;
  }
  return valid;
}

template <class Sink>
void tokenize_any(const VocabularyImage& vocabulary, std::string_view text, const Sink& sink) {
  if (valid_utf8(text)) return tokenize(vocabulary, text, sink);
  tokenize(vocabulary, repaired(text), sink);
}

// The first place from here on where a code point can begin.
std::size_t code_point_boundary(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at < text.size(); ++i, ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) break;
  }
  return at;
}

}  // namespace

std::size_t Tokenizer::count(std::string_view text) const {
  std::size_t tokens = 0;
  tokenize_any(*vocabulary_, text, [&](std::uint32_t) { ++tokens; });
  return tokens;
}

std::vector<std::uint32_t> Tokenizer::encode(std::string_view text) const {
  std::vector<std::uint32_t> tokens;
  tokenize_any(*vocabulary_, text, [&](std::uint32_t rank) { tokens.push_back(rank); });
  return tokens;
}

TokenCount count_or_estimate(std::string_view text, std::size_t limit) {
  const auto tokenizer = Tokenizer::o200k();
  if (text.size() <= limit) return {tokenizer.count(text), false};
  constexpr std::size_t kSlices = 16;
  const std::size_t slice = std::max<std::size_t>(limit / kSlices, 1);
  const std::size_t stride = text.size() / kSlices;
  std::size_t tokens = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kSlices; ++i) {
    const auto begin = code_point_boundary(text, i * stride);
    const auto end = code_point_boundary(text, begin + slice);
    tokens += tokenizer.count(text.substr(begin, end - begin));
    bytes += end - begin;
  }
  const double each = static_cast<double>(tokens) / static_cast<double>(bytes);
  return {static_cast<std::size_t>(each * static_cast<double>(text.size())), true};
}

// A number is cut into groups of three digits, each of which is a token; what
// stands around it is cut alike whatever the number.
std::string state_tokens(std::string object) {
  assert(object.size() >= 2 && object.back() == '}');
  object.pop_back();
  object += object.back() == '{' ? "\"tokens\":" : ",\"tokens\":";
  const std::size_t others = Tokenizer::o200k().count(object + "0}") - 1;
  const auto groups = [](std::size_t number) { return (std::to_string(number).size() + 2) / 3; };
  std::size_t own = 1;
  while (groups(others + own) > own) ++own;
  return object + std::to_string(others + own) + "}";
}

}  // namespace lode
