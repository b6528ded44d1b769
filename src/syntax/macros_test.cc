#include "syntax/macros.h"

#include <gtest/gtest.h>

#include <string>

namespace lode {
namespace {

// The text that is left, on one line, runs of spaces as one.
std::string left(std::string_view text) {
  const auto blanked = without_macros(text);
  if (blanked.empty()) return "the same";
  EXPECT_EQ(blanked.size(), text.size());
  std::string squeezed;
  for (const char c : blanked) {
    if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ')) squeezed += c;
  }
  return squeezed;
}

TEST(MacrosTest, BehindParameters) {
  EXPECT_EQ(left("int f(void) __THROW __nonnull ((1));"), "int f(void) ;");
  EXPECT_EQ(left("int f() const BOOST_NOEXCEPT { return 1; }"), "int f() const { return 1; }");
  EXPECT_EQ(left("A() NOEXCEPT_IF(x(1)) : a(1) {}"), "A() : a(1) {}");
}

TEST(MacrosTest, BeforeATypeOrConstructor) {
  EXPECT_EQ(left("BOOST_DECL std::string f();"), "std::string f();");
  EXPECT_EQ(left("CURL_EXTERN void f(int);"), "void f(int);");
  EXPECT_EQ(left("extern MY_API int x;"), "extern int x;");
  EXPECT_EQ(left("extern MY_API int f();"), "extern int f();");
  EXPECT_EQ(left("struct A { FORCE_INLINE A(int x) : x_(x) {} };"),
            "struct A { A(int x) : x_(x) {} };");
  EXPECT_EQ(left("struct A { MY_DECL ~A(); };"), "struct A { ~A(); };");
}

TEST(MacrosTest, ATypeInCapitalsStays) {
  EXPECT_EQ(left("DWORD f(int);"), "the same");
  EXPECT_EQ(left("FILE *f(void);"), "the same");
  EXPECT_EQ(left("HANDLE h;"), "the same");
  EXPECT_EQ(left("SIZE_T\nf(int a)\n{\n}\n"), "the same");
  EXPECT_EQ(left("__u32 const x;"), "the same");
}

TEST(MacrosTest, InTheHeadOfAType) {
  EXPECT_EQ(left("class BOOST_VISIBLE error : public base {};"), "class error : public base {};");
  EXPECT_EQ(left("struct MY_STRUCT value;"), "the same");
}

TEST(MacrosTest, AloneOnALine) {
  EXPECT_EQ(left("__BEGIN_DECLS\nint f(void);\n__END_DECLS\n"), "\nint f(void);\n \n");
  EXPECT_EQ(left("enum a {\n  FIRST,\n  LAST\n};"), "the same");
}

TEST(MacrosTest, WhatIsNoCodeStays) {
  EXPECT_EQ(left("#define F(x) MY_MACRO int y\n#define G \\\n  MY_DECL void f();\n"), "the same");
  EXPECT_EQ(left("// ) MY_MACRO;\n/* ) MY_MACRO; */ char c = '\"'; char* s = \") MY_MACRO;\";"),
            "the same");
  EXPECT_EQ(left("__attribute__((x)) int f() __attribute__((noreturn));"), "the same");
}

TEST(MacrosTest, AnyEndIsAnEnd) {
  for (const std::string_view text :
       {"", "(", "F(", "MY_MACRO", "MY_MACRO(", ") MY_MACRO", ") MY_MACRO(", "#", "#\\", "\"",
        "'\\", "/*", "//", "/", "struct MY_MACRO", "~", "explicit MY_MACRO x("}) {
    const auto blanked = without_macros(text);
    EXPECT_TRUE(blanked.empty() || blanked.size() == text.size()) << text;
  }
}

}  // namespace
}  // namespace lode
