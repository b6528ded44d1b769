#include "base/utf8.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(first_bytes("abc", 3), "abc");
  EXPECT_EQ(first_bytes("äb", 1), "");
  EXPECT_EQ(first_bytes("aäb", 2), "a");
  EXPECT_EQ(first_bytes("a😀", 4), "a");
  EXPECT_EQ(cut_text("aäb", 3), "aä…");
  EXPECT_EQ(cut_text("aä", 3), "aä");
  EXPECT_EQ(cut_text("", 0), "");
  for (std::size_t most = 0; most < 12; ++most) {
    EXPECT_TRUE(valid_utf8(cut_text("ä€😀ä€😀", most))) << most;
  }
}

TEST(Utf8, ShowsWhatWouldNotBeSeen) {
  EXPECT_EQ(visible("plain näme 日本 😀 \\n"), "plain näme 日本 😀 \\n");
  EXPECT_EQ(visible("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(visible("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\u009b31m");  // a terminal's CSI in one character
  EXPECT_EQ(visible("a\xe2\x80\xa8"
                    "b"),
            "a\\u2028b");  // a line separator
  EXPECT_EQ(visible("txt\xe2\x80\xae"
                    "exe.a"),
            "txt\\u202eexe.a");  // right to left
  EXPECT_EQ(visible("\xff"
                    "a\xc3"),
            "\\xffa\\xc3");
  EXPECT_EQ(visible_lines("a\n\tb\r\x1b\n"), "a\n\tb\\r\\x1b\n");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
}

}  // namespace
}  // namespace lode
