// The documents that have a common term, and how often each has it: a bit for
// each document there is, and a byte for each that has the term.
//
// A list that has one in sixteen documents takes little more memory this way than
// as distances (search/posting_list.h), and a search that wants the documents of
// several such lists at once finds them 64 at a time.
//
// Documents are seen through windows of kWindow; the number of bits before each
// word of a window leads from a bit to its count.
//
// A few documents have the term much more often than the others. They are known
// apart (loud), so that a bound of what the others can score is not theirs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/posting_list.h"

namespace lode {

constexpr std::uint32_t kWindow = 1024;
constexpr std::size_t kWords = kWindow / 64;

// Some of the documents of a window.
using WindowBits = std::array<std::uint64_t, kWords>;

inline void set_bit(WindowBits& bits, std::uint32_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}
inline bool has_bit(const WindowBits& bits, std::uint32_t i) {
  return (bits[i / 64] >> (i % 64) & 1U) != 0;
}

inline void add(WindowBits& bits, const WindowBits& others) {
  for (std::size_t i = 0; i < kWords; ++i) bits[i] |= others[i];
}
inline void keep(WindowBits& bits, const WindowBits& others) {
  for (std::size_t i = 0; i < kWords; ++i) bits[i] &= others[i];
}

class DenseList {
 public:
  // REQUIRES: posting.document is greater than all before.
  void append(const Posting& posting) {
    const std::size_t place = posting.document / kWindow;
    while (windows_.size() <= place) {
      windows_.push_back({.before = static_cast<std::uint32_t>(counts_.size()),
                          .loud = static_cast<std::uint32_t>(loud_.size())});
    }
    auto& window = windows_[place];
    const std::uint32_t i = posting.document % kWindow;
    set_bit(window.bits, i);
    for (std::size_t word = i / 64 + 1; word < kWords; ++word) ++window.ranks[word];
    counts_.push_back(posting.count <= kByte ? static_cast<std::uint8_t>(posting.count) : 0);
    if (posting.count > kByte) large_.push_back(posting);
    if (posting.count > modest_) add_loud(posting);
  }

  std::size_t windows() const { return windows_.size(); }
  // REQUIRES: place < windows().
  const WindowBits& bits(std::size_t place) const { return windows_[place].bits; }

  // At most one in so many is loud, besides a few.
  static constexpr std::size_t kLoud = 16;
  // No other document than the loud ones has a greater count.
  std::uint32_t modest() const { return modest_; }
  // Adds the loud ones of a window. REQUIRES: place < windows().
  void add_loud_bits(std::size_t place, WindowBits& bits) const {
    const auto end = place + 1 < windows() ? windows_[place + 1].loud : loud_.size();
    for (std::size_t i = windows_[place].loud; i < end; ++i) {
      set_bit(bits, loud_[i].document % kWindow);
    }
  }

  // Calls f(document, count) for those of a window that are in the mask, in
  // ascending order. REQUIRES: place < windows().
  template <class F>
  void each(std::size_t place, const WindowBits& mask, const F& f) const {
    const auto& window = windows_[place];
    const auto first = static_cast<std::uint32_t>(place * kWindow);
    for (std::size_t word = 0; word < kWords; ++word) {
      const std::uint64_t bits = window.bits[word];
      for (std::uint64_t left = bits & mask[word]; left != 0; left &= left - 1) {
        const std::uint64_t before = bits & ((left & (~left + 1)) - 1);
        const auto rank = static_cast<std::uint32_t>(std::popcount(before));
        const auto document =
            first + static_cast<std::uint32_t>(word * 64 +
                                               static_cast<std::size_t>(std::countr_zero(left)));
        f(document, count(window.before + window.ranks[word] + rank, document));
      }
    }
  }

  std::size_t heap_bytes() const {
    return sizeof(*this) + windows_.capacity() * sizeof(Window) + counts_.capacity() +
           (large_.capacity() + loud_.capacity()) * sizeof(Posting);
  }

 private:
  static constexpr std::uint32_t kByte = 255;

  struct Window {
    std::uint32_t before = 0;                   // postings in the windows before,
    std::uint32_t loud = 0;                     // the loud ones of them,
    std::array<std::uint16_t, kWords> ranks{};  // and postings in the words before
    WindowBits bits{};
  };

  void add_loud(const Posting& posting);

  std::uint32_t count(std::size_t i, std::uint32_t document) const {
    if (counts_[i] != 0) return counts_[i];
    return std::lower_bound(large_.begin(), large_.end(), document,
                            [](const Posting& a, std::uint32_t b) { return a.document < b; })
        ->count;
  }

  std::vector<Window> windows_;
  std::vector<std::uint8_t> counts_;  // 0: in large_
  std::vector<Posting> large_;
  std::vector<Posting> loud_;
  std::uint32_t modest_ = 1;
};

}  // namespace lode
