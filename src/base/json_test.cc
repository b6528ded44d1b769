#include "base/json.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lode {
namespace {

std::string problem(std::string_view text) {
  auto document = JsonDocument::parse(text);
  return document ? "" : document.error().message;
}

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

TEST(JsonDocument, ReadsMembersAndSurvivesAMove) {
  auto parsed = JsonDocument::parse(R"({"a":[1,2.5,"x",true,null],"b":{"c":9007199254740993}})");
  ASSERT_TRUE(parsed);
  JsonView b = parsed->root()["b"];
  JsonDocument moved = std::move(*parsed);
  EXPECT_EQ(b["c"].integer(), 9007199254740993);
  EXPECT_EQ(moved.root()["a"].size(), 5U);
  EXPECT_EQ(moved.root()["a"].text(), R"([1,2.5,"x",true,null])");
  EXPECT_FALSE(moved.root()["missing"].present());
  EXPECT_FALSE(moved.root()["a"].string());
  EXPECT_EQ(to_text(moved.root().copy()),
            R"({"a":[1,2.5,"x",true,null],"b":{"c":9007199254740993}})");
}

TEST(JsonDocument, RefusesWhatRfc8259LeavesOpen) {
  EXPECT_EQ(problem(R"({"a":1,"a":2})"), "the key \"a\" stands twice in one object");
  EXPECT_EQ(problem(R"([{"k":{"x":1,"\u0078":2}}])"), "the key \"x\" stands twice in one object");
  EXPECT_NE(problem("{\"a\":\"\xff\"}"), "");
  EXPECT_NE(problem(R"("\ud800")"), "");
  EXPECT_NE(problem("123456789012345678901234567890"), "");
  EXPECT_NE(problem(""), "");
  EXPECT_NE(problem("{\"a\":1} {"), "");
  EXPECT_EQ(problem(std::string(65, '[') + std::string(65, ']')), "nested deeper than 64 levels");
  EXPECT_EQ(problem(std::string(60, '[') + std::string(60, ']')), "");
}

TEST(JsonDocument, FindsADuplicateAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(problem(text + "\"z\":0}"), "");
  EXPECT_EQ(problem(text + "\"k57\":0}"), "the key \"k57\" stands twice in one object");
}

TEST(JsonWriter, PlacesCommas) {
  std::string out;
  JsonWriter w(out);
  w.begin_object().member("a", 1).key("b").begin_array().value("x").value(2.5).end_array();
  w.member_if("none", "").member("c", true).key("d").null().end_object();
  EXPECT_EQ(out, R"({"a":1,"b":["x",2.5],"c":true,"d":null})");
}

TEST(JsonWriter, WritesWholeDoublesAsIntegers) {
  std::string out;
  JsonWriter(out).begin_array().value(50.0).value(0.1).value(-3.0).end_array();
  EXPECT_EQ(out, "[50,0.1,-3]");
}

// Every byte at every place around the 16-byte step comes back from a parser.
TEST(AppendEscaped, AgreesWithTheParserAtEveryOffset) {
  for (int byte = 0; byte < 128; ++byte) {
    for (std::size_t at = 0; at < 40; ++at) {
      std::string text(40, 'a');
      text[at] = static_cast<char>(byte);
      auto back = JsonDocument::parse("\"" + escaped(text) + "\"");
      ASSERT_TRUE(back) << byte;
      EXPECT_EQ(back->root().string(), text);
    }
  }
  EXPECT_EQ(escaped("\x01\n\"\\é"), "\\u0001\\n\\\"\\\\é");
}

}  // namespace
}  // namespace lode
