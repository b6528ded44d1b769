#include "syntax/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace lode {
namespace {

constexpr std::size_t kKiB = 1024;

// A block that is full of one letter, so that blocks that overlap are seen.
struct Filled {
  char* block;
  std::size_t bytes;
  char letter;

  void fill() const { std::memset(block, letter, bytes); }
  bool is_whole() const {
    return std::all_of(block, block + bytes, [this](char c) { return c == letter; });
  }
};

class ArenaTest : public testing::Test {
 protected:
  char* take(std::size_t bytes) { return static_cast<char*>(arena_.take(bytes)); }
  char* resize(char* block, std::size_t bytes) {
    return static_cast<char*>(arena_.resize(block, bytes));
  }
  Filled take_filled(std::size_t bytes) {
    const Filled filled{take(bytes), bytes, static_cast<char>('a' + taken_++ % 26)};
    filled.fill();
    return filled;
  }

  Arena arena_;

 private:
  std::size_t taken_ = 0;
};

TEST_F(ArenaTest, BlocksOfAllSizesAreAlignedAndApart) {
  std::vector<Filled> blocks;
  for (std::size_t bytes = 0; bytes < 5000; bytes += 7) blocks.push_back(take_filled(bytes));
  for (std::size_t bytes = 8 * kKiB; bytes <= 4096 * kKiB; bytes *= 2) {
    blocks.push_back(take_filled(bytes));
    blocks.push_back(take_filled(bytes + 1));
  }
  for (const auto& block : blocks) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.block) % 16, 0U) << block.bytes;
    EXPECT_GE(Arena::capacity_of(block.block), block.bytes);
    EXPECT_TRUE(block.is_whole()) << block.bytes;
  }
}

TEST_F(ArenaTest, ABlockIsAtMostAQuarterLongerThanWhatWasAskedFor) {
  for (std::size_t bytes = 1000; bytes < 4096 * kKiB; bytes += bytes / 9) {
    EXPECT_LE(Arena::capacity_of(take(bytes)), bytes + bytes / 4 + 32) << bytes;
  }
}

TEST_F(ArenaTest, WhatIsFreedIsTakenAgain) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{80}, 3 * kKiB, 600 * kKiB}) {
    char* first = take(bytes);
    char* second = take(bytes);
    arena_.give_back(first);
    arena_.give_back(second);
    EXPECT_EQ(take(bytes), second);
    EXPECT_EQ(take(bytes), first);
  }
}

TEST_F(ArenaTest, AnArrayGrowsFromChunkToChunk) {
  char* array = take(1);
  array[0] = 'a';
  for (std::size_t bytes = 1; bytes < 4 * Arena::kChunk; bytes *= 2) {
    array = resize(array, bytes * 2);
    std::copy(array, array + bytes, array + bytes);
    take(100);  // so that it cannot grow where it is
  }
  EXPECT_TRUE((Filled{array, 4 * Arena::kChunk, 'a'}.is_whole()));
}

TEST_F(ArenaTest, ABlockThatBecomesShorterStays) {
  char* block = take(1000);
  std::memset(block, 'a', 1000);
  EXPECT_EQ(resize(block, 10), block);
  EXPECT_EQ(std::string(block, 10), "aaaaaaaaaa");
  EXPECT_EQ(resize(block, 1000), block);
}

// Like a parser: nodes are made and mostly freed in about that order, arrays grow, and a
// few things live long.
TEST_F(ArenaTest, MemoryStaysNearWhatIsInUse) {
  std::mt19937 random(7);
  std::deque<Filled> alive;
  std::size_t in_use = 0;
  std::size_t most = 0;
  for (int i = 0; i < 300'000; ++i) {
    alive.push_back(take_filled(64 + 8 * (random() % 40)));
    in_use += alive.back().bytes;
    most = std::max(most, in_use);
    if (random() % 8 == 0) {
      auto& grown = alive[random() % alive.size()];
      grown.block = resize(grown.block, grown.bytes + 8);
    }
    if (alive.size() < 4000) continue;
    ASSERT_TRUE(alive.front().is_whole());
    in_use -= alive.front().bytes;
    arena_.give_back(alive.front().block);
    alive.pop_front();
  }
  EXPECT_LT(arena_.mapped(), 3 * most + Arena::kChunk);
}

TEST_F(ArenaTest, ClearKeepsOneChunk) {
  for (int i = 0; i < 100; ++i) {
    char* first = take(50);
    for (int j = 0; j < 200; ++j) take_filled(50 * kKiB);
    arena_.give_back(take(3 * Arena::kChunk));
    EXPECT_GT(arena_.mapped(), 12 * kKiB * kKiB);
    arena_.clear();
    EXPECT_EQ(arena_.mapped(), Arena::kChunk);
    EXPECT_EQ(take(50), first);  // and what was free is forgotten
    arena_.clear();
  }
}

TEST_F(ArenaTest, ClearForgetsALargeBlockThatWasFree) {
  arena_.give_back(take(3 * Arena::kChunk));
  arena_.clear();
  EXPECT_EQ(arena_.mapped(), 0U);
  const auto block = take_filled(3 * Arena::kChunk);
  EXPECT_TRUE(block.is_whole());
}

TEST_F(ArenaTest, AHugeBlockCanBeWrittenToItsEnd) {
  char* block = take(300 * kKiB * kKiB);
  block[0] = 'a';
  block[300 * kKiB * kKiB - 1] = 'z';
  EXPECT_GE(arena_.mapped(), 300 * kKiB * kKiB);
  arena_.clear();
  EXPECT_LE(arena_.mapped(), Arena::kChunk);
}

using ArenaDeathTest = ArenaTest;

TEST_F(ArenaDeathTest, WhatNoSystemHasIsRefused) {
  EXPECT_DEATH(take(SIZE_MAX), "no memory for 18446744073709551615 bytes");
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(ArenaDeathTest, TheSanitizerSeesWhatIsUsedTooLateOrTooFar) {
  char* block = take(100);
  EXPECT_DEATH(block[100] = 'a', "use-after-poison");
  arena_.give_back(block);
  EXPECT_DEATH(block[0] = 'a', "use-after-poison");
  EXPECT_DEATH(arena_.give_back(block), "use-after-poison");
  char* other = take(200);
  arena_.clear();
  EXPECT_DEATH(other[0] = 'a', "use-after-poison");
}
#endif

}  // namespace
}  // namespace lode
