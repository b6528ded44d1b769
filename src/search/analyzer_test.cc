#include "search/analyzer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "search/stop_words.h"

namespace lode {
namespace {

std::string stem(std::string_view word) {
  std::string found;
  analyze(word, [&](const Term& term) { found = term.text; });
  return found;
}

// Pairs that the Snowball project publishes for its English stemmer, or that
// follow from the definition's special cases.
TEST(AnalyzerTest, Stems) {
  const std::pair<const char*, const char*> pairs[] = {
      {"consign", "consign"},
      {"consigned", "consign"},
      {"consigning", "consign"},
      {"consignment", "consign"},
      {"consistency", "consist"},
      {"consistently", "consist"},
      {"consolatory", "consolatori"},
      {"knackeries", "knackeri"},
      {"knightly", "knight"},
      {"knots", "knot"},
      {"generate", "generat"},
      {"generically", "generic"},
      {"skies", "sky"},
      {"dying", "die"},
      {"news", "news"},
      {"hopping", "hop"},
      {"hoping", "hope"},
      {"relational", "relat"},
      {"conditional", "condit"},
      {"connections", "connect"},
      {"universities", "univers"},
      {"Does", "does"},
      {"Indexes", "index"},
  };
  for (const auto& [word, expected] : pairs) EXPECT_EQ(stem(word), expected) << word;
}

TEST(AnalyzerTest, OnlyPlainWordsAreStemmed) {
  EXPECT_EQ(stem("utf8s"), "utf8s");
  EXPECT_EQ(stem("файлы"), "фаилы");
}

TEST(AnalyzerTest, MarksStopWords) {
  std::vector<std::pair<std::string, bool>> terms;
  analyze("The index of THESE",
          [&](const Term& term) { terms.emplace_back(term.surface, term.stop); });
  EXPECT_EQ(terms, (std::vector<std::pair<std::string, bool>>{
                       {"The", true}, {"index", false}, {"of", true}, {"THESE", true}}));
  EXPECT_FALSE(is_stop_word(""));
}

TEST(AnalyzerTest, ShowsTheShortestSurfaceInLowerCase) {
  EXPECT_TRUE(shows_better("file", "files"));
  EXPECT_TRUE(shows_better("file", "File"));
  EXPECT_FALSE(shows_better("File", "file"));
  EXPECT_FALSE(shows_better("file", "file"));
}

TEST(TermBagTest, CountsWithWeights) {
  TermBag bag;
  bag.add("Files of a file", 3, TermBag::StopWords::keep);
  bag.add("the files of others", 1, TermBag::StopWords::drop);
  EXPECT_EQ(bag.length(), 6U);
  EXPECT_EQ(bag.entries().find("file")->second.count, 7U);
  EXPECT_EQ(bag.entries().find("file")->second.surface, "file");
  EXPECT_EQ(bag.entries().find("of")->second.count, 3U);
  EXPECT_EQ(bag.entries().count("the"), 0U);
  bag.drop_stop_words();
  EXPECT_EQ(bag.entries().count("of"), 0U);
}

TEST(TermBagTest, KeepsStopWordsIfThereIsNothingElse) {
  TermBag bag;
  bag.add("who is who", 1, TermBag::StopWords::keep);
  bag.drop_stop_words();
  EXPECT_EQ(bag.entries().size(), 2U);
}

}  // namespace
}  // namespace lode
