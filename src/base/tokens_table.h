// The vocabulary of o200k_base as it lies in the program's read-only data.
//
// vocabulary/vocabulary_pack.cc writes a VocabularyImage at build time and the
// assembler includes it as it is: nothing is read, parsed or copied at start,
// and only the pages that a text touches are ever loaded.
//
// Invariants:
//   1. A token is found by linear probing from home_of(hash); no token lies
//      behind an empty slot. Fewer than 4 of 5 slots are taken.
//   2. A slot holds where the token's bytes begin, how many they are, its rank,
//      and bits of its hash that tell most other words at a glance. Zero is empty.
//   3. Tokens that are part of another token share its bytes.
//   4. Every one of the 256 single bytes is a token.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lode {

inline constexpr std::size_t kVocabularySlots = std::size_t{1} << 18;
inline constexpr std::size_t kVocabularyBytes = 820'000;
inline constexpr std::size_t kLongestToken = 128;
inline constexpr std::uint32_t kNoRank = 0xFFFFFFFF;

// What the encoding's regular expression can tell apart.
enum class CharClass : std::uint8_t {
  other,
  space,    // White_Space, but for
  newline,  // CR and LF
  upper,    // Lu, Lt
  lower,    // Ll
  letter,   // Lm, Lo: upper and lower at once
  mark,     // M: as letter, but may also stand before a word
  number,   // N
};

// A code point's class is classes[256 * block_of[code / 256] + code % 256].
inline constexpr std::size_t kCharBlocks = 0x110000 / 256;
inline constexpr std::size_t kDistinctCharBlocks = 160;

struct VocabularyImage {
  std::array<std::uint64_t, kVocabularySlots> slots;
  std::array<CharClass, 256 * kDistinctCharBlocks> classes;
  std::array<std::uint8_t, kCharBlocks> block_of;
  std::array<char, kVocabularyBytes> bytes;
};

extern "C" const VocabularyImage lode_vocabulary;  // NOLINT(readability-identifier-naming)

// The fields of a slot.
struct VocabularySlot {
  std::uint64_t bits = 0;

  static VocabularySlot make(std::size_t offset, std::size_t length, std::uint32_t rank,
                             std::uint64_t hash) {
    return {offset << 44 | length << 36 | std::uint64_t{rank} << 18 | hint_of(hash)};
  }
  bool empty() const { return bits == 0; }
  std::size_t offset() const { return bits >> 44; }
  std::size_t length() const { return bits >> 36 & 0xFF; }
  std::uint32_t rank() const { return static_cast<std::uint32_t>(bits >> 18 & 0x3FFFF); }
  std::uint64_t hint() const { return bits & 0x3FFFF; }

  static std::uint64_t hint_of(std::uint64_t hash) { return hash & 0x3FFFF; }
  static std::size_t home_of(std::uint64_t hash) { return hash >> 46; }
  static std::size_t after(std::size_t slot) { return (slot + 1) % kVocabularySlots; }
};

namespace vocabulary_detail {

template <class Word>
std::uint64_t load(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// One to seven bytes, without a loop: the loads overlap.
inline std::uint64_t load_tail(const char* at, std::size_t size) {
  if (size >= 4) {
    return load<std::uint32_t>(at) | load<std::uint32_t>(at + size - 4) << 32;
  }
  return load<std::uint8_t>(at) | load<std::uint8_t>(at + size / 2) << 8 |
         load<std::uint8_t>(at + size - 1) << 16;
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15;
  return hash ^ hash >> 29;
}

}  // namespace vocabulary_detail

inline std::uint64_t vocabulary_hash(std::string_view token) {
  using namespace vocabulary_detail;
  std::uint64_t hash = token.size() * 0xD6E8FEB86659FD93;
  for (; token.size() >= 8; token.remove_prefix(8)) {
    hash = mix(hash, load<std::uint64_t>(token.data()));
  }
  if (!token.empty()) hash = mix(hash, load_tail(token.data(), token.size()));
  return hash * 0xFF51AFD7ED558CCD;
}

}  // namespace lode
