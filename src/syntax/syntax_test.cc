#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "syntax/local_syntax.h"

namespace lode {
namespace {

constexpr std::string_view kText = "def add(a, b):\n    return a + b  # sum\n";

class AstTest : public testing::Test {
 protected:
  std::string ast(std::string_view text, const AstOptions& options) {
    auto json = syntax_.ast(*find_language("python"), text, options);
    return json ? *std::move(json) : json.error().message;
  }
  std::string hash(std::string_view text, AstOptions options = {}) {
    options.include_semantic_hash = true;
    const auto json = JsonDocument::parse(ast(text, options));
    EXPECT_TRUE(json);
    return std::string(*json->root()["semantic_hash"].string());
  }

  LocalSyntax syntax_;
};

TEST_F(AstTest, CompactNodesHaveTheirLineAndName) {
  EXPECT_EQ(
      ast("def f(a):\n  pass\n", {.compact = true}),
      R"({"language":"python","ast":{"type":"module","line":1,"children":[)"
      R"({"type":"function_definition","line":1,"name":"f","children":[)"
      R"({"type":"parameters","line":1,"children":[{"type":"identifier","line":1,"text":"a"}]},)"
      R"({"type":"block","line":2,"children":[{"type":"pass_statement","line":2}]}]}]}})");
}

TEST_F(AstTest, AllNodesHaveTheirPlaceAndField) {
  EXPECT_EQ(ast("x=1", {}),
            R"({"language":"python","ast":{"type":"module","start":[1,1],"end":[1,4],"children":[)"
            R"({"type":"expression_statement","start":[1,1],"end":[1,4],"children":[)"
            R"({"type":"assignment","start":[1,1],"end":[1,4],"children":[)"
            R"({"type":"identifier","field":"left","start":[1,1],"end":[1,2],"text":"x"},)"
            R"({"type":"=","start":[1,2],"end":[1,3]},)"
            R"({"type":"integer","field":"right","start":[1,3],"end":[1,4],"text":"1"}]}]}]}})");
}

TEST_F(AstTest, TheDepthIsCutWithTheCountLeftOut) {
  EXPECT_EQ(ast(kText, {.compact = true, .max_depth = 0}),
            R"({"language":"python","ast":{"type":"module","line":1,"left_out":11}})");
  EXPECT_EQ(ast(kText, {.compact = true, .max_depth = 1}),
            R"({"language":"python","ast":{"type":"module","line":1,"children":[)"
            R"({"type":"function_definition","line":1,"left_out":10}]}})");
}

TEST_F(AstTest, OftenUsedTextsAreInATable) {
  const auto json =
      ast("first(second, second, second)", {.compact = true, .use_symbol_table = true});
  EXPECT_NE(json.find(R"("text":"@2")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("symbol_table":{"@1":"identifier","@2":"second"})"), std::string::npos)
      << json;
}

TEST_F(AstTest, ATextThatLooksLikeANameOfTheTableIsInIt) {
  const LocalSyntax syntax;
  const auto json = syntax.ast(*find_language("css"), "@media print {}",
                               {.compact = false, .max_depth = {}, .use_symbol_table = true});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find(R"("@1":"@media")"), std::string::npos) << *json;
}

TEST_F(AstTest, TheHashIsOfTheMeaning) {
  const auto first = hash(kText);
  EXPECT_EQ(first.size(), 32U);
  EXPECT_EQ(hash("def add( a,b ):\n\n  # other\n  return a+b\n"), first);
  EXPECT_EQ(hash(kText, {.compact = true, .max_depth = 1, .use_symbol_table = true}), first);
  EXPECT_NE(hash("def add(a, b):\n    return a - b\n"), first);
  EXPECT_NE(hash("def sum(a, b):\n    return a + b\n"), first);
  EXPECT_NE(hash("a; b"), hash("ab"));
}

TEST_F(AstTest, TooManyNodesAreRefused) {
  const LocalSyntax small({.nodes = 3});
  const auto* python = find_language("python");
  EXPECT_EQ(small.ast(*python, kText, {}).error().code, Code::invalid);
  EXPECT_TRUE(small.ast(*python, kText, {.max_depth = 1}));
}

TEST_F(AstTest, AnyDepthIsWritten) {
  const std::string deep(20'000, '[');
  const auto json = syntax_.ast(*find_language("json"), deep, {.compact = true});
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_TRUE(JsonDocument::parse(*json, {.max_depth = 1000}));
}

class QueryTest : public testing::Test {
 protected:
  Result<QueryAnswer> ask(std::string_view query, std::string_view text = kText) {
    return syntax_.query(*find_language("python"), text, query);
  }
  std::string refusal(std::string_view query) {
    const auto answer = ask(query);
    EXPECT_FALSE(answer) << query;
    if (answer) return {};
    EXPECT_EQ(answer.error().code, Code::invalid);
    return answer.error().message;
  }
  std::vector<std::string> texts(std::string_view query) {
    std::vector<std::string> found;
    const auto answer = ask(query);
    EXPECT_TRUE(answer) << answer.error().message;
    if (!answer) return found;
    for (const auto& capture : answer->captures) found.emplace_back(capture.text);
    return found;
  }

  LocalSyntax syntax_;
};

using Texts = std::vector<std::string>;

TEST_F(QueryTest, CapturesHaveTextAndPlace) {
  const auto answer = ask("(function_definition name: (identifier) @name body: (block) @body)");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->names, (Texts{"name", "body"}));
  EXPECT_EQ(answer->matches, 1U);
  EXPECT_EQ(answer->incomplete, "");
  ASSERT_EQ(answer->captures.size(), 2U);
  EXPECT_EQ(answer->captures[0].text, "add");
  EXPECT_EQ(answer->captures[0].span,
            (Span{.begin = 4, .end = 7, .line = 1, .column = 5, .end_line = 1, .end_column = 8}));
  EXPECT_EQ(answer->captures[1].text, "return a + b  # sum");
}

TEST_F(QueryTest, WhatCapturesNothingIsCapturedAsAWhole) {
  const auto answer = ask("(binary_operator)");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->names, Texts{"match"});
  EXPECT_EQ(texts("(binary_operator)"), Texts{"a + b"});
  EXPECT_EQ(texts("(parameters) ; the (first)\n (binary_operator) @sum"),
            (Texts{"(a, b)", "a + b"}));
  EXPECT_EQ(texts("(binary_operator) @sum \"return\""), (Texts{"return", "a + b"}));
  EXPECT_EQ(texts("[(comment) (parameters)]"), (Texts{"(a, b)", "# sum"}));
  EXPECT_EQ(texts("(comment)+"), Texts{"# sum"});
  EXPECT_EQ(texts("(comment) left: (_)"), (Texts{"a", "# sum"}));
  EXPECT_EQ(texts("((binary_operator) (comment))").size(), 0U);
  // Offsets are those of the query as it was asked.
  EXPECT_EQ(refusal("(comment) (nothing)"), refusal("(comment) (nothing) @x"));
}

TEST_F(QueryTest, PredicatesHold) {
  EXPECT_EQ(texts("((identifier) @i (#eq? @i \"a\"))"), (Texts{"a", "a"}));
  EXPECT_EQ(texts("((identifier) @i (#not-eq? @i \"a\"))"), (Texts{"add", "b", "b"}));
  EXPECT_EQ(texts("((identifier) @i (#match? @i \"^ad+$\"))"), (Texts{"add"}));
  EXPECT_EQ(texts("((identifier) @i (#not-match? @i \"^[ab]$\"))"), (Texts{"add"}));
  EXPECT_EQ(texts("((identifier) @i (#any-of? @i \"b\" \"add\"))"), (Texts{"add", "b", "b"}));
  EXPECT_EQ(texts("((identifier) @i (#not-any-of? @i \"b\" \"add\"))"), (Texts{"a", "a"}));
  EXPECT_EQ(texts("((binary_operator left: (_) @l right: (_) @r) (#eq? @l @r))"), Texts{});
  EXPECT_EQ(texts("((binary_operator left: (_) @l right: (_) @r) (#not-eq? @l @r))"),
            (Texts{"a", "b"}));
}

TEST_F(QueryTest, APredicateIsAboutAllNodesOfACaptureOrAnyOfThem) {
  constexpr std::string_view kTwo = "a\nb\n";
  const auto count = [&](std::string_view predicate) {
    const auto answer =
        ask("((module (expression_statement)+ @s) (" + std::string(predicate) + "))", kTwo);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? answer->captures.size() : 0;
  };
  EXPECT_EQ(count("#match? @s \"[ab]\""), 2U);
  EXPECT_EQ(count("#match? @s \"b\""), 0U);
  EXPECT_EQ(count("#any-match? @s \"b\""), 2U);
  EXPECT_EQ(count("#any-eq? @s \"b\""), 2U);
  EXPECT_EQ(count("#any-eq? @s \"c\""), 0U);
  EXPECT_EQ(count("#any-not-eq? @s \"a\""), 2U);
}

TEST_F(QueryTest, WhatIsWrongIsToldWithItsOffset) {
  EXPECT_EQ(refusal("(functoin)"), "the query at offset 1: Python has no node type \"functoin\"");
  EXPECT_EQ(refusal("(block nane: (_))"), "the query at offset 7: Python has no field \"nane\"");
  EXPECT_EQ(refusal("((block) @a (#eq? @b \"x\"))"),
            "the query at offset 19: no capture @b is made here");
  EXPECT_EQ(refusal("(block"), "the query at offset 6: not the syntax of a query");
  EXPECT_EQ(refusal("(identifier (block))"),
            "the query at offset 12: a pattern that no tree can have");
  EXPECT_EQ(refusal("((block) @a (#like? @a \"x\"))"),
            "the query at offset 0: there is no predicate #like?");
  EXPECT_EQ(refusal("((block) @a (#eq? @a))"),
            "the query at offset 0: #eq? wants a capture and one value");
  EXPECT_TRUE(refusal("((block) @a (#match? @a \"(\"))")
                  .starts_with("the query at offset 0: #match?: missing"));
}

TEST_F(QueryTest, APredicateThatStandsWhereItSaysNothingIsRefused) {
  constexpr std::string_view kWhy =
      ": a predicate stands at the end of its pattern, within its parentheses";
  const auto at = [&](int offset) {
    return "the query at offset " + std::to_string(offset).append(kWhy);
  };
  EXPECT_EQ(refusal("(block) @a (#eq? @a \"x\")"), at(11));
  EXPECT_EQ(refusal("(function_definition name: (#eq? @a \"x\"))"), at(27));
  EXPECT_EQ(refusal("[(block) (#eq? @a \"x\")]"), at(9));
  EXPECT_EQ(refusal("((#eq? @a \"x\"))"), at(1));
  EXPECT_EQ(refusal("((block) @a (#eq? @a (#eq? @a)))"), at(21));
  EXPECT_EQ(refusal("((block) @a ( . (block)))"),
            "the query at offset 12: an anchor stands between nodes");
  EXPECT_TRUE(ask("(module . (function_definition name: (_) @n (#eq? @n \"add\")))"));
}

TEST_F(QueryTest, NothingIsRepeatedTwice) {
  EXPECT_EQ(refusal("(block)*+?"), "the query at offset 8: repeated twice");
  EXPECT_EQ(refusal("(block)* @a ?"), "the query at offset 12: repeated twice");
  EXPECT_EQ(refusal("(block)* @_a_ ?"), "the query at offset 14: repeated twice");
  EXPECT_EQ(refusal("(module _* ?)"), "the query at offset 11: repeated twice");
  EXPECT_EQ(refusal("(((block)*)+)?"), "the query at offset 11: repeated twice");
  EXPECT_EQ(refusal("[(block)* (list)]+"), "the query at offset 17: repeated twice");
  EXPECT_TRUE(ask("(module (function_definition (parameters (identifier)*)?)+ @a)"));
  EXPECT_TRUE(ask("([(block) (list)]+ @a)"));
  EXPECT_TRUE(ask("(module (_)* @a _? @b)"));
  EXPECT_TRUE(ask("((comment)* (function_definition)? @a)"));
}

TEST_F(QueryTest, QueriesAreBounded) {
  EXPECT_EQ(refusal(std::string(5000, ' ')), "the query has more than 4096 bytes");
  EXPECT_EQ(refusal(std::string(65, '(')), "the query at offset 64: nested more than 64 deep");
  // Not in comments and texts.
  EXPECT_TRUE(ask("; " + std::string(65, '(') + "\n(block)"));
  EXPECT_TRUE(ask("((block) @a (#eq? @a \"" + std::string(65, '(') + "\\\"\"))"));
}

TEST_F(QueryTest, AnswersAreBounded) {
  const LocalSyntax small({.captures = 3});
  const auto answer = small.query(*find_language("python"), kText, "(identifier) @i");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->captures.size(), 3U);
  EXPECT_EQ(answer->incomplete, "there are 3 captures or more");
}

TEST_F(QueryTest, AQueryThatWouldRunForEverIsEnded) {
  const LocalSyntax hasty({.time = std::chrono::milliseconds(200), .captures = 1'000'000'000});
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) text += "1,";
  text += "1]";
  const auto answer =
      hasty.query(*find_language("python"), text, "(list (_) @a (_) @b (_) @c (_) @d (_) @e)");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_NE(answer->incomplete, "");
}

TEST(SyntaxMentions, AreNamesAndNotWords) {
  const LocalSyntax syntax;
  const auto lines = [&](std::string_view language, std::string_view text, std::string_view name) {
    std::vector<std::uint32_t> found;
    const auto mentions = syntax.mentions(*find_language(language), text, name);
    for (const auto& span : *mentions) found.push_back(span.line);
    return found;
  };
  using Lines = std::vector<std::uint32_t>;
  EXPECT_EQ(lines("typescript",
                  "import { run } from './run';\n// run it\nconst s = 'run';\nrun(rerun, x.run);\n"
                  "`${run} run`;\n",
                  "run"),
            (Lines{1, 4, 4, 5}));
  EXPECT_EQ(lines("python", "def f():\n  'f'\n  return f\n# f\n", "f"), (Lines{1, 3}));
  EXPECT_EQ(lines("cpp", "struct A { void f(); };\nvoid A::f() { this->f(); }\n", "f"),
            (Lines{1, 2, 2}));
  EXPECT_EQ(lines("go", "package a\nfunc F() {}\n", "G"), Lines());
  EXPECT_EQ(lines("rust", "fn grün() { grün() }", "grün"), (Lines{1, 1}));
}

}  // namespace
}  // namespace lode
