#include "transport/line_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace lode {
namespace {

using Lines = std::vector<std::string>;

// What comes of the bytes in pieces of that size; "…" for a line too long.
Lines lines_of(std::string_view bytes, std::size_t piece) {
  Lines lines;
  LineReader reader(4);
  const auto line = [&](std::string_view text) { lines.emplace_back(text); };
  const auto too_long = [&](const std::string& id) { lines.emplace_back("…" + id); };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.take(bytes.substr(at, piece), line, too_long);
  }
  reader.end(line, too_long);
  return lines;
}

TEST(LineReader, TellsLinesApartHoweverTheyCome) {
  for (const std::size_t piece : {1UL, 2UL, 3UL, 100UL}) {
    EXPECT_EQ(lines_of("a\n\nbcde\n", piece), (Lines{"a", "", "bcde"}));
    EXPECT_EQ(lines_of("a\nb", piece), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("", piece), Lines{});
  }
}

TEST(LineReader, PassesOverALineThatIsTooLong) {
  for (const std::size_t piece : {1UL, 2UL, 3UL, 100UL}) {
    EXPECT_EQ(lines_of("abcde\nf\n", piece), (Lines{"…", "f"}));
    EXPECT_EQ(lines_of("abcdefghijk", piece), (Lines{"…"}));
    EXPECT_EQ(lines_of("{\"id\":5,\"method\":\"x\"}\nf\n", piece), (Lines{"…5", "f"}));
  }
}

}  // namespace
}  // namespace lode
