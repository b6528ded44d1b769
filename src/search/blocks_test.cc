#include "search/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lode {
namespace {

TEST(Blocks, KeepTheirPlacesAndBytes) {
  Blocks blocks;
  std::vector<std::pair<char*, std::string>> added;
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::string text(i % 7 == 0 ? i * 13 % 700'000 : i % 50, static_cast<char>('a' + i % 26));
    char* block = blocks.add(text.size());
    std::ranges::copy(text, block);
    if (i % 3 == 0) {
      blocks.give_back(text.size());
    } else {
      added.emplace_back(block, text);
    }
  }
  std::size_t bytes = 0;
  for (const auto& [block, text] : added) {
    ASSERT_EQ(std::string(block, text.size()), text);
    bytes += text.size();
  }
  EXPECT_GE(blocks.bytes(), bytes);
}

TEST(Blocks, SmallOnesCostLittleMoreThanThemselves) {
  Blocks blocks;
  for (int i = 0; i < 100'000; ++i) blocks.add(100);
  EXPECT_LE(blocks.bytes(), 10'300'000U);
  Blocks one;
  one.add(10);
  EXPECT_LE(one.bytes(), 1024U);
}

}  // namespace
}  // namespace lode
