#include "providers/files/search_text.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "providers/files/readable.h"

namespace lode {
namespace {

bool goes_on() { return false; }

std::string found(const std::string& bytes, const Needle& needle, const HitStyle& style = {},
                  std::size_t most = 1000) {
  const auto search = TextSearch::compile(needle);
  if (!search) return search.error().message;
  const auto text = readable(bytes);
  std::string out;
  append_hits(out, text, search->search(text, most, goes_on), style);
  EXPECT_TRUE(valid_utf8(out));
  return out;
}

Needle regex(std::string text) { return {std::move(text), true, false}; }

TEST(SearchText, FindsLinesOnce) {
  EXPECT_EQ(found("a b\nc\nb b b\n", {"b"}), "1: a b\n3: b b b\n");
  EXPECT_EQ(found("b", {"b"}), "1: b\n");
  EXPECT_EQ(found("", {"b"}), "");
  EXPECT_EQ(found("B\n", {"b"}), "");
  EXPECT_EQ(found("B\nÄ\n", {"b", false, true}), "1: B\n");
  EXPECT_EQ(found("B\nÄ\n", {"ä", false, true}), "2: Ä\n");
  EXPECT_EQ(found("a.c\nabc\n", {"a.c"}), "1: a.c\n");
  EXPECT_EQ(found("a.c\nA.C\nabc\n", {"a.c", false, true}), "1: a.c\n2: A.C\n");
  EXPECT_EQ(found("x\nx\nx\n", {"x"}, {}, 2), "1: x\n2: x\n");
}

TEST(SearchText, RegularExpressionsStayInALine) {
  EXPECT_EQ(found("ab\nb\ncb\n", regex("^b|c")), "2: b\n3: cb\n");
  EXPECT_EQ(found("a \nb\n", regex(R"(a\s+b)")), "");
  EXPECT_EQ(found("a\nb\n", regex("a[^x]b")), "");
  EXPECT_EQ(found("a\n\nb\n\n", regex("^$")), "2: \n4: \n");
  EXPECT_EQ(found("a\nb", regex("$")), "1: a\n2: b\n");
  EXPECT_EQ(found("x\ny\n", regex(R"(\Ay|\Ax)")), "1: x\n");
  EXPECT_EQ(found("HALLO\n", {"h.l+o", true, true}), "1: HALLO\n");
}

TEST(SearchText, MatchesOfSeveralLinesAreShownWhole) {
  EXPECT_EQ(found("a\nb\nc\nb\n", {"b\nc"}), "2: b\n3: c\n");
  EXPECT_EQ(found("a\nb\n", {"a\n"}), "1: a\n");
  EXPECT_EQ(found("a\nb\nc\n", regex(R"(a\nb)")), "1: a\n2: b\n");
  EXPECT_EQ(found("a\nb\nc\na\n", regex("(?s)b.*a")), "2: b\n3: c\n4: a\n");
  EXPECT_EQ(found("a\r\nb\r\n", {"a\nb"}), "1: a\n2: b\n");
  EXPECT_EQ(found("a\r\nb\r\n", {"a\r\nb"}), "1: a\n2: b\n");
}

TEST(SearchText, AnInvalidExpressionIsNamed) {
  EXPECT_EQ(found("", regex("a(b")), "\"content\" is no regular expression: missing ): a(b");
  EXPECT_NE(found("", regex("(?:a{1000}){1000}")).find("regular expression"), std::string::npos);
  EXPECT_EQ(found("", regex("(?:abcdefgh){1000}(?:abcdefgh){1000}")),
            "\"content\" is too large a regular expression");
}

TEST(SearchText, ShowsLinesAround) {
  const std::string text = "1\n2\n3\nx\n5\n6\n7\nx\n9\n10\n";
  EXPECT_EQ(found(text, {"x"}, {1}), "3- 3\n4: x\n5- 5\n--\n7- 7\n8: x\n9- 9\n");
  EXPECT_EQ(found(text, {"x"}, {2}), "2- 2\n3- 3\n4: x\n5- 5\n6- 6\n7- 7\n8: x\n9- 9\n10- 10\n");
  EXPECT_EQ(found(text, {"x"}, {9}),
            "1- 1\n2- 2\n3- 3\n4: x\n5- 5\n6- 6\n7- 7\n8: x\n9- 9\n10- 10\n");
  EXPECT_EQ(found("x\nx\n", {"x"}, {1}), "1: x\n2: x\n");
}

TEST(SearchText, CutsLongLinesAroundTheMatch) {
  const auto line = std::string(1000, 'a') + "needle" + std::string(1000, 'b');
  EXPECT_EQ(found(line, {"needle"}, {0, 30}),
            "1: …" + std::string(10, 'a') + "needle" + std::string(14, 'b') + "…\n");
  EXPECT_EQ(found("needle" + line, {"needle"}, {0, 10}), "1: needleaaaa…\n");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "ä";
  const auto cut = found(wide + "x" + wide, {"x"}, {0, 21});
  EXPECT_NE(cut.find('x'), std::string::npos);
  EXPECT_LT(cut.size(), 40U);
}

TEST(SearchText, WhatIsNoUtf8IsReplaced) {
  EXPECT_EQ(found("a\xff"
                  "b\xc3\n",
                  {"b"}),
            "1: a\xef\xbf\xbd"
            "b\xef\xbf\xbd\n");
  EXPECT_EQ(found("\xed\xa0\x80 b", {"b"}), "1: \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd b\n");
  EXPECT_EQ(found("\xef\xbb\xbf"
                  "b\r\n",
                  regex("^b$")),
            "1: b\n");
  EXPECT_EQ(found("a\rb\r\n", {"b"}), "1: a\rb\n");
  EXPECT_EQ(found("\xef\xbb\xbf"
                  "b\n",
                  {"\xef\xbb\xbf"}),
            "");
}

TEST(SearchText, EndsWhenThereIsNoMoreRoom) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x\n";
  const auto search = TextSearch::compile({"x"});
  const auto hits = search->search(text, 1000, goes_on);
  ASSERT_EQ(hits.size(), 100U);
  std::string out;
  EXPECT_EQ(append_hits(out, text, hits, {0, 240, 20}), 4U);
  EXPECT_EQ(out, "1: x\n2: x\n3: x\n4: x\n");
}

TEST(SearchText, EndsWhenAsked) {
  const std::string text(1000, '\n');
  int asked = 0;
  const auto hits =
      TextSearch::compile(regex("^"))->search(text, 1000, [&] { return ++asked > 3; });
  EXPECT_EQ(hits.size(), 3U);
}

// Pieces end at line ends and lose nothing.
TEST(SearchText, FindsAllInALargeText) {
  std::string text;
  std::size_t wanted = 0;
  for (int i = 0; text.size() < 5 * TextSearch::kPiece; ++i) {
    text += i % 7 == 0 ? "xx\n" : i % 5 == 0 ? "\n" : "some words\n";
    wanted += i % 7 == 0 ? 1 : 0;
  }
  for (const auto& needle :
       {Needle{"xx"}, regex("^xx$"), regex(R"(\bxx)"), Needle{"XX", false, true}}) {
    const auto hits = TextSearch::compile(needle)->search(text, text.size(), goes_on);
    EXPECT_EQ(hits.size(), wanted) << needle.text;
    EXPECT_EQ(hits.back().line, line_at(text, hits.back().begin));
  }
}

}  // namespace
}  // namespace lode
