#include "syntax/outline.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "syntax/local_syntax.h"
#include "syntax/text.h"

namespace lode {
namespace {

// One for all tests: queries are compiled once.
const Syntax& syntax() {
  static const LocalSyntax instance;
  return instance;
}

class OutlineTest : public testing::Test {
 protected:
  Outline outline(std::string_view language, std::string_view text) {
    auto made = syntax().outline(*find_language(language), text);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }

  std::string find(std::string_view language, std::string_view text, std::string_view path) {
    const auto made = outline(language, text);
    const auto found = find_symbol(made, path);
    return found ? std::string((*found)->span.of(text)) : found.error().message;
  }
};

constexpr std::string_view kClass =
    "namespace a {\n"
    "class B {\n"
    "  void f();\n"
    "  void g(int) {}\n"
    "  void g(char) {}\n"
    "};\n"
    "}\n"
    "void a::B::f() { }\n";

TEST_F(OutlineTest, NothingIsInNothing) {
  for (const auto& language : languages()) {
    const auto made = outline(language.id, "");
    EXPECT_TRUE(made.symbols.empty()) << language.id;
    EXPECT_EQ(made.lines, 0U);
  }
}

TEST_F(OutlineTest, APathLeadsFromTheOutside) {
  const auto made = outline("cpp", kClass);
  std::vector<std::string> paths;
  for (const auto& symbol : made.symbols) paths.push_back(made.path(symbol));
  EXPECT_EQ(paths, (std::vector<std::string>{"a", "a.B", "a.B.f", "a.B.g", "a.B.g", "a.B.f"}));
}

TEST_F(OutlineTest, ASymbolIsFoundByItsPathOrTheEndOfIt) {
  EXPECT_EQ(find("cpp", kClass, "a.B.f"), "void a::B::f() { }");
  EXPECT_EQ(find("cpp", kClass, "B::f"), "void a::B::f() { }");
  EXPECT_EQ(find("cpp", kClass, "f"), "void a::B::f() { }");
  EXPECT_EQ(find("go", "package p\nfunc (s *S) F() {}\n", "S.F"), "func (s *S) F() {}");
  EXPECT_EQ(find("python", "class A:\n  @x\n  def f(self): pass\n", "A.f"),
            "@x\n  def f(self): pass");
  EXPECT_EQ(find("rust", "impl<T> A<T> { fn f() {} }", "A.f"), "fn f() {}");
}

TEST_F(OutlineTest, SeveralSymbolsAreListed) {
  EXPECT_EQ(find("cpp", kClass, "g"),
            "g is one of several: a.B.g:4 (method, lines 4-4), a.B.g:5 (method, lines 5-5)");
  std::string many;
  for (int i = 0; i < 25; ++i) many += "void f(int a) {}\n";
  EXPECT_TRUE(find("cpp", many, "f").ends_with("(function, lines 20-20) and 5 more"));
}

TEST_F(OutlineTest, OneOfSeveralIsFoundByItsPlace) {
  EXPECT_EQ(find("cpp", kClass, "g:5"), "void g(char) {}");
  EXPECT_EQ(find("cpp", kClass, "a::B::g:4"), "void g(int) {}");
  EXPECT_EQ(find("cpp", kClass, "f:3"), "void f();");
  EXPECT_EQ(find("cpp", kClass, "g:6"), "the file has no symbol g:6");
  // The line of its name, where something stands above it.
  constexpr std::string_view kProperty =
      "class A:\n  @property\n  def f(self): pass\n  @f.setter\n  def f(self, v): pass\n";
  EXPECT_EQ(find("python", kProperty, "A.f:5"), "@f.setter\n  def f(self, v): pass");
  EXPECT_EQ(find("python", kProperty, "A.f:2"), find("python", kProperty, "A.f:3"));
  constexpr std::string_view kLine = "function f(a) {} function f(b) {}";
  EXPECT_EQ(find("javascript", kLine, "f:1"),
            "f:1 is one of several: f:1:1 (function, lines 1-1), f:1:18 (function, lines 1-1)");
  EXPECT_EQ(find("javascript", kLine, "f:1:18"), "function f(b) {}");
}

TEST_F(OutlineTest, EachSymbolIsFoundByItsSelector) {
  const auto made = outline("cpp", kClass);
  EXPECT_EQ(symbol_selectors(made),
            (std::vector<std::string>{"a", "a.B", "a.B.f:3", "a.B.g:4", "a.B.g:5", "a.B.f"}));
  for (const auto& [language, text] :
       {std::pair<std::string_view, std::string_view>{"cpp", kClass},
        {"javascript", "function f(a) {} function f(b) {}\nclass f { f() {} }\n"},
        {"markdown", "# ...\n# a.b/c\n## Notes: 12\n# a.b/c\n"}}) {
    const auto each = outline(language, text);
    const auto selectors = symbol_selectors(each);
    for (std::size_t i = 0; i < selectors.size(); ++i) {
      const auto found = find_symbol(each, selectors[i]);
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(*found, &each.symbols[i]) << selectors[i];
    }
  }
}

TEST_F(OutlineTest, NoSymbolIsFound) {
  EXPECT_EQ(find("cpp", kClass, "h"), "the file has no symbol h");
  EXPECT_EQ(find("cpp", kClass, "xB.f"), "the file has no symbol xB.f");
  EXPECT_EQ(find("cpp", kClass, ""), "the file has no symbol ");
  EXPECT_EQ(find("cpp", kClass, "::"), "the file has no symbol ::");
}

TEST_F(OutlineTest, LongSignaturesAreCutBetweenCharacters) {
  std::string text = "def f(";
  for (int i = 0; i < 200; ++i) text += "ü" + std::to_string(i) + ",";
  text += "): pass";
  const auto made = outline("python", text);
  const auto signature = made.signature(made.symbols[0]);
  EXPECT_LE(signature.size(), 245U);
  EXPECT_TRUE(signature.ends_with("…"));
  EXPECT_TRUE(check_text(signature));
}

TEST_F(OutlineTest, StructureIsMarkdown) {
  EXPECT_EQ(
      structure(outline("python", "import os\n# A thing.\nclass A:\n  def f(self):\n    x = = 1\n"),
                "a.py"),
      "# a.py\n\nPython, 5 lines, 1 class, 1 method, 1 import, 1 export, 1 syntax error\n\n"
      "- class **A** (line 3): A thing.\n"
      "  - method **f** (line 4)\n");
  EXPECT_EQ(structure(outline("json", ""), "a.json"), "# a.json\n\nJSON, 0 lines\n");
}

TEST_F(OutlineTest, DeepNestingIsCutAndCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "{\"a\":";
  text += "1";
  for (int i = 0; i < 100; ++i) text += "}";
  const auto made = outline("json", text);
  EXPECT_EQ(made.symbols.size(), 65U);
  EXPECT_EQ(made.symbols_left_out, 35U);
  EXPECT_NE(structure(made, "a").find("35 symbols left out"), std::string::npos);
}

TEST(OutlineLimitsTest, SymbolsAndProblemsAreCounted) {
  const LocalSyntax syntax({.symbols = 2, .problems = 1});
  const auto made = syntax.outline(*find_language("json"), "{\"a\":1,\"b\":2,\"c\":3, ?, ?:4, %}");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->symbols.size(), 2U);
  EXPECT_GE(made->symbols_left_out, 1U);
  EXPECT_EQ(made->problems.size(), 1U);
  EXPECT_GE(made->problems_left_out, 1U);
}

TEST(OutlineLimitsTest, LengthAndTime) {
  const LocalSyntax small({.bytes = 4});
  EXPECT_EQ(small.outline(*find_language("json"), "[1, 2]").error().code, Code::unsupported);
  const LocalSyntax hasty({.time = std::chrono::milliseconds(0)});
  const std::string text(100'000, '[');
  EXPECT_EQ(hasty.outline(*find_language("json"), text).error().code, Code::timeout);
}

TEST_F(OutlineTest, WhatIsNoTextIsRefused) {
  const auto* python = find_language("python");
  EXPECT_EQ(syntax().outline(*python, std::string_view("a\0b", 3)).error().code, Code::unsupported);
  EXPECT_EQ(syntax().outline(*python, "a = '\xE9'").error().message, "not UTF-8 text: line 1");
}

TEST_F(OutlineTest, AModifierIsAboutEveryNameOfItsDeclaration) {
  const auto made = outline("c", "static int a, b;\nint c;\nextern int d(void);\nstatic int *e;\n");
  std::string private_names;
  for (const auto& symbol : made.symbols) {
    if (symbol.visibility == Visibility::private_) private_names += symbol.name;
  }
  EXPECT_EQ(private_names, "abe");
  const auto java = outline("java", "class A {\n  @X(1) private int a, b;\n  int c;\n}\n");
  ASSERT_EQ(java.symbols.size(), 4U);
  EXPECT_EQ(java.symbols[1].visibility, Visibility::private_);
  EXPECT_EQ(java.symbols[2].visibility, Visibility::private_);
  EXPECT_EQ(java.symbols[3].visibility, Visibility::internal);
}

TEST_F(OutlineTest, LongLinesListsAndNestingAreRead) {
  std::string comments(50'000, ' ');
  for (int i = 0; i < 10'000; ++i) comments += "/**/";
  EXPECT_TRUE(outline("c", comments).symbols.empty());
  std::string names = "static int a";
  for (int i = 0; i < 10'000; ++i) names += ",a";
  EXPECT_EQ(outline("c", names + ";").symbols.size(), 10'001U);
  std::string uses = "use ";
  for (int i = 0; i < 40; ++i) uses += "a::{b,";
  const auto made = outline("rust", uses + std::string(40, '}') + ";");
  ASSERT_EQ(made.imports.size(), 40U);
  EXPECT_EQ(made.imports[1].source, "a::a");
  EXPECT_EQ(made.imports[39].source, made.imports[15].source);
}

TEST_F(OutlineTest, ManyThreadsMayAsk) {
  const LocalSyntax fresh;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (const auto id : {"go", "json", "lua", "toml", "java"}) {
        EXPECT_TRUE(fresh.outline(*find_language(id), "a = 1\n"));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

// A pattern that held each name open until the source comes would run into the limit of time.
TEST_F(OutlineTest, ManyNamesFromOneSource) {
  constexpr std::size_t kNames = 5000;
  std::string names;
  for (std::size_t i = 0; i < kNames; ++i) {
    names += "n" + std::to_string(i) + (i % 2 == 0 ? "," : " as m" + std::to_string(i) + ",\n");
  }
  const auto text = "import d, {" + names + "} from './a';\nexport {" + names + "} from './b';\n";
  const auto made = outline("typescript", text);
  ASSERT_EQ(made.imports.size(), kNames + 2);
  EXPECT_EQ(made.imports[0].name, "default");
  EXPECT_EQ(made.imports[2].name, "n1");
  EXPECT_EQ(made.imports[2].alias, "m1");
  EXPECT_EQ(made.imports[2].source, "./a");
  EXPECT_EQ(made.imports[2].span.line, 1U);
  EXPECT_EQ(made.imports.back().source, "./b");
  ASSERT_EQ(made.exports.size(), kNames);
  EXPECT_EQ(made.exports[1].name, "n1");
  EXPECT_EQ(made.exports[1].alias, "m1");
  EXPECT_EQ(made.exports[1].source, "./b");
}

}  // namespace
}  // namespace lode
