#include "cli/workspace_policy.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "workspace/test_tree.h"

namespace lode {
namespace {

using State = WorkspaceFile::State;
using Weight = WorkspaceRules::Weight;

constexpr const char* kMixed =
    "[[rule]]\neffect = \"allow\"\nroles = [\"visitor\"]\nactions = [\"*\"]\nuris = [\"**\"]\n"
    "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"read\"]\nuris = [\"a:b\"]\n";

WorkspaceStanding::Now standing(State state, const std::string& text, Trust trust) {
  WorkspaceStanding::Now now;
  now.files.policy = {state, "/w/.lode/policy.toml", text, "a link"};
  now.trust = trust;
  return now;
}

Weight weight(State state, const std::string& text, Trust trust, bool own = false) {
  return workspace_rules(standing(state, text, trust), own).weight;
}

TEST(WorkspaceRules, CountAsFarAsTheyAreTrusted) {
  EXPECT_EQ(weight(State::absent, "", Trust::holds), Weight::none);
  EXPECT_EQ(weight(State::foreign, "", Trust::none), Weight::none);
  EXPECT_EQ(weight(State::read, kMixed, Trust::none), Weight::denies);
  EXPECT_EQ(weight(State::read, kMixed, Trust::changed), Weight::denies);
  EXPECT_EQ(weight(State::read, kMixed, Trust::holds), Weight::whole);
  EXPECT_EQ(weight(State::read, kMixed, Trust::holds, true), Weight::denies);
}

TEST(WorkspaceRules, ThatCannotBeReadClose) {
  EXPECT_EQ(weight(State::unreadable, "", Trust::none), Weight::closed);
  EXPECT_EQ(weight(State::read, "[[rule]\n", Trust::none), Weight::closed);
  EXPECT_EQ(weight(State::read, "[[rule]]\neffect = \"dney\"\n", Trust::holds), Weight::closed);
}

TEST(WorkspaceRules, AreNoted) {
  auto config = *load_config({});
  note_workspace_files(config, standing(State::read, kMixed, Trust::none));
  ASSERT_EQ(config.workspace_notes.size(), 2U);
  EXPECT_EQ(config.workspace_notes[0].effect, WorkspaceNote::Effect::ignored);
  EXPECT_TRUE(config.workspace_notes[0].for_trust);
  EXPECT_EQ(config.workspace_notes[0].origin.text(), "/w/.lode/policy.toml:1");
  EXPECT_EQ(config.workspace_notes[0].value,
            "visitor may list,read,subscribe,complete,call,write,admin **");
  EXPECT_EQ(config.workspace_notes[1].effect, WorkspaceNote::Effect::added);
}

TEST(WorkspaceRules, FollowTheFileAndTheRecord) {
  TestTree tree;
  tree.write("work/.lode/policy.toml", kMixed);
  const Environment environment{{"XDG_STATE_HOME", (tree / "state").string()}};
  const auto root = (tree / "work").string();
  WorkspaceStanding standing(root, environment);
  auto log = Log::silent();
  const auto read = follow_workspace_rules(standing, false, log);
  const auto first = read();
  EXPECT_EQ(first->weight, Weight::denies);
  EXPECT_EQ(read(), first);
  ASSERT_TRUE(record_trust(environment, root, read_workspace_files(root)));
  EXPECT_EQ(read()->weight, Weight::whole);
  tree.write("work/.lode/policy.toml", std::string(kMixed) + "# more\n");
  EXPECT_EQ(read()->weight, Weight::denies) << "changed, it is untrusted again";
  tree.write("work/.lode/policy.toml", "broken");
  EXPECT_EQ(read()->weight, Weight::closed);
  tree.write("work/.lode/policy.toml", kMixed);
  EXPECT_EQ(read()->weight, Weight::whole);
  tree.write("work/.lode/lode.toml", "");
  EXPECT_EQ(read()->weight, Weight::denies) << "both files are trusted together";
}

TEST(WorkspaceRules, HoldWhenTheFileIsGone) {
  TestTree tree;
  tree.write("work/.lode/policy.toml", kMixed);
  const Environment environment{{"XDG_STATE_HOME", (tree / "state").string()}};
  const auto root = (tree / "work").string();
  ASSERT_TRUE(record_trust(environment, root, read_workspace_files(root)));
  WorkspaceStanding standing(root, environment);
  auto log = Log::silent();
  const auto read = follow_workspace_rules(standing, false, log);
  const auto first = read();
  EXPECT_EQ(first->weight, Weight::whole);
  std::filesystem::remove(tree / "work/.lode/policy.toml");
  EXPECT_EQ(read()->weight, Weight::whole);
  EXPECT_EQ(read()->policy, first->policy);
  ASSERT_TRUE(revoke_trust(environment, root));
  EXPECT_EQ(read()->weight, Weight::denies) << "who trusts it no more is not held by its allows";
  tree.write("work/.lode/policy.toml", "");
  EXPECT_TRUE(read()->policy->rules().empty())
      << "what is written takes the place of what was kept";
}

}  // namespace
}  // namespace lode
