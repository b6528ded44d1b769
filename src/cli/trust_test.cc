#include "cli/trust.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/state_dir.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class TrustTest : public testing::Test {
 protected:
  TrustTest() { tree_.write("work/.lode/lode.toml", "resources.enabled = true\n"); }

  std::string root() const { return (tree_ / "work").string(); }
  std::string record() const { return *state_dir(environment_, root()) + "/trust.json"; }
  WorkspaceFiles files() const { return read_workspace_files(root()); }
  Trust trust() const { return trust_in(environment_, root(), files()); }
  void give() const {
    const auto given = record_trust(environment_, root(), files());
    ASSERT_TRUE(given) << given.error().message;
  }

  TestTree tree_;
  Environment environment_{{"XDG_STATE_HOME", (tree_ / "state").string()}};
};

TEST_F(TrustTest, HoldsForTheseContentsAlone) {
  EXPECT_EQ(trust(), Trust::none);
  give();
  EXPECT_EQ(trust(), Trust::holds);
  tree_.write("work/.lode/lode.toml", "resources.enabled = false\n");
  EXPECT_EQ(trust(), Trust::changed);
  tree_.write("work/.lode/lode.toml", "resources.enabled = true\n");
  EXPECT_EQ(trust(), Trust::holds);
  tree_.write("work/.lode/policy.toml", "");
  EXPECT_EQ(trust(), Trust::changed) << "an empty file is not an absent one";
  tree_.remove("work/.lode/policy.toml");
  tree_.remove("work/.lode/lode.toml");
  EXPECT_EQ(trust(), Trust::changed);
}

TEST_F(TrustTest, IsOfTheBytesThatWereRead) {
  const auto seen = files();
  tree_.write("work/.lode/lode.toml", "http = '0.0.0.0:1'\n");
  ASSERT_TRUE(record_trust(environment_, root(), seen));
  EXPECT_EQ(trust(), Trust::changed);
}

TEST_F(TrustTest, CanBeTakenBack) {
  ASSERT_TRUE(revoke_trust(environment_, root())) << "there was none";
  give();
  ASSERT_TRUE(revoke_trust(environment_, root()));
  EXPECT_EQ(trust(), Trust::none);
}

TEST_F(TrustTest, IsOneWorkspaceWhicheverLinkLeadsThere) {
  give();
  fs::create_symlink("work", tree_ / "link");
  const auto link = (tree_ / "link").string();
  EXPECT_EQ(trust_in(environment_, link, read_workspace_files(link)), Trust::holds);
  tree_.write("other/.lode/lode.toml", "resources.enabled = true\n");
  const auto other = (tree_ / "other").string();
  EXPECT_EQ(trust_in(environment_, other, read_workspace_files(other)), Trust::none);
  fs::create_directories(*state_dir(environment_, other));
  fs::copy_file(record(), *state_dir(environment_, other) + "/trust.json");
  EXPECT_EQ(trust_in(environment_, other, read_workspace_files(other)), Trust::changed)
      << "the record says whose it is";
}

TEST_F(TrustTest, ARecordIsTheUsersAlone) {
  give();
  struct stat info {};
  ASSERT_EQ(::stat(record().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
  ASSERT_EQ(::chmod(record().c_str(), 0644), 0);
  EXPECT_EQ(trust(), Trust::none);
  give();
  EXPECT_EQ(trust(), Trust::holds) << "it is written anew";
  fs::rename(record(), tree_ / "moved");
  fs::create_symlink(tree_ / "moved", record());
  EXPECT_EQ(trust(), Trust::none);
  if (::geteuid() != 0) return;
  fs::rename(tree_ / "moved", record());
  ASSERT_EQ(::chown(record().c_str(), 65534, 65534), 0);
  EXPECT_EQ(trust(), Trust::none);
}

TEST_F(TrustTest, AWorkspaceCannotBringItsOwnRecord) {
  environment_["XDG_STATE_HOME"] = (tree_ / "work/state").string();
  EXPECT_EQ(record_trust(environment_, root(), files()).error().code, Code::invalid);
  environment_["XDG_STATE_HOME"] = (tree_ / "state").string();
  give();
  fs::create_symlink("work/state", tree_ / "inside");
  fs::create_directories(tree_ / "work");
  fs::rename(tree_ / "state", tree_ / "work/state");
  environment_["XDG_STATE_HOME"] = (tree_ / "inside").string();
  EXPECT_EQ(trust(), Trust::none);
}

TEST_F(TrustTest, WhatCannotBeReadCannotBeTrusted) {
  fs::create_symlink("lode.toml", tree_ / "work/.lode/policy.toml");
  EXPECT_EQ(record_trust(environment_, root(), files()).error().code, Code::invalid);
  EXPECT_EQ(trust_in({}, root(), files()), Trust::none) << "no home";
}

TEST_F(TrustTest, AStandingIsTheSameUntilSomethingChanges) {
  WorkspaceStanding standing(root(), environment_);
  const auto first = standing.look();
  EXPECT_FALSE(first->trusted());
  EXPECT_EQ(standing.look(), first);
  give();
  const auto second = standing.look();
  EXPECT_TRUE(second->trusted());
  EXPECT_EQ(standing.look(), second);
  tree_.write("work/.lode/policy.toml", "");
  EXPECT_FALSE(standing.look()->trusted());
}

}  // namespace
}  // namespace lode
