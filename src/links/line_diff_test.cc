#include "links/line_diff.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(LineDiff, ShowsEditedLinesWithThoseAround) {
  const std::string text = "1\n2\n3\n4\nold a old\n6\n7\n8\n9\n10\n11\n12\nlast";
  const auto at = text.find("old");
  const auto last = text.find("last");
  const std::vector<LineEdit> edits{
      {at, at + 3, "new"}, {at + 6, at + 9, "x"}, {last, last + 4, "end"}};
  EXPECT_EQ(with_edits(text, edits), "1\n2\n3\n4\nnew a x\n6\n7\n8\n9\n10\n11\n12\nend");
  EXPECT_EQ(
      line_diff("a.md", text, edits),
      "--- a/a.md\n+++ b/a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-old a old\n+new a x\n 6\n 7\n 8\n"
      "@@ -10,4 +10,4 @@\n 10\n 11\n 12\n-last\n\\ No newline at end of file\n+end\n"
      "\\ No newline at end of file\n");
  EXPECT_EQ(line_diff("a.md", text, {}), "");
}

TEST(LineDiff, PutsNeighboursTogether) {
  const std::string text = "a\nb\n";
  EXPECT_EQ(line_diff("x", text, {{0, 1, "c"}, {2, 3, "d"}}),
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n");
}

}  // namespace
}  // namespace lode
