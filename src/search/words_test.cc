#include "search/words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lode {
namespace {

using Words = std::vector<std::string>;

Words folded(std::string_view text) {
  Words words;
  split_words(text, [&](std::string_view word, std::string_view) { words.emplace_back(word); });
  return words;
}

Words surfaces(std::string_view text) {
  Words words;
  split_words(text, [&](std::string_view, std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(WordsTest, Prose) {
  EXPECT_EQ(folded("The quick, brown fox (1984) jumps."),
            (Words{"the", "quick", "brown", "fox", "1984", "jumps"}));
  EXPECT_EQ(folded(""), Words{});
  EXPECT_EQ(folded(" \t\n--- *** ___ ' "), Words{});
}

TEST(WordsTest, NamesGiveTheirPartsAndTheWhole) {
  const Words read_file = {"read", "file", "readfile"};
  EXPECT_EQ(folded("readFile"), read_file);
  EXPECT_EQ(folded("ReadFile"), read_file);
  EXPECT_EQ(folded("read_file"), read_file);
  EXPECT_EQ(folded("read-file"), read_file);
  EXPECT_EQ(folded("__read__file__"), read_file);
  EXPECT_EQ(folded("READ_FILE"), read_file);
  EXPECT_EQ(folded("HTTPServer"), (Words{"http", "server", "httpserver"}));
  EXPECT_EQ(folded("parseHTTPRequest"), (Words{"parse", "http", "request", "parsehttprequest"}));
  EXPECT_EQ(folded("std::vector<int>"), (Words{"std", "vector", "int"}));
}

TEST(WordsTest, ADashIsNoJoint) {
  EXPECT_EQ(folded("one--two - three -four five-"), (Words{"one", "two", "three", "four", "five"}));
}

TEST(WordsTest, DigitsBelongToTheLettersBefore) {
  EXPECT_EQ(folded("utf8 sha256sum base64Encode x86_64"),
            (Words{"utf8", "sha256sum", "base64", "encode", "base64encode", "x86", "64", "x8664"}));
}

TEST(WordsTest, EnglishEndings) {
  EXPECT_EQ(folded("it's the users' file; don't, we'll, l'eau, O'Brien's"),
            (Words{"it", "the", "users", "file", "don", "we", "l", "eau", "o", "brien"}));
  EXPECT_EQ(folded("it\u2019s 'tis"), (Words{"it", "tis"}));
}

TEST(WordsTest, Unicode) {
  EXPECT_EQ(folded("Straße CAFÉ cafe\u0301 ﬁne Ωμέγα Ёлка"),
            (Words{"strasse", "cafe", "cafe", "fine", "ωμεγα", "елка"}));
  EXPECT_EQ(folded("CAFE\u0301S"), Words{"cafes"});
  EXPECT_EQ(folded("größeÄndern"), (Words{"grosse", "andern", "grosseandern"}));
  EXPECT_EQ(folded("한국어 हिन्दी"), (Words{"한국어", "हिन्दी"}));
  EXPECT_EQ(folded("a\u2014b\u00A0c"), (Words{"a", "b", "c"}));
}

TEST(WordsTest, ScriptsWithoutSpaces) {
  EXPECT_EQ(folded("東京都"), (Words{"東", "京", "東京", "都", "京都"}));
  EXPECT_EQ(folded("MCPは、楽"), (Words{"mcp", "は", "楽"}));
  EXPECT_EQ(surfaces("ｶﾅ"), (Words{"ｶ", "ﾅ", "ｶﾅ"}));
  EXPECT_EQ(folded("ｶﾅ"), folded("カナ"));
}

TEST(WordsTest, BytesThatAreNoUtf8Separate) {
  EXPECT_EQ(folded("one\xFFtwo\xC3"), (Words{"one", "two"}));
  EXPECT_EQ(folded("\xE6\x9D"), Words{});
  EXPECT_EQ(folded(std::string_view("a\0b", 3)), (Words{"a", "b"}));
}

TEST(WordsTest, SurfacesAreWhatStandsThere) {
  EXPECT_EQ(surfaces("(Café) getURL read_file"),
            (Words{"Café", "get", "URL", "getURL", "read", "file", "read_file"}));
}

TEST(WordsTest, WhatIsTooLongIsLeftOut) {
  const std::string word(kLongestTerm, 'a');
  EXPECT_EQ(folded(word + " b"), (Words{word, "b"}));
  EXPECT_EQ(folded(word + "a b"), Words{"b"});
  EXPECT_EQ(folded(word + "_b"), (Words{word, "b"}));

  std::string data;  // as base64 looks
  while (data.size() < 100'000) data += "aB3dE";
  EXPECT_EQ(folded("x " + data + " y"), (Words{"x", "y"}));
}

}  // namespace
}  // namespace lode
