#include "base/glob.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace lode {
namespace {

bool match(std::string_view pattern, std::string_view text) {
  auto glob = Glob::parse(pattern);
  EXPECT_TRUE(glob) << pattern;
  return glob && glob->matches(text);
}

std::string refusal(std::string_view pattern) {
  auto glob = Glob::parse(pattern);
  return glob ? "" : glob.error().message;
}

TEST(Glob, MatchesTheWholeText) {
  EXPECT_TRUE(match("a://b", "a://b"));
  EXPECT_FALSE(match("a://b", "a://bc"));
  EXPECT_FALSE(match("a://b", "xa://b"));
  EXPECT_FALSE(match("a://b", ""));
}

TEST(Glob, OneStarStopsAtASlash) {
  EXPECT_TRUE(match("file:///*.ts", "file:///a.ts"));
  EXPECT_TRUE(match("file:///*.ts", "file:///.ts"));
  EXPECT_TRUE(match("*.ts", "a.b.ts"));
  EXPECT_FALSE(match("file:///*.ts", "file:///a/b.ts"));
  EXPECT_TRUE(match("a*b*c", "axxbyybzzc"));
  EXPECT_FALSE(match("a*b*c", "axxb/yybzzc"));
}

TEST(Glob, TwoStarsDoNot) {
  EXPECT_TRUE(match("**", ""));
  EXPECT_TRUE(match("**", "a://b/c?d"));
  EXPECT_TRUE(match("file:///**.ts", "file:///a/b.ts"));
  EXPECT_TRUE(match("file:///src/**", "file:///src/"));
  EXPECT_FALSE(match("file:///src/**", "file:///src"));
  EXPECT_TRUE(match("x://h/**/a*b/*", "x://h/1/2/axb/c"));
  EXPECT_FALSE(match("x://h/**/a*b/*", "x://h/1/2/a/b/c"));
}

TEST(Glob, TwoStarsAndASlashMayBeNothing) {
  EXPECT_TRUE(match("src/**/a.ts", "src/a.ts"));
  EXPECT_TRUE(match("src/**/a.ts", "src/x/y/a.ts"));
  EXPECT_FALSE(match("src/**/a.ts", "src/xa.ts"));
  EXPECT_TRUE(match("**/a.ts", "a.ts"));
  EXPECT_FALSE(match("**/a.ts", "xa.ts"));
  EXPECT_FALSE(match("src**/a.ts", "srca.ts"));
  EXPECT_TRUE(match("**/**/a", "a"));
}

TEST(Glob, OneCharacterIsOneOfUtf8AndNeverASlash) {
  EXPECT_TRUE(match("a?c", "abc"));
  EXPECT_TRUE(match("a?c",
                    "a\xC3\xA9"
                    "c"));
  EXPECT_FALSE(match("a??c",
                     "a\xC3\xA9"
                     "c"));
  EXPECT_FALSE(match("a?c", "a/c"));
  EXPECT_FALSE(match("a?c", "ac"));
}

TEST(Glob, SetsOfCharacters) {
  EXPECT_TRUE(match("[abc]x", "bx"));
  EXPECT_FALSE(match("[abc]x", "dx"));
  EXPECT_TRUE(match("[a-cx-z]", "y"));
  EXPECT_FALSE(match("[!a-c]", "b"));
  EXPECT_TRUE(match("[^a-c]", "d"));
  EXPECT_TRUE(match("[!a]", "\xE2\x82\xAC"));
  EXPECT_TRUE(match("[]a]", "]"));
  EXPECT_TRUE(match("[a-]", "-"));
  EXPECT_TRUE(match("[\\]]", "]"));
  EXPECT_FALSE(match("[!a]", "/"));
  EXPECT_FALSE(match("[+-9]", "/"));
}

TEST(Glob, Alternatives) {
  EXPECT_TRUE(match("*.{ts,js}", "a.js"));
  EXPECT_FALSE(match("*.{ts,js}", "a.rs"));
  EXPECT_TRUE(match("a{,b}c", "ac"));
  EXPECT_TRUE(match("a{,b}c", "abc"));
  EXPECT_TRUE(match("{a,b{c,d*}}e", "bdxxe"));
  EXPECT_FALSE(match("{a,b{c,d*}}e", "be"));
  EXPECT_TRUE(match("{only}", "only"));
  EXPECT_TRUE(match("x://{a/**,b}", "x://a/1/2"));
  EXPECT_TRUE(match("a,b", "a,b"));
}

TEST(Glob, ABackslashTakesTheMeaningAway) {
  EXPECT_TRUE(match("\\*\\?\\[\\{\\\\", "*?[{\\"));
  EXPECT_FALSE(match("\\*", "a"));
}

TEST(Glob, KnowsWhatItBeginsWith) {
  EXPECT_EQ(Glob::parse("file:///src/**")->literal_prefix(), "file:///src/");
  EXPECT_EQ(Glob::parse("a\\*b?")->literal_prefix(), "a*b");
  EXPECT_EQ(Glob::parse("{a,b}")->literal_prefix(), "");
  EXPECT_EQ(Glob::parse("all of it")->literal_prefix(), "all of it");
}

TEST(Glob, RefusesWhatIsMalformed) {
  EXPECT_EQ(refusal(""), "a glob must not be empty");
  EXPECT_EQ(refusal("ab[c"), "in the glob \"ab[c\", at offset 2: a '[' without its ']'");
  EXPECT_EQ(refusal("{a,b"), "in the glob \"{a,b\", at offset 0: a '{' without its '}'");
  EXPECT_EQ(refusal("a}"), "in the glob \"a}\", at offset 1: a '}' without its '{'");
  EXPECT_EQ(refusal("a\\"), "in the glob \"a\\\", at offset 1: a '\\' with nothing after it");
  EXPECT_EQ(refusal("[z-a]"), "in the glob \"[z-a]\", at offset 0: a range that runs backwards");
  EXPECT_NE(refusal("[\xC3\xA9]"), "");
  EXPECT_NE(refusal("[a-\\"), "");
  EXPECT_NE(refusal(std::string(Glob::kMaxLength + 1, 'a')), "");
  EXPECT_NE(refusal("{{{{{{{{{a}}}}}}}}}"), "");
  EXPECT_EQ(refusal("{{{{{{{{a}}}}}}}}"), "");
}

TEST(Glob, HostilePatternsTakeBoundedTime) {
  std::string stars;
  std::string braces;
  while (stars.size() + 4 <= Glob::kMaxLength) stars += "**a*";
  while (braces.size() + 6 <= Glob::kMaxLength) braces += "{a,aa}";
  const std::string text(8192, 'a');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(match(stars, text + "/b"));
  EXPECT_FALSE(match(braces, text));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// What the words of the header say, tried in every way.
bool slow_match(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.starts_with("**")) {
    return slow_match(pattern.substr(2), text) ||
           (!text.empty() && slow_match(pattern, text.substr(1)));
  }
  if (pattern[0] == '*') {
    return slow_match(pattern.substr(1), text) ||
           (!text.empty() && text[0] != '/' && slow_match(pattern, text.substr(1)));
  }
  if (text.empty()) return false;
  const bool same = pattern[0] == '?' ? text[0] != '/' : pattern[0] == text[0];
  return same && slow_match(pattern.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithTheSlowWay) {
  std::mt19937 random(7);
  const auto pick = [&](std::string_view from, std::size_t most) {
    std::string word;
    for (auto n = random() % (most + 1); n > 0; --n) word += from[random() % from.size()];
    return word;
  };
  int matched = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string pattern = "a" + pick("ab/*?*", 8);  // the 'a': no glob is empty
    for (std::size_t at = 0; (at = pattern.find("***")) != std::string::npos;) pattern.erase(at, 1);
    if (pattern.find("/**/") != std::string::npos) continue;
    const std::string text = "a" + pick("ab/", 8);
    const bool expected = slow_match(pattern, text);
    matched += expected ? 1 : 0;
    ASSERT_EQ(match(pattern, text), expected) << pattern << " and " << text;
  }
  EXPECT_GT(matched, 500);
}

}  // namespace
}  // namespace lode
