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

TEST(ChangedNames, AreTheEntriesOfADirectory) {
  Changes changes;
  changes.trees = {"gone"};
  changes.paths = {"a.txt", "new/b.txt", "old/c.txt"};
  changes.listings = {"", "lone", "new", "old"};
  changes.directories = {"new"};
  const ChangedNames names(changes);
  EXPECT_EQ(names.in(""), (Names{"gone", "a.txt", "new"}));
  EXPECT_EQ(names.in("new"), Names{"new/b.txt"});
  EXPECT_EQ(names.in("lone"), Names{"lone"}) << "no entry is known";
  changes.everything = true;
  EXPECT_EQ(ChangedNames(changes).in(""), Names{});
}

TEST(ChangedNames, AreWhatIsBelowADirectory) {
  Changes changes;
  changes.trees = {"gone"};
  changes.paths = {"a.txt", "new/b.txt"};
  changes.listings = {"", "new", "old"};
  changes.directories = {"new"};
  const ChangedNames names(changes);
  EXPECT_EQ(names.below(""), (Names{"gone", "a.txt", "new/b.txt", "new", "old"}));
  EXPECT_EQ(names.below("new"), (Names{"new/b.txt", "new"}));
  EXPECT_EQ(names.below("gone/deep"), Names{"gone"});
}

TEST(ChangedNames, OfManyTheirDirectoriesStandForThem) {
  Changes changes;
  for (std::size_t i = 0; i <= ChangedNames::kMost; ++i) {
    changes.paths.push_back("a/b/" + std::to_string(i));
  }
  changes.paths.push_back("a/c/d");
  EXPECT_EQ(ChangedNames(changes).below(""), (Names{"a/b", "a/c"}));
  EXPECT_EQ(ChangedNames(changes).in("a/b"), Names{"a/b"});
}

}  // namespace
}  // namespace lode
