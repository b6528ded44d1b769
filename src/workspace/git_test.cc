#include "workspace/git.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
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
  Git few(Git::kLibrary, {.commits = 2, .paths = 1, .commit_bytes = 1024});
  const auto found = few.history(tree.root(), "", kForever, {});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->commits, 2U);
  ASSERT_EQ((*found)->changed.size(), 1U);
  EXPECT_EQ((*found)->changed[0].path, "b.txt");
  Git small(Git::kLibrary, {.commits = 2, .paths = 1, .commit_bytes = 10});
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
  tree.write(".git/refs/heads/main", "ref: refs/heads/main\n");
  EXPECT_EQ(head(), "the repository cannot be read: its references refer to each other");
  for (const char* name : {"refs/../../config", "config", "refs/heads/", "refs/heads/.invalid"}) {
    tree.write(".git/HEAD", std::string("ref: ") + name + "\n");
    EXPECT_EQ(head(), "the repository cannot be read: HEAD refers to no branch") << name;
  }
  tree.remove(".git/HEAD");
  EXPECT_EQ(head(), "the repository has no HEAD");
}

TEST_F(GitTest, FindsBranchesThatArePacked) {
  git("init -b main");
  commit("a.txt", "1", "one");
  git("branch main2");
  git("checkout -b feature/x");
  commit("a.txt", "2", "two");
  git("tag -a v1 -m v1");
  git("pack-refs --all");
  EXPECT_FALSE(fs::exists(tree / ".git/refs/heads/main"));
  EXPECT_EQ(head(), "feature/x: two");
  git("symbolic-ref HEAD refs/heads/main");
  EXPECT_EQ(head(), "main: one");
  git("symbolic-ref HEAD refs/heads/mai");
  EXPECT_EQ(head(), "mai: ");
}

TEST_F(GitTest, ReadsNothingOutsideOfTheRepository) {
  const TestTree other;
  run_git(other / "", "init -b main");
  other.write("a.txt", "1");
  run_git(other / "", "add -A");
  run_git(other / "", "commit -m theirs");
  git("init -b main");
  commit("a.txt", "1", "ours");
  const auto ours = reader.head(tree.root(), "")->id;
  // Objects that are borrowed, and one that is a link.
  const auto theirs = reader.head(other.root(), "")->id;
  tree.write(".git/objects/info/alternates", (other / ".git/objects").string() + "\n");
  tree.write(".git/refs/heads/main", theirs + "\n");
  EXPECT_EQ(head(), "the commit of the repository's head cannot be read");
  const auto folder = theirs.substr(0, 2);
  fs::create_directory_symlink(other / (".git/objects/" + folder),
                               tree / (".git/objects/" + folder));
  EXPECT_EQ(head(), "the commit of the repository's head cannot be read");
  fs::remove(tree / (".git/objects/" + folder));
  tree.write(".git/refs/heads/main", ours + "\n");
  EXPECT_EQ(head(), "main: ours");
  // A work tree of a repository elsewhere, that knows it.
  run_git(other / "", "worktree add '" + (tree / "side").string() + "' -b side");
  EXPECT_EQ(head("side"), "side: theirs");
  // One that it does not know.
  fs::create_directory(tree / "claim");
  fs::copy_file(tree / "side/.git", tree / "claim/.git");
  EXPECT_EQ(head("claim"), "not the top of a git repository");
  tree.write("claim/.git", "gitdir: " + (other / ".git").string() + "\n");
  EXPECT_EQ(head("claim"), "not the top of a git repository");
}

TEST_F(GitTest, DoesNotReadTheConfiguration) {
  git("init -b main");
  commit("a.txt", "1", "one");
  // Who opens a pipe that nobody writes to waits for ever.
  ASSERT_EQ(::mkfifo((tree / "pipe").c_str(), 0600), 0);
  tree.write(".git/config", "[include]\npath = " + (tree / "pipe").string() + "\n[broken");
  EXPECT_EQ(head(), "main: one");
  EXPECT_EQ(history()->commits, 1U);
}

TEST_F(GitTest, OpensNoPipes) {
  git("init -b main");
  commit("a.txt", "1", "one");
  const auto id = reader.head(tree.root(), "")->id;
  const auto file = tree / (".git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(head(), "the commit of the repository's head cannot be read");
  ASSERT_EQ(::mkfifo((tree / ".git/objects/pack/pack-1.idx").c_str(), 0600), 0);
  EXPECT_EQ(head(), "the repository's packs are not all files, or too many");
}

// A commit of a tree that has so many entries.
class LargeTreeTest : public GitTest {
 protected:
  void make(int entries) const {
    git("init -b main");
    git("commit --allow-empty -m base");
    const std::string shell =
        "cd '" + tree.root().path() + "' && blob=$(echo x | git hash-object -w --stdin) && seq " +
        std::to_string(entries) +
        " | sed \"s/^/100644 blob $blob\tf/\" | git mktree > ids && git -c user.name=a -c "
        "user.email=a commit-tree -p HEAD -m large $(cat ids) > ids2 && git update-ref HEAD $(cat "
        "ids2)";
    ASSERT_EQ(std::system(shell.c_str()), 0);
  }
};

TEST_F(LargeTreeTest, TakesNoMoreMemoryThanItMay) {
  make(100'000);
  Git frugal(Git::kLibrary, {.memory_bytes = std::size_t{1} << 20});
  EXPECT_EQ(frugal.head(tree.root(), "")->subject, "large");
  const auto cut = frugal.history(tree.root(), "", kForever, {});
  ASSERT_TRUE(cut);
  EXPECT_FALSE((*cut)->in_memory);
  EXPECT_EQ((*cut)->commits, 0U);
  EXPECT_EQ(*frugal.history(tree.root(), "", kForever, {}), *cut);  // remembered
  EXPECT_EQ(history()->changed.size(), 100'000U);
  EXPECT_TRUE(history()->in_memory);
}

// Memory may be refused at any point; the library then fails and gives all back.
TEST_F(LargeTreeTest, BearsThatMemoryIsRefusedAnywhere) {
  make(500);
  bool whole = false;
  for (std::size_t bytes = 64; !whole; bytes += bytes / 8) {
    ASSERT_LT(bytes, std::size_t{1} << 28U);
    Git frugal(Git::kLibrary, {.memory_bytes = bytes});
    const auto found = frugal.history(tree.root(), "", kForever, {});
    whole = found && (*found)->in_memory && (*found)->commits == 2;
  }
}

// Each tree holds the one below ten times, and no file is ever reached.
TEST_F(GitTest, EndsAWalkOverTreesThatHoldEachOther) {
  git("init -b main");
  git("commit --allow-empty -m base");
  const std::string shell =
      "cd '" + tree.root().path() +
      "' && t=$(git mktree < /dev/null) && for i in $(seq 30); do t=$(for n in 0 1 2 3 4 5 6 7 8 9;"
      " do printf '040000 tree %s\\t%s\\n' $t $n; done | git mktree); done && c=$(git -c "
      "user.name=a"
      " -c user.email=a commit-tree -p HEAD -m bomb $t) && git update-ref HEAD $c";
  ASSERT_EQ(std::system(shell.c_str()), 0);
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const auto found = reader.history(tree.root(), "", soon, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE((*found)->in_time);
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
