#include "syntax/outline_record.h"

#include <gtest/gtest.h>

#include "syntax/local_syntax.h"

// That what is read equals what was written is shown by lode_syntax_golden, for every
// language.
namespace lode {
namespace {

constexpr std::string_view kText =
    "import os, sys as s\n"
    "class A:\n"
    "  '''Says A.'''\n"
    "  def f(self): pass\n"
    "def g(: pass\n";

class OutlineRecordTest : public testing::Test {
 protected:
  OutlineRecordTest() {
    auto outline = LocalSyntax().outline(language, kText);
    EXPECT_TRUE(outline);
    EXPECT_FALSE(outline->problems.empty());
    bytes = encode_outline(*outline);
  }

  static void look_at(const Outline& outline) {
    for (const auto& symbol : outline.symbols) {
      EXPECT_LE(symbol.span.end, outline.text.size());
      EXPECT_LE(outline.path(symbol).size(), bytes_to_expect);
      outline.signature(symbol);
      outline.doc(symbol);
    }
    for (const auto& item : outline.exports) {
      EXPECT_TRUE(item.symbol == kNoSymbol || item.symbol < outline.symbols.size());
    }
  }

  static constexpr std::size_t bytes_to_expect = 4096;
  const Language& language = *find_language("python");
  std::string bytes;
};

TEST_F(OutlineRecordTest, IsSmall) {
  EXPECT_LT(bytes.size(), 3 * 30 + 60U);
  EXPECT_FALSE(outline_version().empty());
}

TEST_F(OutlineRecordTest, OfAnotherTextOrCutShortIsRefusedOrHarmless) {
  EXPECT_FALSE(decode_outline(bytes, language, kText.substr(0, 20)));
  EXPECT_FALSE(decode_outline(bytes + "x", language, kText));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_outline(bytes.substr(0, i), language, kText)) << i;
  }
}

TEST_F(OutlineRecordTest, DamageLeavesTheText) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0, 1, 3, 6, 7}) {
      auto bad = bytes;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      if (const auto outline = decode_outline(bad, language, kText)) look_at(*outline);
    }
  }
}

}  // namespace
}  // namespace lode
