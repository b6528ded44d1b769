#include "providers/code/symbols_json.h"

#include <gtest/gtest.h>

#include "providers/code/aspects.h"
#include "syntax/local_syntax.h"

namespace lode {
namespace {

std::string symbols(std::string_view language, std::string_view text,
                    SymbolsShape shape = SymbolsShape::small) {
  static const LocalSyntax syntax;
  const auto outline = syntax.outline(*find_language(language), text);
  std::string out;
  JsonWriter writer(out);
  write_symbols(writer, *outline, shape);
  return out;
}

TEST(SymbolsJson, SaysOnceWhatIsRepeated) {
  EXPECT_EQ(symbols("cpp",
                    "namespace a {\nclass B {\n public:\n  int f(int x) const;\n  int g();\n "
                    "private:\n  int h_;\n};\nint B::f(int x) const { return x; }\n}\n"),
            R"j({"exported namespace":[["1-10 a",{"exported class":[["2-8 B",)j"
            R"j({"method":["4 f(int x) const -> int","5 g() -> int"],"private field":["7 h_"]}]],)j"
            R"j("function":["9 B::f(int x) const -> int"]}]]})j");
  EXPECT_EQ(symbols("python", ""), "{}");
}

TEST(SymbolsJson, ANameThatItsKeywordHasTooIsTheName) {
  EXPECT_EQ(symbols("python", "def f(a): pass\ndef e(b): pass\n"),
            R"j({"exported function":["1 f(a)","2 e(b)"]})j");
  EXPECT_EQ(symbols("go", "package p\nfunc (n *T) un(c int) error { return nil }\n"),
            R"j({"package":["1 p"],"internal method":["2 T.un(c int) error"]})j");
}

TEST(SymbolsJson, LongCommentsAndSignaturesAreCut) {
  const auto first =
      symbols("python", "# Says it. And goes on and on and on and on.\ndef f(): pass\n");
  EXPECT_EQ(first, R"j({"exported function":["2 f() // Says it"]})j");
  const auto second =
      symbols("python", "# " + std::string(30, 'x') + " more words here\ndef f(): pass\n");
  EXPECT_NE(second.find("x more …\""), second.npos) << second;
  const auto third = symbols("go",
                             "package p\nfunc F(first string, second string, third string, "
                             "fourth string) error { return nil }\n");
  EXPECT_NE(third.find("F(first string, second string, third string, fourth …\""), third.npos)
      << third;
}

TEST(SymbolsJson, PlainNamesStandTogether) {
  EXPECT_EQ(
      symbols("cpp", "enum class A { a, b, c };\nstruct B {\n  int d;\n  int e;\n\n  int f;\n};\n"),
      R"j({"exported enum":[["1 A",{"member":["1 a, b, c"]}]],)j"
      R"j("exported struct":[["2-7 B",{"field":["3-4 d, e","6 f"]}]]})j");
}

TEST(SymbolsJson, WhatIsKnownAnywayIsLeftOut) {
  EXPECT_EQ(symbols("python", "class A:\n  def f(self, a): pass\n  def g(self): pass\n"),
            R"j({"exported class":[["1-3 A",{"method":["2 f(a)","3 g()"]}]]})j");
  EXPECT_EQ(
      symbols("rust",
              "impl A {\n  fn f<T>(\n    &mut self,\n    a: T,\n  ) -> T where T: Copy { a }\n}\n"),
      R"j({"implementation":[["1-6 A",{"private method":["2-5 f<T>(a: T) -> T"]}]]})j");
  EXPECT_EQ(
      symbols(
          "java",
          "class A {\n  @Override public void f(int a) {\n    new B() { void g() {} };\n  }\n}\n"),
      R"j({"internal class":[["1-5 A",{"method":["2-4 f(int a)"]}]]})j");
}

TEST(SymbolsJson, ATemplateIsNotWhatAFunctionGives) {
  EXPECT_EQ(symbols("cpp",
                    "template <class T, class = std::enable_if_t<(sizeof(T) > 4)>>\n"
                    "inline T f(T a) { return a; }\n"
                    "template <> template <class U> void A<int>::g(U u) {}\n"),
            R"j({"exported function":["1-2 f(T a) -> T"],"function":["3 A<int>::g(U u)"]})j");
}

TEST(SymbolsJson, WholeForPrograms) {
  EXPECT_EQ(symbols("typescript", "/** Says. */\nexport class A {\n  private b = 1;\n}\n",
                    SymbolsShape::whole),
            R"j([{"name":"A","kind":"class","lines":"2-4","signature":"export class A",)j"
            R"j("doc":"Says.","exported":true,"members":[{"name":"b","kind":"field","lines":"3",)j"
            R"j("signature":"private b = 1","visibility":"private"}]}])j");
}

}  // namespace
}  // namespace lode
