#include "store/yaml.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lode {
namespace {

std::string json(std::string_view yaml) {
  auto root = parse_yaml(yaml);
  return root ? to_text(to_json(*root)) : "! " + root.error().message;
}

TEST(Yaml, ScalarsAreThoseOfTheCoreSchema) {
  EXPECT_EQ(json("[null, ~, Null, NULL]"), "[null,null,null,null]");
  EXPECT_EQ(json("[true, True, FALSE]"), "[true,true,false]");
  EXPECT_EQ(json("[yes, no, on, off, y, n]"), R"(["yes","no","on","off","y","n"])");
  EXPECT_EQ(json("[1, -2, +3, 0o17, 0x1F, 0123]"), "[1,-2,3,15,31,123]");
  EXPECT_EQ(json("[1.5, -.5, 1e3, 1.]"), "[1.5,-0.5,1000,1]");
  EXPECT_EQ(json("[1_000, 12:30, 0b11, 1.0.0, e3, -, .]"),
            R"(["1_000","12:30","0b11","1.0.0","e3","-","."])");
  EXPECT_EQ(json("[2024-01-01, 2024-01-01T10:00:00Z]"), R"(["2024-01-01","2024-01-01T10:00:00Z"])");
  EXPECT_EQ(json("['1', \"true\", !!str 5, ! 6]"), R"(["1","true","5","6"])");
  EXPECT_EQ(json("[!!int '7', !!float 1, !other x]"), R"([7,1,"x"])");
  EXPECT_EQ(json("a:\nb: ''\n"), R"({"a":null,"b":""})");
}

TEST(Yaml, NumbersAtTheEdge) {
  const auto root =
      parse_yaml("[9223372036854775807, 9223372036854775808, .inf, -.inf, .nan, 1e999]");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->items[0].integer, INT64_MAX);
  EXPECT_EQ(root->items[1].kind, YamlKind::number);
  EXPECT_EQ(root->items[1].number, 9223372036854775808.0);
  EXPECT_EQ(root->items[1].text, "9223372036854775808");
  EXPECT_TRUE(std::isinf(root->items[2].number));
  EXPECT_LT(root->items[3].number, 0);
  EXPECT_TRUE(std::isnan(root->items[4].number));
  EXPECT_TRUE(equal(root->items[4], to_json(root->items[4])));
  EXPECT_TRUE(std::isinf(root->items[5].number));
}

TEST(Yaml, KeepsTheTextAndTheLine) {
  const auto root = parse_yaml("version: 1.0\n\nlist:\n  - a\n  -\n    b: 2\n", {}, 2);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("version")->text, "1.0");
  EXPECT_EQ(root->members[0].line, 2U);
  EXPECT_EQ(root->members[1].line, 4U);
  EXPECT_EQ(root->find("list")->line, 5U);
  EXPECT_EQ(root->find("list")->items[1].line, 7U);
  EXPECT_EQ(root->find("none"), nullptr);
}

TEST(Yaml, SpansAreBytes) {
  const std::string text = "é: &x 'ü' # c\nb: |\n  ß\n\nc: [ä, ö]\n";
  const auto root = parse_yaml(text);
  ASSERT_TRUE(root);
  const auto written = [&](const YamlSpan& span, std::size_t from) {
    return text.substr(from, span.end - from);
  };
  const auto& first = root->members[0].value.span;
  EXPECT_EQ(written(first, first.begin), "&x 'ü'");
  EXPECT_EQ(written(first, first.content), "'ü'");
  EXPECT_EQ(written(root->members[1].value.span, root->members[1].value.span.begin), "|\n  ß");
  EXPECT_EQ(written(root->members[2].value.span, root->members[2].value.span.begin), "[ä, ö]");
}

TEST(Yaml, KeysInOrderAndOnce) {
  EXPECT_EQ(json("b: 1\na: 2\n3: x\n"), R"({"b":1,"a":2,"3":"x"})");
  EXPECT_EQ(json("a: 1\nb: 2\n\"a\": 3\n"),
            "! line 3: the key \"a\" stands twice; first on line 1");
  EXPECT_EQ(json("x:\n  - {a: 1, a: 1}\n"),
            "! line 2: the key \"a\" stands twice; first on line 2");
  EXPECT_EQ(json("? [a]\n: b\n"),
            "! line 1: a key must be a word or a text, no list, map or alias");
}

TEST(Yaml, AliasesAreCopies) {
  EXPECT_EQ(json("a: &x [1, {b: 2}]\nc: *x\n"), R"({"a":[1,{"b":2}],"c":[1,{"b":2}]})");
  EXPECT_EQ(json("a: &x 1\nb: &x 2\nc: *x\n"), R"({"a":1,"b":2,"c":2})");
  EXPECT_EQ(json("base: &b {k: 1}\nuse:\n  <<: *b\n"), R"({"base":{"k":1},"use":{"<<":{"k":1}}})");
  EXPECT_EQ(json("a: *x\n"), "! line 1: *x names nothing that stands before it");
  EXPECT_EQ(json("a: &x\n  - *x\n"), "! line 2: an alias stands inside what it names");
}

TEST(Yaml, AliasBombsAreRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const auto name = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int n = 0; n < 10; ++n) bomb += name + ", ";
    bomb += "]\n";
  }
  EXPECT_EQ(json(bomb), "! line 5: with its aliases more than 100000 values");

  const std::string large = "a: &x " + std::string(100'000, 'x') + "\nb: [";
  std::string copies = large;
  for (int i = 0; i < 30; ++i) copies += "*x, ";
  EXPECT_EQ(json(copies + "]\n"), "! line 2: aliases that copy more than 2097152 bytes");

  std::string deep = "a0: &a0 x\n";
  for (int i = 1; i < 70; ++i) {
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) +
            "]\n";
  }
  EXPECT_EQ(json(deep), "! line 65: with its alias nested deeper than 64 levels");
}

TEST(Yaml, Limits) {
  EXPECT_TRUE(parse_yaml(std::string(64, '[') + std::string(64, ']')));
  EXPECT_EQ(json(std::string(66, '[') + std::string(66, ']')),
            "! line 1: nested deeper than 64 levels");
  EXPECT_EQ(json(std::string(1'000'000, '[')), "! line 1: nested deeper than 64 levels");
  EXPECT_EQ(parse_yaml("[a, b, c]", {.nodes = 3}).error().message, "line 1: more than 3 values");
  EXPECT_TRUE(parse_yaml("[a, b]", {.nodes = 3}));
  EXPECT_EQ(parse_yaml("abcd", {.bytes = 3}).error().message, "line 1: over 3 bytes of YAML");
}

TEST(Yaml, ErrorsSayTheLineInWords) {
  EXPECT_EQ(json("a: 1\nb: c: d\n"),
            "! line 2: a ':' is not expected here; a text with a colon needs quotes");
  EXPECT_EQ(json("a: 1\n  b: 2\n"),
            "! line 2: a ':' is not expected here; a text with a colon needs quotes");
  EXPECT_EQ(json("a:\n    b: 1\n  c: 2\n"),
            "! line 3: this does not belong to the keys above; check its indentation");
  EXPECT_EQ(json("a: 'x\nb: 1\n"), "! line 2: a quote that is not closed");
  EXPECT_EQ(json("a: [x\nb: 1\n"), "! line 2: a list in '[' that is not closed or lacks a ','");
  EXPECT_EQ(json("a: @x\n"),
            "! line 1: a value cannot begin with this character; put it in quotes");
  EXPECT_EQ(json("a:\n\tb: 1\n"),
            "! line 2: a value cannot begin with this character; put it in quotes");
  EXPECT_EQ(json("a: 1\nword\n"), "! line 2: a key without a ':'");
  EXPECT_EQ(json("a: \"\\q\"\n"), "! line 1: an escape with '\\' that YAML does not know");
  EXPECT_EQ(json("a: 1\nb: \xFF\n"), "! line 2: not UTF-8");
  EXPECT_EQ(json("a: 1\nb: \x01\n"), "! line 2: a control character");
  EXPECT_EQ(json("a: 1\n---\nb: 2\n"), "! line 2: a second document begins here");
}

TEST(Yaml, EmptyIsNull) {
  for (const auto* text : {"", "\n", "# only a comment\n", "---\n", "---\n...\n"}) {
    const auto root = parse_yaml(text);
    ASSERT_TRUE(root) << text;
    EXPECT_EQ(root->kind, YamlKind::null);
    EXPECT_EQ(root->style, YamlStyle::empty);
  }
}

}  // namespace
}  // namespace lode
