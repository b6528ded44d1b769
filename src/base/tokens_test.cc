#include "base/tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace lode {
namespace {

using Ranks = std::vector<std::uint32_t>;

Ranks encode(std::string_view text) { return Tokenizer::o200k().encode(text); }
std::size_t count(std::string_view text) { return Tokenizer::o200k().count(text); }

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// What the reference says; tests/tokens compares thousands of texts with it.
TEST(Tokens, KnownTexts) {
  EXPECT_EQ(encode(""), Ranks{});
  EXPECT_EQ(encode("Hello, world"), (Ranks{13225, 11, 2375}));
  EXPECT_EQ(encode("don't"), (Ranks{91418}));
  EXPECT_EQ(encode("DON'T"), (Ranks{134882, 51532}));
  EXPECT_EQ(encode("1234567"), (Ranks{7633, 19354, 22}));
  EXPECT_EQ(encode("HTTPServer"), (Ranks{17893, 6444}));
  EXPECT_EQ(encode("中文ABC"), (Ranks{10667, 44197}));
}

TEST(Tokens, WhiteSpaceIsCutBeforeTheWord) {
  EXPECT_EQ(encode("   x"), (Ranks{256, 1215}));
  EXPECT_EQ(encode("  \n  x"), (Ranks{4066, 220, 1215}));
  EXPECT_EQ(encode("\t\tx"), (Ranks{197, 21395}));
  EXPECT_EQ(encode("x\n\n\n"), (Ranks{87, 2499}));
  EXPECT_EQ(encode("a/\n/b"), (Ranks{64, 66186, 65}));
}

TEST(Tokens, SpecialTokensAreText) {
  EXPECT_EQ(encode("<|endoftext|>"), (Ranks{27, 91, 419, 1440, 919, 91, 29}));
}

TEST(Tokens, InvalidBytesCountAsReplacementCharacters) {
  EXPECT_EQ(encode("a\xFF z"), encode("a\uFFFD z"));
  EXPECT_EQ(encode("\xE4\xB8"), encode("\uFFFD"));
  EXPECT_EQ(encode("\xE4\xB8 \xB8\xAD"), encode("\uFFFD \uFFFD\uFFFD"));
  EXPECT_EQ(encode("\xED\xA0\x80"), encode("\uFFFD\uFFFD\uFFFD"));
  EXPECT_EQ(encode("\xF0\x9F\x98"), encode("\uFFFD"));
}

TEST(Tokens, CountIsTheNumberOfTokens) {
  const std::string text = "for (auto& x : list) { sum += x.größe(); }  // über 1.000\r\n";
  EXPECT_EQ(count(text), encode(text).size());
}

// Would take hours if merging were quadratic.
TEST(Tokens, EndlessWordsAreNoTrap) {
  constexpr std::size_t kLong = 1 << 18;
  EXPECT_LE(count(std::string(kLong, 'a')), kLong / 4);
  EXPECT_LE(count(std::string(kLong, ' ')), kLong / 64);
  EXPECT_LE(count(repeated("QUJDx9", kLong / 8)), kLong);
  EXPECT_LE(count(repeated("\u0301", kLong / 8)), kLong);
}

TEST(Tokens, LongTextsAreEstimated) {
  const std::string line = "The quick brown fox jumps over the lazy dog, größer als 3.14.\n";
  const auto text = repeated(line, 20'000);
  const auto guess = count_or_estimate(text);
  EXPECT_TRUE(guess.estimated);
  const auto exact = static_cast<double>(count(text));
  EXPECT_NEAR(static_cast<double>(guess.tokens), exact, exact / 100);

  const auto whole = count_or_estimate(line);
  EXPECT_FALSE(whole.estimated);
  EXPECT_EQ(whole.tokens, count(line));
}

TEST(Tokens, AnObjectStatesItsOwnCost) {
  EXPECT_EQ(state_tokens("{}"), "{\"tokens\":5}");
  EXPECT_EQ(count(state_tokens("{}")), 5U);
  // One word more each time, past the number that takes a second token.
  std::string object = "{\"text\":\"";
  std::size_t before = 0;
  for (std::size_t words = 0; words < 1100; ++words) {
    object += " word";
    const auto stated = state_tokens(object + "\"}");
    const auto at = stated.rfind(':') + 1;
    const auto number = std::stoul(stated.substr(at));
    EXPECT_EQ(number, count(stated));
    EXPECT_GT(number, before);
    EXPECT_TRUE(stated.starts_with(object + "\",\"tokens\":"));
    before = number;
  }
  EXPECT_GT(before, 1000U);
}

TEST(Tokens, EstimatesOfAnything) {
  EXPECT_TRUE(count_or_estimate(std::string(100, '\x80'), 10).estimated);
  EXPECT_TRUE(count_or_estimate("ab", 0).estimated);
  EXPECT_FALSE(count_or_estimate("", 0).estimated);
}

}  // namespace
}  // namespace lode
