#include "cli/workspace_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;
using State = WorkspaceFile::State;

using List = std::vector<std::string>;

constexpr uid_t kOther = 65534;

class WorkspaceFilesTest : public testing::Test {
 protected:
  WorkspaceFiles read() const { return read_workspace_files(tree_.root().path()); }
  State config() const { return read().config.state; }

  TestTree tree_;
};

TEST_F(WorkspaceFilesTest, AreReadWhole) {
  EXPECT_EQ(config(), State::absent);
  tree_.write(".lode/lode.toml", "a = 1\n");
  EXPECT_EQ(config(), State::read);
  EXPECT_EQ(read().config.text, "a = 1\n");
  EXPECT_EQ(read().config.path, (tree_ / ".lode/lode.toml").string());
  EXPECT_EQ(read().policy.state, State::absent);
}

TEST_F(WorkspaceFilesTest, AreNoLinksPipesOrDirectories) {
  tree_.write("elsewhere/lode.toml", "a = 1\n");
  fs::create_symlink("elsewhere", tree_ / ".lode");
  EXPECT_EQ(config(), State::unreadable);
  EXPECT_EQ(read().config.problem, "its directory is a link");
  EXPECT_EQ(read().config.text, "");
  tree_.remove(".lode");
  tree_.make_directory(".lode");
  fs::create_symlink("../elsewhere/lode.toml", tree_ / ".lode/lode.toml");
  EXPECT_EQ(read().config.problem, "a link");
  tree_.remove(".lode/lode.toml");
  ASSERT_EQ(::mkfifo((tree_ / ".lode/lode.toml").c_str(), 0600), 0);
  EXPECT_EQ(read().config.problem, "no regular file");
  tree_.remove(".lode/lode.toml");
  tree_.make_directory(".lode/lode.toml");
  EXPECT_EQ(config(), State::unreadable);
}

TEST_F(WorkspaceFilesTest, HaveALimit) {
  tree_.write(".lode/policy.toml", std::string(kWorkspaceFileBytes, '#'));
  EXPECT_EQ(read().policy.state, State::read);
  tree_.write(".lode/policy.toml", std::string(kWorkspaceFileBytes + 1, '#'));
  EXPECT_EQ(read().policy.state, State::unreadable);
  EXPECT_EQ(read().policy.problem, "the file is over 1048576 bytes");
}

TEST_F(WorkspaceFilesTest, OfAnotherUserAreAsIfAbsent) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  tree_.write(".lode/lode.toml", "a = 1\n");
  ASSERT_EQ(::chown((tree_ / ".lode/lode.toml").c_str(), kOther, kOther), 0);
  EXPECT_EQ(config(), State::foreign);
  EXPECT_EQ(read().config.text, "");
  ASSERT_EQ(::chown((tree_ / ".lode/lode.toml").c_str(), 0, 0), 0);
  ASSERT_EQ(::chown((tree_ / ".lode").c_str(), kOther, kOther), 0);
  EXPECT_EQ(config(), State::foreign);
}

TEST_F(WorkspaceFilesTest, PathsThatStayInside) {
  const auto& root = tree_.root().path();
  tree_.make_directory("a");
  fs::create_symlink("a", tree_ / "link");
  for (const auto& good : List{"a", "a/b", "new/b", root + "/a"}) {
    EXPECT_TRUE(check_stays_inside(root, good)) << good;
  }
  for (const auto& bad : List{"", ".", "..", "../x", "a/../b", "link", "link/x", "/", root,
                              root + "x/a", "a/.git/x", ".ssh"}) {
    EXPECT_FALSE(check_stays_inside(root, bad)) << bad;
  }
}

}  // namespace
}  // namespace lode
