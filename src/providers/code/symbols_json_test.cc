#include "providers/code/symbols_json.h"

#include <gtest/gtest.h>

#include "providers/code/aspects.h"
#include "syntax/syntax.h"

namespace lode {
namespace {

std::string symbols(std::string_view language, std::string_view text,
                    SymbolsShape shape = SymbolsShape::small) {
  static const Syntax syntax;
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

TEST(SymbolsJson, LongCommentsAreCut) {
  const std::string sentence = "# Says it in one sentence. And then goes on and on, ";
  const std::string words(200, 'x');
  const auto first = symbols("python", sentence + words + "\ndef f(): pass\n");
  EXPECT_NE(first.find("// Says it in one sentence.\""), first.npos) << first;
  const auto second = symbols("python", "# some words " + words + " more\ndef f(): pass\n");
  EXPECT_NE(second.find("// some words …\""), second.npos) << second;
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
