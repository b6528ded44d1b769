#include "store/yaml_write.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/utf8.h"

namespace lode {
namespace {

std::string written(const Json& value) { return to_yaml({{"k", value}}); }

TEST(YamlWrite, StringsArePlainWhereThatIsSafe) {
  for (const auto* text : {"word", "two words", "1.0.0", "a:b", "http://x.y/z?q=1#f", "it's",
                           "a - b", "ünï", "C#", "50%", "x,y", "a[0]", "nope", "e5", "v2"}) {
    EXPECT_EQ(written(text), std::string("k: ") + text + "\n");
  }
}

TEST(YamlWrite, StringsThatOthersMisreadAreQuoted) {
  for (const auto* text :
       {"true", "Yes", "no",   "on",  "OFF",   "null",  "~",          "1",
        "1.0",  "-3",  "0x1f", "1e5", "1_000", "12:30", "2024-01-01", "2024-1-1 10:00",
        ".inf", ".5",  "<<",   "=",   "- x",   "-",     "--- x",      "a: b",
        "a:",   "#x",  "a #b", "",    " x",    "x ",    "?",          "? x",
        ": x",  "&a",  "*a",   "!t",  "|",     ">",     "%x",         "@x",
        "`x",   "[x]", "{x}",  ", x", "'x'",   "...",   "y"}) {
    EXPECT_EQ(written(text), std::string("k: \"") + text + "\"\n");
  }
  EXPECT_EQ(written("\"x\""), "k: '\"x\"'\n");
  EXPECT_EQ(written("a\\b: c"), "k: 'a\\b: c'\n");
  EXPECT_EQ(written("it's: \"x\""), "k: \"it's: \\\"x\\\"\"\n");
}

TEST(YamlWrite, SpecialCharactersAreEscaped) {
  EXPECT_EQ(written("a\tb"), "k: \"a\\tb\"\n");
  EXPECT_EQ(written(Json(boost::json::string_view("\0\x01\x7f\r", 4))),
            "k: \"\\0\\x01\\x7F\\r\"\n");
  EXPECT_EQ(written("\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF\xEF\xBF\xBF"),
            "k: \"\\x85\\u2028\\uFEFF\\uFFFF\"\n");
}

TEST(YamlWrite, LinesAreABlock) {
  EXPECT_EQ(written("a\nb\n"), "k: |\n  a\n  b\n");
  EXPECT_EQ(written("a\n\nb"), "k: |-\n  a\n\n  b\n");
  EXPECT_EQ(written("a\n\n"), "k: |+\n  a\n\n");
  EXPECT_EQ(written("  a\nb"), "k: |2-\n    a\n  b\n");
  EXPECT_EQ(written("\n"), "k: \"\\n\"\n");
  EXPECT_EQ(written("a\r\nb"), "k: \"a\\r\\nb\"\n");
}

TEST(YamlWrite, NumbersStayWhatTheyAre) {
  EXPECT_EQ(written(1), "k: 1\n");
  EXPECT_EQ(written(1.0), "k: 1.0\n");
  EXPECT_EQ(written(0.1), "k: 0.1\n");
  EXPECT_EQ(written(1e21), "k: 1.0e+21\n");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "k: -.inf\n");
  EXPECT_EQ(written(std::uint64_t{1} << 63U), "k: 9223372036854775808\n");
  EXPECT_EQ(written(nullptr), "k: null\n");
}

TEST(YamlWrite, CollectionsAreBlocks) {
  const auto value = parse_json(
      R"({"a":[1,{"x":1,"z":[2]},[3,[]]],"m":{"q":{"o":"p"},"e":{}},"key: odd":"t\nu","on":1})");
  EXPECT_EQ(to_yaml(value->get_object()),
            "a:\n  - 1\n  - x: 1\n    z:\n      - 2\n  - - 3\n    - []\n"
            "m:\n  q:\n    o: p\n  e: {}\n\"key: odd\": |-\n  t\n  u\n\"on\": 1\n");
  EXPECT_EQ(to_yaml(value->get_object(), {4, 0, "\r\n"}),
            "a:\r\n- 1\r\n- x: 1\r\n  z:\r\n  - 2\r\n- - 3\r\n  - []\r\n"
            "m:\r\n    q:\r\n        o: p\r\n    e: {}\r\n\"key: odd\": |-\r\n    t\r\n    u\r\n"
            "\"on\": 1\r\n");
  EXPECT_EQ(yaml_flow(*value),
            "{a: [1, {x: 1, z: [2]}, [3, []]], m: {q: {o: p}, e: {}}, \"key: odd\": \"t\\nu\", "
            "\"on\": 1}");
}

TEST(YamlWrite, FoldedBlocksAreWrapped) {
  const std::string words(200, 'w');
  std::string text;
  for (int i = 0; i < 30; ++i) text += "word" + std::to_string(i) + " ";
  text += "end";
  const auto form = yaml_string(text + "\n\nnext", YamlStyle::folded, false, {}, {});
  ASSERT_TRUE(form);
  EXPECT_EQ(form->head, ">-");
  const auto read = parse_yaml("k: " + form->head + "\n" + form->tail);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->find("k")->text, text + "\n\nnext");
  EXPECT_LT(form->tail.find('\n'), 82U);
  EXPECT_FALSE(yaml_string("a\n b", YamlStyle::folded, false, {}, {}));
  EXPECT_EQ(yaml_string(words, YamlStyle::folded, false, {}, {})->tail, "  " + words + "\n");
}

// Strings of the pieces that mean something, in every style and place.
TEST(YamlWrite, WhatIsWrittenIsReadAgain) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "b c",
                                                   ": ",
                                                   "#",
                                                   " #",
                                                   "-",
                                                   "- ",
                                                   "'",
                                                   "\"",
                                                   "\\",
                                                   "\n",
                                                   "\n\n",
                                                   " ",
                                                   "\t",
                                                   ",",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   "?",
                                                   "&",
                                                   "*",
                                                   "!",
                                                   "|",
                                                   ">",
                                                   "%",
                                                   "@",
                                                   "`",
                                                   "1",
                                                   ".",
                                                   "e",
                                                   "~",
                                                   "true",
                                                   "é",
                                                   "\r",
                                                   std::string(1, '\0'),
                                                   "\xC2\x85",
                                                   "\xE2\x80\xA9",
                                                   "\xF0\x9F\x98\x80",
                                                   ":",
                                                   "=",
                                                   "<<",
                                                   "---",
                                                   "..."};
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    for (auto n = random() % 6; n > 0; --n) text += kPieces[random() % kPieces.size()];
    const Json value = JsonObject{{text, JsonArray{text, JsonObject{{"x", text}}, JsonArray{text}}},
                                  {"deep", JsonObject{{text, text}}},
                                  {"z", text}};
    const auto block = parse_yaml(to_yaml(value.get_object()));
    ASSERT_TRUE(block) << block.error().message << "\n" << to_yaml(value.get_object());
    ASSERT_TRUE(equal(*block, value)) << to_yaml(value.get_object());
    const auto flow = parse_yaml(yaml_flow(value) + "\n");
    ASSERT_TRUE(flow) << flow.error().message << "\n" << yaml_flow(value);
    ASSERT_TRUE(equal(*flow, value)) << yaml_flow(value);
    for (const auto style : {YamlStyle::plain, YamlStyle::single_quoted, YamlStyle::double_quoted,
                             YamlStyle::literal, YamlStyle::folded}) {
      const auto form = yaml_string(text, style, false, {}, {});
      if (!form) continue;
      const auto whole = "k: " + form->head + "\n" + form->tail + "l: 1\n";
      const auto read = parse_yaml(whole);
      ASSERT_TRUE(read) << read.error().message << "\n" << whole;
      ASSERT_EQ(read->find("k")->text, text) << whole;
      ASSERT_EQ(read->find("k")->kind, YamlKind::string) << whole;
    }
  }
}

}  // namespace
}  // namespace lode
