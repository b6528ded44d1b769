#include "workspace/git.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "workspace/test_git.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr auto kForever = std::chrono::steady_clock::time_point::max();

class GitTest : public ::testing::Test {
 protected:
  void git(const std::string& arguments, const std::string& in = "") const {
    run_git(tree / in, arguments);
  }
  void commit(const std::string& file, const std::string& text, const std::string& subject) const {
    tree.write(file, text);
    git("add -A");
    git("commit -m '" + subject + "'");
  }
  // The branch and the subject of the head, or what is wrong.
  std::string head(const std::string& in = "") {
    const auto found = reader.head(tree.root(), in);
    if (!found) return found.error().message;
    return found->branch + ": " + found->subject;
  }
  Git::HistoryPtr history(const std::string& in = "") {
    auto found = reader.history(tree.root(), in, kForever, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : nullptr;
  }

  TestTree tree;
  Git reader;
};

const char* const kNone = "not the top of a git repository";

TEST_F(GitTest, TellsBranchAndHead) {
  git("init -b trunk");
  EXPECT_EQ(head(), "trunk: ");
  EXPECT_EQ(reader.head(tree.root(), "")->id, "");
  EXPECT_EQ(history()->commits, 0U);
  commit("a.txt", "1", "The first");
  EXPECT_EQ(head(), "trunk: The first");
  const auto found = reader.head(tree.root(), "");
  EXPECT_EQ(found->id.size(), 40U);
  EXPECT_EQ(found->time.time_since_epoch().count(), 1'700'000'000);
  EXPECT_FALSE(found->bare);
  git("checkout --detach");
  EXPECT_EQ(head(), ": The first");
}

TEST_F(GitTest, CountsWhatCommitsChange) {
  git("init -b main");
  commit("a.txt", "1", "one");
  commit("b.txt", "1", "two");
  commit("a.txt", "2", "three");
  commit("dir/c.txt", "1", "four");
  commit("a.txt", "3", "five");
  git("checkout -b side HEAD~2");
  commit("b.txt", "2", "aside");
  git("checkout main");
  git("merge side");
  const auto found = history();
  EXPECT_EQ(found->commits, 7U);
  EXPECT_TRUE(found->in_time);
  ASSERT_EQ(found->changed.size(), 3U);
  EXPECT_EQ(found->changed[0].path, "a.txt");
  EXPECT_EQ(found->changed[0].commits, 3U);
  EXPECT_EQ(found->changed[1].path, "b.txt");
  EXPECT_EQ(found->changed[1].commits, 2U);
  EXPECT_EQ(found->changed[2].path, "dir/c.txt");
  EXPECT_EQ(history(), found);  // remembered
  commit("b.txt", "3", "after");
  EXPECT_EQ(history()->commits, 8U);
}

TEST_F(GitTest, LooksAtNoMoreThanItsLimits) {
  git("init -b main");
  for (const char* text : {"1", "2", "3"}) commit("a.txt", text, text);
  commit("b.txt", "1", "b");
  Git few(Git::kLibrary, {2, 1, 1024});
  const auto found = few.history(tree.root(), "", kForever, {});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->commits, 2U);
  ASSERT_EQ((*found)->changed.size(), 1U);
  EXPECT_EQ((*found)->changed[0].path, "b.txt");
  Git small(Git::kLibrary, {2, 1, 10});
  EXPECT_EQ(small.head(tree.root(), "").error().message,
            "the commit of the repository's head cannot be read");
}

TEST_F(GitTest, EndsWhenTimeIsUp) {
  git("init -b main");
  commit("a.txt", "1", "one");
  const auto late = reader.history(tree.root(), "", {}, {});
  ASSERT_TRUE(late);
  EXPECT_FALSE((*late)->in_time);
  EXPECT_EQ((*late)->commits, 0U);
  EXPECT_EQ(history()->commits, 1U);  // not what was cut short
}

TEST_F(GitTest, IsAskedForOneDirectoryAlone) {
  tree.make_directory("inner/deep");
  git("init -b main");
  EXPECT_EQ(head("inner"), kNone);
  git("init -b other", "inner");
  EXPECT_EQ(head("inner"), "other: ");
  EXPECT_EQ(head("inner/deep"), kNone);
  EXPECT_EQ(head("absent"), kNone);
}

TEST_F(GitTest, FollowsAWorkTreeThatItsRepositoryKnows) {
  tree.make_directory("first");
  git("init -b main", "first");
  tree.write("first/a.txt", "1");
  git("add -A", "first");
  git("commit -m one", "first");
  git("worktree add ../second -b feature", "first");
  EXPECT_EQ(head("second"), "feature: one");
  EXPECT_EQ(history("second")->commits, 1U);
  // One that claims it without being known.
  tree.make_directory("third");
  fs::copy_file(tree / "second/.git", tree / "third/.git");
  EXPECT_EQ(head("third"), kNone);
  tree.write("third/.git", "gitdir: ../first/.git\n");
  EXPECT_EQ(head("third"), kNone);
  // One that brings a directory which points back at it, and borrows the rest.
  tree.write("third/.git", "gitdir: fake\n");
  tree.write("third/fake/gitdir", (tree / "third/.git").string() + "\n");
  tree.write("third/fake/commondir", (tree / "first/.git").string() + "\n");
  tree.write("third/fake/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(head("third"), kNone);
}

TEST_F(GitTest, FollowsNoLinks) {
  tree.make_directory("first");
  git("init -b main", "first");
  tree.make_directory("second");
  fs::create_directory_symlink(tree / "first/.git", tree / "second/.git");
  EXPECT_EQ(head("second"), kNone);
  git("init -b main", ".");
  tree.remove(".git/objects");
  fs::create_directory_symlink(tree / "first/.git/objects", tree / ".git/objects");
  EXPECT_EQ(head(), "the repository has no directory \"objects\" of its own");
  tree.write("first/.git/commondir", "../../.git\n");
  EXPECT_EQ(head("first"), kNone);
}

TEST_F(GitTest, ReadsABareRepository) {
  tree.make_directory("bare.git");
  git("init --bare -b main", "bare.git");
  const auto found = reader.head(tree.root(), "bare.git");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->bare);
  EXPECT_EQ(found->branch, "main");
}

TEST_F(GitTest, SaysWhatIsWrongWithADamagedOne) {
  git("init -b main");
  commit("a.txt", "1", "one");
  const auto id = reader.head(tree.root(), "")->id;
  tree.write(".git/HEAD", "nonsense\n");
  EXPECT_TRUE(head().starts_with("the repository cannot be read")) << head();
  tree.write(".git/HEAD", "ref: refs/heads/main\n");
  tree.remove(".git/objects/" + id.substr(0, 2));
  EXPECT_EQ(head(), "the commit of the repository's head cannot be read");
  tree.write(".git/config", "[broken\n");
  EXPECT_TRUE(head().starts_with("the repository cannot be read")) << head();
  tree.remove(".git/HEAD");
  EXPECT_EQ(head(), "the repository has no HEAD");
}

TEST_F(GitTest, ReadsAShallowClone) {
  tree.make_directory("first");
  git("init -b main", "first");
  for (const char* text : {"1", "2", "3"}) {
    tree.write("first/a.txt", text);
    git("add -A", "first");
    git("commit -m one", "first");
  }
  git("clone --depth 2 'file://" + (tree / "first").string() + "' second");
  EXPECT_EQ(head("second"), "main: one");
  EXPECT_EQ(history("second")->commits, 1U);
}

TEST_F(GitTest, CountsUpToACommitThatIsMissing) {
  git("init -b main");
  commit("a.txt", "1", "one");
  const auto first = reader.head(tree.root(), "")->id;
  commit("a.txt", "2", "two");
  commit("a.txt", "3", "three");
  tree.remove(".git/objects/" + first.substr(0, 2) + "/" + first.substr(2));
  EXPECT_EQ(head(), "main: three");
  EXPECT_EQ(history()->commits, 1U);  // "two" cannot be compared with what was before
  ASSERT_EQ(history()->changed.size(), 1U);
  EXPECT_EQ(history()->changed[0].commits, 1U);
}

TEST_F(GitTest, WorksWithoutTheLibrary) {
  git("init -b main");
  Git without("libnosuchgit.so");
  EXPECT_EQ(without.head(tree.root(), "").error().code, Code::unavailable);
  EXPECT_EQ(without.head(tree.root(), "absent").error().code, Code::not_found);
}

TEST_F(GitTest, StampsDifferWithTheHead) {
  EXPECT_EQ(Git::stamp(tree.root(), ""), 0U);
  git("init -b main");
  const auto empty = Git::stamp(tree.root(), "");
  EXPECT_NE(empty, 0U);
  commit("a.txt", "1", "one");
  const auto one = Git::stamp(tree.root(), "");
  EXPECT_NE(one, empty);
  EXPECT_EQ(Git::stamp(tree.root(), ""), one);
  git("commit --allow-empty -m two");
  const auto two = Git::stamp(tree.root(), "");
  EXPECT_NE(two, one);
  git("checkout -b other");
  EXPECT_NE(Git::stamp(tree.root(), ""), two);
}

}  // namespace
}  // namespace lode
