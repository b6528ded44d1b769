#include "workspace/changes.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

using Names = std::vector<std::string>;

TEST(ChangeSet, SortsAndDropsDoubles) {
  ChangeSet set(100);
  EXPECT_TRUE(set.empty());
  for (const char* name : {"b", "a", "b"}) set.add_path(name);
  set.add_listing("");
  const Changes changes = set.take();
  EXPECT_EQ(changes.paths, (Names{"a", "b"}));
  EXPECT_EQ(changes.listings, (Names{""}));
  EXPECT_FALSE(changes.everything);
  EXPECT_TRUE(set.empty());
}

TEST(ChangeSet, KeepsTheOutermostTrees) {
  ChangeSet set(100);
  for (const char* name : {"a/b", "a-b", "a", "a/b/c", "c/d"}) set.add_tree(name);
  EXPECT_EQ(set.take().trees, (Names{"a", "a-b", "c/d"}));
}

TEST(ChangeSet, IsEverythingBeyondItsLimit) {
  ChangeSet set(2);
  set.add_path("a");
  set.add_tree("b");
  set.add_path("a");
  EXPECT_FALSE(set.take().everything);
  for (const char* name : {"a", "b", "c"}) set.add_path(name);
  set.add_path("d");
  const Changes changes = set.take();
  EXPECT_TRUE(changes.everything);
  EXPECT_TRUE(changes.paths.empty());
  EXPECT_TRUE(set.empty());
}

TEST(Changes, TouchWhatIsAtAPathOrBelow) {
  Changes changes;
  changes.paths = {"a/b.txt"};
  changes.trees = {"gone/dir"};
  EXPECT_TRUE(touches(changes, ""));
  EXPECT_TRUE(touches(changes, "a"));
  EXPECT_TRUE(touches(changes, "a/b.txt"));
  EXPECT_FALSE(touches(changes, "a/b.txt/c"));
  EXPECT_FALSE(touches(changes, "a/b"));
  EXPECT_TRUE(touches(changes, "gone"));
  EXPECT_TRUE(touches(changes, "gone/dir/file"));
  EXPECT_FALSE(touches(changes, "gone/directory"));
  EXPECT_FALSE(touches(Changes(), ""));
  changes.everything = true;
  EXPECT_TRUE(touches(changes, "elsewhere"));
}

}  // namespace
}  // namespace lode
