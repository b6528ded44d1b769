#include "providers/project/tree_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>

namespace lode {
namespace {

// A path with a slash at its end is a directory, with an '@' a link.
class TreeTextTest : public ::testing::Test {
 protected:
  void add(std::string path) {
    auto kind = Survey::Kind::file;
    if (path.ends_with('/')) kind = Survey::Kind::directory;
    if (path.ends_with('@')) kind = Survey::Kind::link;
    if (kind != Survey::Kind::file) path.pop_back();
    paths.push_back(std::move(path));
    items.push_back({paths.back(), kind, 0});
  }
  TreeText tree(std::size_t depth = 3, std::size_t lines = 1000) {
    std::sort(items.begin(), items.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    return tree_text(items, {depth, lines});
  }
  static long lines_of(const TreeText& tree) {
    return std::count(tree.text.begin(), tree.text.end(), '\n');
  }

  std::deque<std::string> paths;
  std::vector<Survey::Item> items;
};

TEST_F(TreeTextTest, DirectoriesFirstIndented) {
  for (const char* path :
       {"b.txt", "src/", "src/a.cc", "src/base/", "src/base/x.h", "src-old/", "a.txt", "to@"}) {
    add(path);
  }
  const auto whole = tree();
  EXPECT_EQ(whole.text,
            "src/\n"
            "  base/\n"
            "    x.h\n"
            "  a.cc\n"
            "src-old/\n"
            "a.txt\n"
            "b.txt\n"
            "to (link)\n");
  EXPECT_FALSE(whole.cut_by_depth);
  EXPECT_FALSE(whole.cut_by_lines);
}

TEST_F(TreeTextTest, SaysWhatIsBelowTheGreatestDepth) {
  for (const char* path : {"a/", "a/b/", "a/b/c/", "a/b/c/1", "a/b/c/2", "a/b/3", "e/"}) add(path);
  const auto one = tree(1);
  EXPECT_EQ(one.text, "a/ (3 files)\ne/\n");
  EXPECT_TRUE(one.cut_by_depth);
  EXPECT_EQ(tree(2).text, "a/\n  b/ (3 files)\ne/\n");
  EXPECT_FALSE(tree(4).cut_by_depth);
}

TEST_F(TreeTextTest, IsCutEvenly) {
  for (const char* top : {"a/", "b/"}) {
    add(top);
    for (int i = 0; i < 100; ++i) add(top + std::to_string(1000 + i));
  }
  add("c");
  const auto cut = tree(3, 20);
  EXPECT_TRUE(cut.cut_by_lines);
  EXPECT_LE(lines_of(cut), 20);
  EXPECT_GE(lines_of(cut), 17);
  EXPECT_NE(cut.text.find("a/\n  1000\n"), std::string::npos);
  EXPECT_NE(cut.text.find("b/\n  1000\n"), std::string::npos);
  EXPECT_NE(cut.text.find("  … 93 more (93 files)\n"), std::string::npos) << cut.text;
  EXPECT_TRUE(cut.text.ends_with("c\n"));
  EXPECT_FALSE(tree(3, 203).cut_by_lines);
}

TEST_F(TreeTextTest, ALongChainIsNoTrap) {
  std::string path;
  for (int i = 0; i < 128; ++i) add(path += "d/");
  EXPECT_EQ(lines_of(tree(64, 10)), 64);
}

TEST_F(TreeTextTest, NamesStayOnTheirLine) {
  add("a\nb");
  add("bad\xFF");
  EXPECT_EQ(tree().text, "a\\nb\nbad\\xff\n");
}

TEST_F(TreeTextTest, NothingIsEmpty) { EXPECT_EQ(tree().text, ""); }

}  // namespace
}  // namespace lode
