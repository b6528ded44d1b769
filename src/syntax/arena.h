// Memory for much that is made and freed piece by piece, and in the end dies at once.
//
// Blocks are cut from chunks, one behind the other. A block that is freed waits in a
// list for the next that is asked for of its class of sizes, so that what frees as
// much as it takes stays within the same memory. clear() takes all blocks back
// without a look at them.
//
// Classes are 16 bytes apart up to 1 KiB, then a quarter of a power of two. What is
// longer than an eighth of a chunk is mapped by itself.
//
// Invariants:
//  (1) A block is aligned to 16 bytes, and the eight bytes before it tell its
//      capacity, which is never 0.
//  (2) All blocks in one list have one capacity.
//  (3) Under AddressSanitizer whatever is in no block is poisoned, also the capacity
//      of a block that is free: to use or free a block twice is found.
//
// Memory that the system does not give, or that is over the limit, ends the process: who
// asked has no way to go on without it, nor to go back.
//
// One thread at a time.
#pragma once

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace lode {

// What the process exits with then.
inline constexpr int kNoMemoryStatus = 71;

[[noreturn]] void end_without_memory(std::size_t bytes);

class Arena {
 public:
  static constexpr std::size_t kChunk = std::size_t{2} << 20;  // a huge page of most systems
  static constexpr std::size_t kUnlimited = SIZE_MAX;

  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // REQUIRES of the three: the block is of this arena, and was taken since clear().
  void* take(std::size_t bytes);
  void* resize(void* block, std::size_t bytes);
  void give_back(void* block);

  // All blocks are gone. One chunk is kept.
  void clear();

  // What the system gave, and how much it may be.
  std::size_t mapped() const { return mapped_; }
  void limit(std::size_t most) { most_ = most; }

  static std::size_t capacity_of(const void* block) {
    std::size_t capacity = 0;
    std::memcpy(&capacity, static_cast<const char*>(block) - kHeader, kHeader);
    return capacity;
  }

 private:
  static constexpr std::size_t kHeader = 8;
  static constexpr std::size_t kUnit = 16;
  static constexpr std::size_t kFine = 64;                    // classes that are a unit apart
  static constexpr std::size_t kMost = std::size_t{1} << 40;  // bytes of a block
  static constexpr std::size_t kClasses = 192;                // at least those up to kMost

  struct SizeClass {
    std::size_t number;
    std::size_t capacity;
  };
  struct Mapping {
    char* begin;
    std::size_t bytes;
  };

  static SizeClass class_of(std::size_t bytes);
  static Mapping map_chunk();
  static Mapping map(std::size_t bytes);
  static void unmap(const Mapping& mapping);
  void count(std::size_t bytes);
  char* cut(std::size_t bytes);
  char* cut_anew(std::size_t bytes);
  void begin(const Mapping& chunk);

  char* at_ = nullptr;  // where the next block is cut
  char* end_ = nullptr;
  std::array<char*, kClasses> free_{};  // each begins with the next
  std::vector<Mapping> chunks_;
  std::vector<Mapping> large_;  // one block each
  std::size_t mapped_ = 0;
  std::size_t most_ = kUnlimited;
};

inline Arena::SizeClass Arena::class_of(std::size_t bytes) {
  auto units = (bytes + kHeader + kUnit - 1) / kUnit;
  if (units <= kFine) return {units, units * kUnit - kHeader};
  constexpr std::size_t kFineWidth = std::bit_width(kFine);
  const auto width = static_cast<std::size_t>(std::bit_width(units - 1));
  const auto quarters = ((units - 1) >> (width - 3)) + 1;  // 5 to 8 of half the power above
  units = quarters << (width - 3);
  return {kFine + (width - kFineWidth) * 4 + quarters - 4, units * kUnit - kHeader};
}

inline char* Arena::cut(std::size_t bytes) {
  if (static_cast<std::size_t>(end_ - at_) < bytes) return cut_anew(bytes);
  return std::exchange(at_, at_ + bytes);
}

inline void* Arena::take(std::size_t bytes) {
  if (bytes > kMost) end_without_memory(bytes);
  const auto [number, capacity] = class_of(bytes);
  char* block = free_[number];
  if (block == nullptr) {
    block = cut(kHeader + capacity) + kHeader;
    ASAN_UNPOISON_MEMORY_REGION(block - kHeader, kHeader + bytes);
    std::memcpy(block - kHeader, &capacity, kHeader);
  } else {
    ASAN_UNPOISON_MEMORY_REGION(block - kHeader, kHeader + std::max(bytes, sizeof(char*)));
    std::memcpy(&free_[number], block, sizeof(char*));
  }
  return block;
}

inline void Arena::give_back(void* block) {
  const auto [number, capacity] = class_of(capacity_of(block));
  auto* freed = static_cast<char*>(block);
  ASAN_UNPOISON_MEMORY_REGION(freed, sizeof(char*));
  std::memcpy(freed, &free_[number], sizeof(char*));
  free_[number] = freed;
  ASAN_POISON_MEMORY_REGION(freed - kHeader, kHeader + capacity);
}

}  // namespace lode
