#include "providers/files/replace.h"

#include <gtest/gtest.h>

#include "providers/files/diff.h"

namespace lode {
namespace {

constexpr auto kExact = Whitespace::exact;
constexpr auto kFlexible = Whitespace::flexible;

// The new text, or the error's message.
std::string edited(std::string_view text, std::string_view old, std::string_view fresh,
                   Whitespace whitespace = kExact) {
  const auto found = find_replacement(text, old, fresh, whitespace);
  return found ? replaced(text, *found) : found.error().message;
}
std::string flexible(std::string_view text, std::string_view old, std::string_view fresh) {
  return edited(text, old, fresh, kFlexible);
}
Code refusal(std::string_view text, std::string_view old, std::string_view fresh,
             Whitespace whitespace = kExact) {
  const auto found = find_replacement(text, old, fresh, whitespace);
  EXPECT_FALSE(found);
  return found.error().code;
}

TEST(Replace, ReplacesTheOnePlace) {
  EXPECT_EQ(edited("a b c\n", "b", "x"), "a x c\n");
  EXPECT_EQ(edited("abc", "a", "x"), "xbc");
  EXPECT_EQ(edited("abc", "c", "x"), "abx");
  EXPECT_EQ(edited("abc", "abc", ""), "");
  EXPECT_EQ(edited("a\nb\nc", "b\n", ""), "a\nc");
  EXPECT_EQ(edited("a\nb\nc", "\nb", "\nx\ny"), "a\nx\ny\nc");
  EXPECT_EQ(edited("größe ß\n", "größe", "maß"), "maß ß\n");
  EXPECT_EQ(edited("\xff old \xfe", "old", "new"), "\xff new \xfe");
}

TEST(Replace, NewTextIsText) {
  for (const char* fresh : {"$&", "$1", "\\1", "\\n", "$$", "%s", "{}", "\\0&"}) {
    EXPECT_EQ(edited("a b c", "b", fresh), std::string("a ") + fresh + " c");
    EXPECT_EQ(flexible("a b c", "b", fresh), std::string("a ") + fresh + " c");
  }
  EXPECT_EQ(edited("a.c abc", "a.c", "x"), "x abc");
}

TEST(Replace, ExactKeepsAllBytes) {
  EXPECT_EQ(edited("\xef\xbb\xbf"
                   "a\r\nb",
                   "a", "x"),
            "\xef\xbb\xbf"
            "x\r\nb");
  EXPECT_EQ(edited("a\r\nb\r\n", "a\r\nb", "x"), "x\r\n");
  EXPECT_EQ(edited("a\tb", "a\tb", "x"), "x");
}

TEST(Replace, RefusesWhatSaysNothing) {
  EXPECT_EQ(refusal("a", "", "x"), Code::invalid);
  EXPECT_EQ(refusal("a", "a", "a"), Code::invalid);
  EXPECT_EQ(refusal("a b", " \n", "x", kFlexible), Code::invalid);
  EXPECT_EQ(flexible("a  b", "a b", "a  b"), "the file has \"new\" there already");
  EXPECT_EQ(edited("", "a", "b"), "\"old\" is not in the file");
}

TEST(Replace, RefusesSeveralPlaces) {
  EXPECT_EQ(edited("a\nb\na\n", "a", "x"),
            "\"old\" is there 2 times, in lines 1, 3: add lines around it until it is there once");
  EXPECT_EQ(refusal("aaa", "aa", "x"), Code::conflict);
  EXPECT_EQ(refusal("a a  a", "a a", "x", kFlexible), Code::conflict);
  EXPECT_EQ(edited(std::string(20, 'a'), "a", "x"),
            "\"old\" is there more than 10 times, in lines 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …: add "
            "lines around it until it is there once");
  EXPECT_EQ(flexible("x\n\na  b\n\na\nb\n", "a b", "x"),
            "\"old\" is there 2 times, in lines 3, 5: add lines around it until it is there once");
}

TEST(Replace, HelpsIfThereIsNone) {
  EXPECT_EQ(edited("x\nif (a)\n\tb;\nc\n", "if (a)\n  b;", "y"),
            "\"old\" is not in the file; it differs in white space alone: whitespace: "
            "\"flexible\" would match lines 2-3");
  EXPECT_EQ(edited("a\r\nb\r\n", "a\nb", "y"),
            "\"old\" is not in the file; it differs in white space alone (lines of the file end in "
            "CRLF, those of \"old\" in LF): whitespace: \"flexible\" would match lines 1-2");
  EXPECT_EQ(edited("a  b a  b", "a b", "y"),
            "\"old\" is not in the file; it differs in white space alone: whitespace: "
            "\"flexible\" would match in several places");
  EXPECT_EQ(edited("x\nint f() {\n  one;\n  two;\n}\n", "int f() {\n  one;\n  three;\n}", "y"),
            "\"old\" is not in the file; its first line is line 2, but line 4 is: two;");
  EXPECT_EQ(edited("x\nend", "end\nmore", "y"),
            "\"old\" is not in the file; its first line is line 2");
  EXPECT_EQ(flexible("a b", "c", "y"), "\"old\" is not in the file");
  EXPECT_EQ(edited("ab", std::string_view("a\0b", 3), "y"), "\"old\" is not in the file");
}

TEST(Replace, FlexibleMatchesAnyWhiteSpace) {
  EXPECT_EQ(flexible("x\n\tif (a)  {\n\t\tb;\n\t}\ny\n", "if (a) {\n  b;\n}", "c;"),
            "x\n\tc;\ny\n");
  EXPECT_EQ(flexible("a\n\n\nb", "a b", "x"), "x");
  EXPECT_EQ(flexible("a b", "a\n  b", "x"), "x");
  EXPECT_EQ(refusal("ab", "a b", "x", kFlexible), Code::not_found);
  EXPECT_EQ(refusal("a b", "ab", "x", kFlexible), Code::not_found);
  EXPECT_EQ(flexible("  a", "a", "x"), "  x");
  EXPECT_EQ(flexible("\v\f a \f", "a", "x"), "\v\f x \f");
}

TEST(Replace, FlexibleTakesTheEdgesThatOldHas) {
  EXPECT_EQ(flexible("x\n\tfoo\ny\n", "    foo\n", "  bar\n"), "x\n  bar\ny\n");
  EXPECT_EQ(flexible("x\n\tfoo\ny\n", "foo", "bar"), "x\n\tbar\ny\n");
  EXPECT_EQ(flexible("x\nfoo\ny\n", "  foo", "  bar"), "x\n  bar\ny\n");
  EXPECT_EQ(flexible("x\nfoo  \ny\n", "foo\n", "bar\n"), "x\nbar\ny\n");
  EXPECT_EQ(flexible("x\nfoo\n\n\ny\n", "foo\n\n", "bar\n"), "x\nbar\n\ny\n");
  EXPECT_EQ(flexible("x\n\n  foo\n", "\nfoo", "\nbar"), "x\n\nbar\n");
  EXPECT_EQ(flexible("x foo y", "\nfoo\n", "\nbar\n"), "x\nbar\ny");
  EXPECT_EQ(flexible("x\nfoo\n  y\n", "foo\n    ", "bar\n    "), "x\nbar\n    y\n");
  EXPECT_EQ(flexible("foo", "\n foo \n", "bar"), "bar");
}

TEST(Replace, FlexibleKeepsTheLineEndsOfTheFile) {
  EXPECT_EQ(flexible("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n"), "x\r\ny\r\nz\r\nc\r\n");
  EXPECT_EQ(flexible("a\r\n  b\r\n", "  b\n", "  x\r\n  y\n"), "a\r\n  x\r\n  y\r\n");
  EXPECT_EQ(flexible("a\nb\n", "b", "x\r\ny"), "a\nx\ny\n");
  EXPECT_EQ(flexible("a b", "a", "x\r\ny"), "x\r\ny b");
  EXPECT_EQ(flexible("x\r\n\r\nfoo\r\n", "\nfoo", "\nbar"), "x\r\n\r\nbar\r\n");
}

TEST(Replace, FlexibleAddsNoLastLineEnd) {
  EXPECT_EQ(flexible("a\nb", "b\n", "c\n"), "a\nc");
  EXPECT_EQ(flexible("a\r\nb", "b\n", "c\n"), "a\r\nc");
  EXPECT_EQ(flexible("a\nb", "b", "c\n"), "a\nc\n");
  EXPECT_EQ(flexible("a\nb\n", "b\n", "c\n"), "a\nc\n");
}

// A text of one letter and blanks, at which a search that goes back would never end.
TEST(Replace, LargeTextsAreSearchedOnce) {
  std::string text;
  for (int i = 0; i < 2'500'000; ++i) text += "a  \n";
  std::string old;
  for (int i = 0; i < 10'000; ++i) old += "a ";
  EXPECT_EQ(refusal(text, old + "b", "x", kFlexible), Code::not_found);
  EXPECT_EQ(refusal(text, old + "b", "x"), Code::not_found);
  EXPECT_EQ(refusal(text, old, "x", kFlexible), Code::conflict);
  text += "b";
  const auto found = find_replacement(text, "a\nb", "x", kFlexible);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, text.size() - 5);
  EXPECT_EQ(found->end, text.size());
}

std::string diff(std::string_view text, std::string_view old, std::string_view fresh,
                 std::size_t most = 10'000) {
  return unified_diff("f", text, *find_replacement(text, old, fresh, kExact), most);
}

TEST(Diff, HasThreeLinesAround) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "5", "five"),
            "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(diff("1\n2\n", "1\n", "1\nx\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n 1\n+x\n 2\n");
  EXPECT_EQ(diff("1\n2\n3\n", "2\n", ""), "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n 1\n-2\n 3\n");
  EXPECT_EQ(diff("1\n2\n", "\n2", "2"), "--- a/f\n+++ b/f\n@@ -1,2 +1,1 @@\n-1\n-2\n+12\n");
  EXPECT_EQ(diff("1\n", "1\n", ""), "--- a/f\n+++ b/f\n@@ -1,1 +0,0 @@\n-1\n");
}

TEST(Diff, NamesAMissingLastLineEnd) {
  EXPECT_EQ(diff("1\n2", "2", "x"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+x\n\\ No "
            "newline at end of file\n");
  EXPECT_EQ(diff("1\n2", "2", "2\n"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n");
  EXPECT_EQ(diff("1\n2", "1", "x"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n\\ No newline at end of file\n");
}

TEST(Diff, IsCutAndValid) {
  EXPECT_EQ(diff("\xff\n", "\n", "x\n"),
            "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-\xef\xbf\xbd\n+\xef\xbf\xbdx\n");
  EXPECT_EQ(diff("1\n2\n3\n", "2", std::string(1000, 'x'), 40),
            "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n 1\n-2\n(the diff goes on)\n");
}

}  // namespace
}  // namespace lode
