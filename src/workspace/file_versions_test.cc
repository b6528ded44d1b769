#include "workspace/file_versions.h"

#include <gtest/gtest.h>

#include <string>

#include "workspace/test_git.h"
#include "workspace/test_tree.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr auto kForever = Git::SteadyTime::max();

// "path|revision", or nothing. exists: the one path that does.
std::string split(std::string_view encoded, const std::string& exists = "") {
  const auto found =
      split_revision(encoded, [&](const std::string& path) { return path == exists; });
  return found ? found->path + "|" + found->revision : "";
}

TEST(SplitRevision, TakesALiteralAtOfTheLastSegment) {
  EXPECT_EQ(split("docs/a.md@v2"), "docs/a.md|v2");
  EXPECT_EQ(split("a@v2"), "a|v2");
  EXPECT_EQ(split("/x/a%20b.md@feature%2Fx"), "/x/a b.md|feature/x");
  EXPECT_EQ(split("a@2x.png@v1"), "a@2x.png|v1");
  EXPECT_EQ(split("a.md@pkg%401.0"), "a.md|pkg@1.0");
  EXPECT_EQ(split("a.md@2026-01-22T10:00+02:00"), "a.md|2026-01-22T10:00+02:00");
  for (const char* none : {"", "a.md", "@types/a.md", "node_modules/@types", "@", "a@", "x/a.md@",
                           "a%40v2", "a@v1/b.md", "a%40v1/b%40v2"}) {
    EXPECT_EQ(split(none), "") << none;
  }
}

TEST(SplitRevision, LeavesANameThatExistsAlone) {
  EXPECT_EQ(split("a@v2", "a@v2"), "");
  EXPECT_EQ(split("a%20@v2", "a @v2"), "");
  EXPECT_EQ(split("a@v2@v1", "a@v2"), "a@v2|v1");
}

TEST(SplitRevision, IsUndoneByTheAddress) {
  EXPECT_EQ(version_address("mcp://x/a%40b.md", "pkg@1/x"), "mcp://x/a%40b.md@pkg%401%2Fx");
}

class FileVersionsTest : public ::testing::Test {
 protected:
  std::string at(const std::string& path, const std::string& revision) {
    const auto found = versions.read(tree.root(), path, revision, kForever, {});
    return found ? found->bytes : found.error().message;
  }

  TestTree tree;
  Git git;
  FileVersions versions{git};
};

TEST_F(FileVersionsTest, ReadsFromTheRepositoryOfThePath) {
  EXPECT_EQ(at("a.txt", "HEAD"), "no such resource");
  EXPECT_TRUE(versions.history(tree.root(), {"a.txt"}, {}, kForever, {})->changes.empty());
  for (const char* place : {"", "inner"}) {
    tree.make_directory(place);
    run_git(tree / place, "init -b main");
    tree.write(join_path(place, "a.txt"), std::string("of ") + place);
    run_git(tree / place, "add a.txt");
    run_git(tree / place, "commit -m one");
  }
  EXPECT_EQ(at("a.txt", "main"), "of ");
  EXPECT_EQ(at("inner/a.txt", "main"), "of inner");
  const auto history = versions.history(tree.root(), {"inner/a.txt"}, {}, kForever, {});
  ASSERT_TRUE(history);
  ASSERT_EQ(history->changes.size(), 1U);
  const auto texts =
      versions.blobs(tree.root(), "inner/a.txt", {history->changes[0].after}, kForever, {});
  ASSERT_TRUE(texts);
  EXPECT_EQ((*texts)[0], "of inner");
}

TEST_F(FileVersionsTest, SaysOfAllThatIsNotThereTheSame) {
  run_git(tree / "", "init -b main");
  tree.write("a.txt", "1");
  run_git(tree / "", "add -A");
  run_git(tree / "", "commit -m one");
  EXPECT_EQ(at("a.txt", "nosuch"), "no such resource");
  EXPECT_EQ(at("absent", "HEAD"), "no such resource");
  EXPECT_EQ(at("a.txt", "1999-01-01"), "no such resource");
  tree.write(".git/HEAD", "rubbish");
  EXPECT_EQ(versions.read(tree.root(), "a.txt", "HEAD", kForever, {}).error().code, Code::internal);
  Git without("libnosuchgit.so");
  EXPECT_EQ(FileVersions(without).read(tree.root(), "a.txt", "HEAD", kForever, {}).error().code,
            Code::unavailable);
}

}  // namespace
}  // namespace lode
