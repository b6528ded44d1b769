#include "workspace/workspace.h"

#include <gtest/gtest.h>

#include "workspace/test_tree.h"

namespace lode {
namespace {

TEST(WorkspaceNames, OfOneRootAreRelative) {
  TestTree tree;
  tree.write("a/b", "");
  const auto workspace = *Workspace::open({tree.root().path()}, SecretRules());
  const auto place = workspace->find_short("a/b");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->relative, "a/b");
  EXPECT_EQ(workspace->short_name(*place), "a/b");
  EXPECT_EQ(Workspace::absolute(*place), tree.root().path() + "/a/b");
  EXPECT_EQ(workspace->find_short(".")->relative, "");
  EXPECT_EQ(workspace->find_short("")->relative, "");
  EXPECT_FALSE(workspace->find_short(".git/config"));
}

TEST(WorkspaceNames, OfSeveralRootsBeginWithTheRootsName) {
  TestTree tree;
  tree.write("one/x/f", "");
  tree.write("two/x/f", "");
  tree.write("three/f", "");
  const auto root = [&](const char* name) { return tree.root().path() + "/" + name; };
  const auto workspace =
      *Workspace::open({root("one/x"), root("two/x"), root("three")}, SecretRules());
  EXPECT_EQ(Workspace::absolute(*workspace->find_short("x/f")), root("one/x/f"));
  EXPECT_EQ(Workspace::absolute(*workspace->find_short("x-2/f")), root("two/x/f"));
  EXPECT_EQ(Workspace::absolute(*workspace->find_short("three")), root("three"));
  EXPECT_EQ(workspace->short_name(*workspace->find(root("two/x/f"))), "x-2/f");
  EXPECT_EQ(workspace->short_name(*workspace->find(root("three"))), "three");
  EXPECT_FALSE(workspace->find_short("f"));
  EXPECT_FALSE(workspace->find_short("."));
  EXPECT_FALSE(workspace->find_short("x/.env"));
}

TEST(WorkspaceNames, AreFollowedUnlessTheirDirectoryIsIgnored) {
  TestTree tree;
  tree.write("w/.gitignore", "out/\n*.log\n");
  const auto workspace = *Workspace::open({tree.root().path() + "/w"}, SecretRules());
  const auto followed = [&](const char* path) {
    return Workspace::is_followed(*workspace->find_short(path));
  };
  EXPECT_TRUE(followed("a/b.txt"));
  EXPECT_TRUE(followed("a.log")) << "it is ignored, its directory is not";
  EXPECT_TRUE(followed("out")) << "that it comes and goes is told";
  EXPECT_FALSE(followed("out/a.txt"));
  EXPECT_FALSE(followed("a/out/b/c.txt"));
}

}  // namespace
}  // namespace lode
