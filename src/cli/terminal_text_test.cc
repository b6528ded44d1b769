#include "cli/terminal_text.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(TerminalText, IsAsWideAsItIsShown) {
  EXPECT_EQ(text_columns("abc"), 3U);
  EXPECT_EQ(text_columns("grün"), 4U);
  EXPECT_EQ(text_columns("漢字"), 4U);
  EXPECT_EQ(text_columns("e\u0301"), 1U);
  EXPECT_EQ(text_columns("\xff\xe4"), 2U);
}

TEST(TerminalText, IsCutBetweenCharacters) {
  EXPECT_EQ(fit_columns("abcdef", 6), "abcdef");
  EXPECT_EQ(fit_columns("abcdef", 4), "abc…");
  EXPECT_EQ(fit_columns("漢字漢字", 4), "漢…");
  EXPECT_EQ(fit_columns("abc", 0), "");
  EXPECT_EQ(pad_columns("ab", 4), "ab  ");
  EXPECT_EQ(pad_columns("漢字漢", 4), "漢… ");
}

TEST(TerminalText, IsBrokenAtBlanks) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(wrap_columns("one two three", 8, 3), (Texts{"one two", "three"}));
  EXPECT_EQ(wrap_columns("one two three", 8, 1), (Texts{"one two…"}));
  EXPECT_EQ(wrap_columns("abcdefghij", 4, 2), (Texts{"abcd", "efg…"}));
  EXPECT_EQ(wrap_columns("", 4, 2), Texts{});
}

TEST(TerminalText, IsPaintedOnlyWhereThatIsWanted) {
  EXPECT_EQ(Terminal{}.paint(Colour::red, "x"), "x");
  EXPECT_EQ((Terminal{80, true}).paint(Colour::red, "x"), "\033[31mx\033[0m");
  EXPECT_EQ((Terminal{80, true}).paint(Colour::none, "x"), "x");
}

}  // namespace
}  // namespace lode
