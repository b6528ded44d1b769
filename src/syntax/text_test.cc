#include "syntax/text.h"

#include <gtest/gtest.h>

#include <string>

namespace lode {
namespace {

using namespace std::string_view_literals;

std::string lines(std::string_view text, std::string_view range) {
  const auto found = lines_of(text, range);
  return found ? std::string(*found) : found.error().message;
}

TEST(TextTest, BinaryAndOtherEncodingsAreTold) {
  EXPECT_TRUE(check_text(""));
  EXPECT_TRUE(check_text("\xEF\xBB\xBFint x;\r\n"));
  const auto binary = check_text("int x;\0"sv);
  EXPECT_EQ(binary.error().code, Code::unsupported);
  EXPECT_EQ(binary.error().message, "a binary file: it has a NUL byte");
  const auto latin = check_text("first\nsecond \xE9\n");
  EXPECT_EQ(latin.error().code, Code::unsupported);
  EXPECT_EQ(latin.error().message, "not UTF-8 text: line 2");
  EXPECT_EQ(check_text("\xFF\xFEi").error().message, "not UTF-8 text: line 1");
}

TEST(TextTest, LinesAreTakenAsTheyAre) {
  constexpr auto kText = "one\r\ntwo\nthree"sv;
  EXPECT_EQ(lines(kText, "1"), "one\r\n");
  EXPECT_EQ(lines(kText, "2-3"), "two\nthree");
  EXPECT_EQ(lines(kText, "2-"), "two\nthree");
  EXPECT_EQ(lines(kText, "-2"), "one\r\ntwo\n");
  EXPECT_EQ(lines(kText, "3-99"), "three");
}

TEST(TextTest, WrongRangesAreRefused) {
  for (const auto range : {"", "-", "0", "0-2", "3-2", "a", "1-b", "1 - 2", "1-2-3", "-0", "+1"}) {
    const auto found = lines_of("one\ntwo\nthree\n", range);
    ASSERT_FALSE(found) << range;
    EXPECT_EQ(found.error().code, Code::invalid) << range;
  }
  EXPECT_EQ(lines_of("one\n", "2").error().code, Code::not_found);
  EXPECT_EQ(lines("one\n", "2-3"), "lines: the file has 1 lines");
  EXPECT_EQ(lines_of("", "1").error().code, Code::not_found);
}

TEST(TextTest, LinesAreCounted) {
  EXPECT_EQ(count_lines(""), 0U);
  EXPECT_EQ(count_lines("a"), 1U);
  EXPECT_EQ(count_lines("a\n"), 1U);
  EXPECT_EQ(count_lines("a\n\nb"), 3U);
}

TEST(TextTest, TheLineAroundAPlace) {
  EXPECT_EQ(line_around("one\r\ntwo\n", 0), "one");
  EXPECT_EQ(line_around("one\r\ntwo\n", 3), "one");
  EXPECT_EQ(line_around("one\r\ntwo\n", 5), "two");
  EXPECT_EQ(line_around("one\r\ntwo\n", 9), "");
  EXPECT_EQ(line_around("one", 99), "one");
  EXPECT_EQ(line_around("", 0), "");
}

TEST(TextTest, TheFirstLineOfACommentThatSaysSomething) {
  EXPECT_EQ(first_line_of_doc("// Adds  two.\n// More."), "Adds two.");
  EXPECT_EQ(first_line_of_doc("/**\n * Adds two.\n * @param a\n */"), "Adds two.");
  EXPECT_EQ(first_line_of_doc("/* Adds two. */"), "Adds two.");
  EXPECT_EQ(first_line_of_doc("// -----------\n// Adds."), "Adds.");
  EXPECT_EQ(first_line_of_doc("\"\"\"Adds two.\"\"\""), "Adds two.");
  EXPECT_EQ(first_line_of_doc("r'''\r\n  Adds.\r\n'''"), "Adds.");
  EXPECT_EQ(first_line_of_doc("# Fügt hinzu."), "Fügt hinzu.");
  EXPECT_EQ(first_line_of_doc("-- Adds."), "Adds.");
  EXPECT_EQ(first_line_of_doc("<!-- Adds. -->"), "Adds.");
  EXPECT_EQ(first_line_of_doc("/// <summary>Adds <c>two</c>, a < b.</summary>"),
            "Adds two, a < b.");
  EXPECT_EQ(first_line_of_doc("//\n//"), "");
  EXPECT_EQ(first_line_of_doc(""), "");
}

}  // namespace
}  // namespace lode
