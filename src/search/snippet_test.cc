#include "search/snippet.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace lode {
namespace {

TEST(Snippet, AShortTextIsShownWhole) {
  EXPECT_EQ(snippet_of("We chose\nSQLite because\tof durability.\n", "durable", 100),
            "We chose SQLite because of durability.");
}

TEST(Snippet, WithoutTheWordsThereIsNone) {
  EXPECT_EQ(snippet_of("We chose SQLite.", "postgres", 100), "");
  EXPECT_EQ(snippet_of("", "postgres", 100), "");
  EXPECT_EQ(snippet_of("We chose SQLite.", "", 100), "");
}

TEST(Snippet, APlaceWithMostOfTheWordsIsShown) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "race conditions are far from here. ";
  text += "A race in the cache is found by review. ";
  for (int i = 0; i < 50; ++i) text += "nothing else of note follows. ";
  const auto snippet = snippet_of(text, "cache race", 80);
  EXPECT_NE(snippet.find("race in the cache"), snippet.npos) << snippet;
  EXPECT_TRUE(snippet.starts_with("…") && snippet.ends_with("…")) << snippet;
  EXPECT_LE(snippet.size(), 80U);
}

TEST(Snippet, CharactersAreNotCut) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "診断手順";
  text += "cache";
  for (int i = 0; i < 100; ++i) text += "手順診断";
  for (std::size_t most = 0; most < 60; ++most) {
    const auto snippet = snippet_of(text, "cache", most);
    EXPECT_TRUE(valid_utf8(snippet)) << most;
    EXPECT_LE(snippet.size(), most);
  }
}

TEST(Snippet, ATermIsShownAsTheTextHasIt) {
  EXPECT_EQ(surface_in("Connections and a Connector", "connect"), "Connections");
  EXPECT_EQ(surface_in("nothing", "connect"), "");
}

}  // namespace
}  // namespace lode
