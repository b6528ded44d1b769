#include "syntax/parse_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "syntax/arena.h"
#include "syntax/local_syntax.h"
#include "syntax/parser.h"

// What tree-sitter's sources call.
extern "C" {
extern void* (*ts_current_malloc)(std::size_t);
extern void* (*ts_current_calloc)(std::size_t, std::size_t);
extern void* (*ts_current_realloc)(void*, std::size_t);
extern void (*ts_current_free)(void*);
}

namespace lode {
namespace {

// A list with as many numbers.
std::string long_text(std::size_t numbers) {
  std::string text = "x = [";
  for (std::size_t i = 0; i < numbers; ++i) text += std::to_string(i) + ", ";
  return text + "]\n";
}

class ParseMemoryTest : public testing::Test {
 protected:
  ParseMemoryTest() { ParseMemory::install(); }

  static char* copy_of(std::string_view text) {
    auto* block = static_cast<char*>(ts_current_malloc(text.size()));
    text.copy(block, text.size());
    return block;
  }

  // Where no text was parsed yet.
  template <class Test>
  static void on_new_thread(Test test) {
    std::jthread(test).join();
  }
};

TEST_F(ParseMemoryTest, ABlockFromOutsideIsFreedAndResizedInside) {
  char* freed = copy_of("freed");
  char* grown = copy_of("grown");
  on_new_thread([&] {
    const ParseMemory memory;
    ts_current_free(freed);
    grown = static_cast<char*>(ts_current_realloc(grown, 100'000));
    EXPECT_EQ(ParseMemory::mapped(), 0U) << "a block of malloc moved to the arena";
  });
  EXPECT_EQ(std::string_view(grown, 5), "grown");
  grown = static_cast<char*>(ts_current_realloc(grown, 200'000));
  EXPECT_EQ(std::string_view(grown, 5), "grown");
  ts_current_free(grown);
}

TEST_F(ParseMemoryTest, InsideMemoryIsTheArenasAndOutsideItIsNot) {
  on_new_thread([] {
    ts_current_free(copy_of("outside"));
    EXPECT_EQ(ParseMemory::mapped(), 0U);
    {
      const ParseMemory memory;
      for (int i = 0; i < 100; ++i) ts_current_malloc(100'000);
      EXPECT_GT(ParseMemory::mapped(), 100U * 100'000);
    }
    EXPECT_EQ(ParseMemory::mapped(), Arena::kChunk);
  });
}

TEST_F(ParseMemoryTest, AThreadThatEndsKeepsNothing) {
  char* block = nullptr;
  on_new_thread([&] {
    const ParseMemory memory;
    block = copy_of("gone");
  });
  unsigned char is_there = 0;
  char* page = block - reinterpret_cast<std::uintptr_t>(block) % 4096;
  EXPECT_EQ(::mincore(page, 1, &is_there), -1);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_F(ParseMemoryTest, NothingIsNothing) {
  ts_current_free(nullptr);
  ts_current_free(ts_current_realloc(nullptr, 10));
  const ParseMemory memory;
  ts_current_free(nullptr);
  ts_current_free(ts_current_realloc(nullptr, 10));
  ts_current_free(ts_current_malloc(0));
}

TEST_F(ParseMemoryTest, ZerosAreZerosWhereSomethingWas) {
  const auto is_zero_after_use = [] {
    auto* used = static_cast<char*>(ts_current_malloc(1000));
    std::memset(used, 'a', 1000);
    ts_current_free(used);
    auto* zeros = static_cast<char*>(ts_current_calloc(10, 100));
    const bool is_zero = std::all_of(zeros, zeros + 1000, [](char c) { return c == 0; });
    ts_current_free(zeros);
    return is_zero;
  };
  EXPECT_TRUE(is_zero_after_use());
  const ParseMemory memory;
  EXPECT_TRUE(is_zero_after_use());
}

TEST_F(ParseMemoryTest, ManyTextsTakeTheMemoryOfOne) {
  const auto text = long_text(50'000);
  const auto parse = [&] {
    const ParseMemory memory;
    EXPECT_TRUE(parse_tree(memory, *find_language("python"), text, {}));
    return ParseMemory::mapped();
  };
  const auto first = parse();
  EXPECT_GT(first, 2 * Arena::kChunk);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(parse(), first);
  EXPECT_EQ(ParseMemory::mapped(), Arena::kChunk);
}

// The scanner of Python keeps lists; LeakSanitizer tells of what is not ended.
TEST_F(ParseMemoryTest, ATextThatTakesTooLongLeavesNothing) {
  const auto text = long_text(100'000);
  for (int i = 0; i < 3; ++i) {
    const ParseMemory memory;
    const auto tree =
        parse_tree(memory, *find_language("python"), text, {.time = std::chrono::milliseconds(0)});
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, Code::timeout);
  }
  EXPECT_EQ(ParseMemory::mapped(), Arena::kChunk);
}

TEST_F(ParseMemoryTest, ThreadsShareQueriesAndNoMemory) {
  const LocalSyntax syntax;
  const auto text = long_text(2000) + "def f(a): return a\n";
  std::vector<std::size_t> symbols(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(symbols.size());
    for (auto& count : symbols) {
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          for (const auto* name : {"python", "javascript"}) {
            const auto outline = syntax.outline(*find_language(name), text);
            count += outline ? outline->symbols.size() : 0;
          }
        }
      });
    }
  }
  EXPECT_GT(symbols[0], 0U);
  EXPECT_EQ(symbols, std::vector(8, symbols[0]));
}

using ParseMemoryDeathTest = ParseMemoryTest;

TEST_F(ParseMemoryDeathTest, AProductThatOverflowsIsRefused) {
  EXPECT_DEATH(ts_current_calloc(SIZE_MAX / 8, 16), "no memory");
  const ParseMemory memory;
  EXPECT_DEATH(ts_current_calloc(SIZE_MAX / 8, 16), "no memory");
}

TEST_F(ParseMemoryDeathTest, ABlockOfTheArenaIsNotFreedAfterIt) {
  EXPECT_DEATH(
      {
        void* block = nullptr;
        {
          const ParseMemory memory;
          block = ts_current_malloc(10);
        }
        ts_current_free(block);
      },
      "use-after-poison|Assertion");
}

}  // namespace
}  // namespace lode
