#include "workspace/write_rule.h"

#include <gtest/gtest.h>

#include "workspace/test_tree.h"

namespace lode {
namespace {

class WriteRuleTest : public testing::Test {
 protected:
  bool may(const std::string& relative) const {
    const auto status = check_write(tree_.root().path(), relative);
    EXPECT_TRUE(status.ok() || status.error().code == Code::denied);
    return status.ok();
  }
  void link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, tree_ / name);
  }

  TestTree tree_;
};

TEST_F(WriteRuleTest, ReservedNamesInAnySpelling) {
  for (const char* name :
       {".git/config", ".GIT/config", "a/.Git/hooks/pre-commit", ".git", ".git./config",
        ".git /config", "GIT~1/config", ".lode/lode.toml", "sub/.LODE/policy.toml", ".lode"}) {
    EXPECT_FALSE(may(name)) << name;
  }
  for (const char* name : {"a.txt", ".gitignore", ".github/workflows/ci.yml", "lode.toml", "git/x",
                           ".githooks/pre-commit", ".husky/pre-commit", ".lodestar/x"}) {
    EXPECT_TRUE(may(name)) << name;
  }
}

TEST_F(WriteRuleTest, TheDirectoryThatTheConfigurationNamesForHooks) {
  for (const char* config :
       {"[core]\n\thooksPath = .githooks\n", "[core]\nHOOKSPATH=\".githooks\" ; ours\n",
        "[core] hooksPath = ./tools/../.githooks/\n"}) {
    tree_.write(".git/config", config);
    EXPECT_FALSE(may(".githooks/pre-commit")) << config;
    EXPECT_TRUE(may(".husky/pre-commit")) << config;
  }
  tree_.write(".git/config", "[core]\n\thooksPath = " + (tree_ / "own").string() + "\n");
  EXPECT_FALSE(may("own/deep/hook"));
  tree_.write(".git/config", "[core]\n\tx = hooksPath\n# hooksPath\n");
  EXPECT_TRUE(may(".githooks/pre-commit"));
  tree_.write("real/x", "");
  link("real", "linked");
  tree_.write(".git/config", "[core]\n\thooksPath = linked\n");
  EXPECT_FALSE(may("real/pre-commit"));
}

TEST_F(WriteRuleTest, HooksThatAreLinks) {
  tree_.make_directory(".git/hooks");
  tree_.write("tools/check", "");
  EXPECT_TRUE(may("tools/check"));
  link("../../tools/check", ".git/hooks/pre-commit");
  EXPECT_FALSE(may("tools/check"));
  EXPECT_TRUE(may("tools/other"));
  tree_.remove(".git/hooks");
  link("../tools", ".git/hooks");
  EXPECT_FALSE(may("tools/other"));
}

TEST_F(WriteRuleTest, TheRepositoryThatAFileOrALinkNames) {
  tree_.write("work/.git", "gitdir: ../meta\n");
  tree_.write("meta/x", "");
  EXPECT_TRUE(may("meta/x")) << "nothing above it says so";
  tree_.write(".git", "gitdir: meta\n");
  EXPECT_FALSE(may("meta/x"));
  EXPECT_TRUE(may("work/a.txt"));
  tree_.remove(".git");
  link("meta", ".git");
  EXPECT_FALSE(may("meta/hooks/pre-commit"));
}

TEST_F(WriteRuleTest, RepositoriesWithoutAWorkTree) {
  tree_.write("x.git/HEAD", "ref: refs/heads/main\n");
  EXPECT_TRUE(may("x.git/config"));
  tree_.make_directory("x.git/objects");
  tree_.make_directory("x.git/refs");
  EXPECT_FALSE(may("x.git/config"));
  EXPECT_FALSE(may("x.git/hooks/post-update"));
  EXPECT_TRUE(may("y/config"));
  tree_.write("x.git/main/.git", "gitdir: ../worktrees/main\n");
  tree_.write("x.git/worktrees/main/HEAD", "");
  tree_.write("x.git/worktrees/main/commondir", "../..\n");
  EXPECT_FALSE(may("x.git/main/../config"));
  EXPECT_FALSE(may("x.git/worktrees/main/config"));
  tree_.write("meta/HEAD", "");
  tree_.write("meta/commondir", "elsewhere\n");
  EXPECT_FALSE(may("meta/config"));
}

TEST_F(WriteRuleTest, TheRepositoryAboveTheRoot) {
  tree_.write(".git/config", "[core]\nhooksPath = sub/hooks\n");
  tree_.make_directory("sub/hooks");
  const auto root = (tree_ / "sub").string();
  EXPECT_FALSE(check_write(root, "hooks/pre-commit"));
  EXPECT_TRUE(check_write(root, "a.txt"));
}

TEST_F(WriteRuleTest, AFolderOfOurOwnMayBeWritten) {
  const auto folder = (tree_ / ".lode/elements").string();
  EXPECT_TRUE(check_write(folder, "personas/a.md"));
  EXPECT_FALSE(check_write(folder, "skills/a/.git/config"));
}

TEST_F(WriteRuleTest, OddConfigurationsDoNotHang) {
  tree_.make_directory(".git");
  ASSERT_EQ(::mkfifo((tree_ / ".git/config").c_str(), 0600), 0);
  EXPECT_TRUE(may("a.txt"));
  tree_.remove(".git/config");
  tree_.write(".git/config", std::string(kGitConfigBytes + 1, '#') + "\n[core]\nhooksPath = h\n");
  EXPECT_FALSE(may("h/x")) << "it may name any directory";
}

TEST_F(WriteRuleTest, WhatTheRepositoryLinksTo) {
  tree_.write("settings/config", "[core]\n");
  tree_.make_directory(".git");
  link("../settings/config", ".git/config");
  EXPECT_FALSE(may("settings/config"));
  EXPECT_TRUE(may("settings/other"));
  tree_.write("settings/config", "[core]\nhooksPath = hk\n");
  tree_.write("scripts/run.sh", "");
  tree_.make_directory("hk");
  link("../scripts/run.sh", "hk/pre-commit");
  EXPECT_FALSE(may("scripts/run.sh"));
}

TEST_F(WriteRuleTest, HooksPathsHoweverTheyAreWritten) {
  for (const char* config : {"[core]\nhooksPath = h\\\nk\n", "[core] hooksPath = hk\n",
                             "[core]\n\thookspath=\"hk\"\n"}) {
    tree_.write(".git/config", config);
    EXPECT_FALSE(may("hk/pre-commit")) << config;
  }
  tree_.write(".git/config", "[core]\nhooksPath = .husky/_\n");
  EXPECT_FALSE(may(".husky/pre-commit"));
  tree_.write(".git/config", "[include]\npath = ../more.cfg\n");
  tree_.write("more.cfg", "[core]\nhooksPath = hk\n[include]\npath = more.cfg\n");
  EXPECT_FALSE(may("hk/pre-commit"));
  EXPECT_FALSE(may("more.cfg"));
  EXPECT_TRUE(may("a.txt"));
  tree_.write(".git/config", "");
  tree_.write("home/.gitconfig", "[core]\nhooksPath = .githooks\n");
  ::setenv("HOME", (tree_ / "home").c_str(), 1);
  EXPECT_FALSE(may(".githooks/pre-commit"));
}

}  // namespace
}  // namespace lode
