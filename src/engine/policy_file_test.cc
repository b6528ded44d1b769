#include "engine/policy_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/policy_source.h"
#include "engine/provider.h"

namespace lode {
namespace {

constexpr std::string_view kGood = R"(
[roles]
readers = ["visitor", "ci"]

[[rule]]
effect = "allow"
roles = ["readers"]
actions = ["list", "read"]
uris = ["**"]

[[rule]]
effect = "deny"
roles = ["ci"]
actions = ["*"]
uris = ["**/.env"]
tools = ["file_*"]
)";

std::string refusal(std::string_view text) {
  auto policy = parse_policy(text, "policy.toml");
  return policy ? "" : policy.error().message;
}

// A right rule, but for one line.
std::string rule_with(const std::string& line) {
  std::string text = "[[rule]]\n";
  for (const std::string good :
       {"effect = \"allow\"", "roles = [\"*\"]", "actions = [\"read\"]", "uris = [\"**\"]"}) {
    const bool replaced = line.substr(0, line.find(' ')) == good.substr(0, good.find(' '));
    if (!replaced) text += good + "\n";
  }
  return text + line + "\n";
}

TEST(PolicyFile, IsRead) {
  const auto policy = parse_policy(kGood, "policy.toml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_TRUE(policy->permits({"ci"}, Action::read, *Uri::parse("file:///a")));
  EXPECT_FALSE(policy->permits({"ci"}, Action::read, *Uri::parse("file:///x/.env")));
  EXPECT_TRUE(policy->permits({"visitor"}, Action::read, *Uri::parse("file:///x/.env")));
  EXPECT_FALSE(policy->permits({"visitor"}, Action::write, *Uri::parse("file:///a")));
  ASSERT_EQ(policy->rules().size(), 2U);
  EXPECT_EQ(policy->rules()[0].where, "policy.toml:5");
  EXPECT_EQ(policy->rules()[1].where, "policy.toml:11");
  EXPECT_EQ(policy->rules()[1].actions.size(), 7U);
}

TEST(PolicyFile, AnEmptyOneRefusesEverything) {
  const auto policy = parse_policy("", "policy.toml");
  ASSERT_TRUE(policy);
  EXPECT_FALSE(policy->permits({"local"}, Action::read, *Uri::parse("file:///a")));
}

TEST(PolicyFile, NamesLineAndNearestWord) {
  EXPECT_EQ(refusal("[role]\n"),
            "policy.toml:1: a policy has no key \"role\" (did you mean \"roles\"?)");
  EXPECT_EQ(refusal(rule_with("rolls = []")),
            "policy.toml:6: a rule has no key \"rolls\" (did you mean \"roles\"?)");
  EXPECT_EQ(refusal(rule_with("effect = \"alow\"")),
            "policy.toml:5: an effect is \"allow\" or \"deny\", not \"alow\" (did you mean "
            "\"allow\"?)");
  EXPECT_EQ(refusal(rule_with("actions = [\"list\",\n \"raed\"]")),
            "policy.toml:6: there is no action \"raed\" (did you mean \"read\"?)");
  EXPECT_EQ(refusal(rule_with("uris = [\"a[\"]")),
            "policy.toml:5: in the glob \"a[\", at offset 1: a '[' without its ']'");
  EXPECT_EQ(refusal(rule_with("uris = []")),
            "policy.toml:1: a rule names uris, tools or both; uris = [\"**\"] is everything");
}

TEST(PolicyFile, RefusesWrongTypesAndMissingKeys) {
  EXPECT_EQ(refusal("[rule]\n"), "policy.toml:1: a rule begins with [[rule]], in double brackets");
  EXPECT_EQ(refusal("roles = 1\n"),
            "policy.toml:1: roles must be a table: role = [\"principal\", …]");
  EXPECT_EQ(refusal("[roles]\na = \"x\"\n"),
            "policy.toml:2: the role a must be an array of strings");
  EXPECT_EQ(refusal("[[rule]]\nroles = [\"*\"]\n"),
            "policy.toml:1: a rule needs an effect: \"allow\" or \"deny\"");
  EXPECT_EQ(refusal(rule_with("roles = [\"a\", 2]")),
            "policy.toml:5: roles must hold strings only");
  EXPECT_EQ(refusal(rule_with("roles = []")), "policy.toml:5: roles is empty; [\"*\"] is everyone");
  EXPECT_EQ(refusal(rule_with("actions = []")),
            "policy.toml:5: actions is empty; [\"*\"] is all of them");
  EXPECT_NE(refusal(rule_with("effect = 1")), "");
}

TEST(PolicyFile, RefusesWhatIsNotToml) {
  EXPECT_TRUE(refusal("\n\n[roles\n").starts_with("policy.toml:3: "));
  EXPECT_TRUE(refusal("[roles]\na = []\na = []\n").starts_with("policy.toml:3: "));
  EXPECT_EQ(refusal("\n# é\na = \"\xFF\"\n"), "policy.toml:3: the policy is not UTF-8");
}

TEST(PolicyFile, IsBounded) {
  std::string deep = "a";
  for (int i = 0; i < 400'000; ++i) deep += ".a";
  EXPECT_EQ(refusal(deep + " = 1"), "policy.toml:1: the policy nests too deep");
  EXPECT_EQ(refusal("\na = \"\"\"x\n\"\"\""),
            "policy.toml:2: strings over several lines are not for a policy");
  EXPECT_NE(refusal("a = " + std::string(100'000, '[')), "");
  EXPECT_EQ(refusal(std::string((1 << 20) + 1, ' ')),
            "policy.toml: the policy is over 1048576 bytes");
  const std::string dots = "# " + std::string(10'000, '.') + "\n[roles]\na = [\"\\\"" +
                           std::string(10'000, '.') + "\", '" + std::string(10'000, '.') + "']\n";
  EXPECT_EQ(refusal(dots), "");
}

class PolicySourceTest : public ::testing::Test {
 protected:
  PolicySourceTest() {
    std::string name = (std::filesystem::temp_directory_path() / "lode-policy-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "policy.toml";
  }
  ~PolicySourceTest() override { std::filesystem::remove_all(folder_); }

  void write(std::string_view text) { std::ofstream(path_) << text; }
  static bool may(const PolicySource& source, Action action) {
    return source.current()->permits({"ci"}, action, *Uri::parse("file:///a"));
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

TEST_F(PolicySourceTest, FollowsTheFile) {
  write(kGood);
  auto source = PolicySource::open(path_.string());
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_TRUE(may(**source, Action::read));
  EXPECT_FALSE(*(*source)->reload_if_changed());

  const auto before = (*source)->current();
  write("");
  EXPECT_TRUE(*(*source)->reload_if_changed());
  EXPECT_FALSE(*(*source)->reload_if_changed());
  EXPECT_FALSE(may(**source, Action::read));
  EXPECT_TRUE(before->permits({"ci"}, Action::read, *Uri::parse("file:///a")));
}

TEST_F(PolicySourceTest, SeesTwoWritesOfOneLengthWithinATick) {
  const std::string read = rule_with("actions = [\"read\"]");
  const std::string list = rule_with("actions = [\"list\"]");
  write(read);
  auto source = PolicySource::open(path_.string());
  ASSERT_TRUE(source);
  for (int i = 0; i < 50; ++i) {
    write(i % 2 == 0 ? list : read);
    EXPECT_TRUE(*(*source)->reload_if_changed());
    EXPECT_EQ(may(**source, Action::read), i % 2 != 0);
  }
}

TEST_F(PolicySourceTest, KeepsTheOldPolicyWhileTheFileIsBroken) {
  write(kGood);
  auto source = PolicySource::open(path_.string());
  ASSERT_TRUE(source);
  write("[[rule]]\neffect = \"alow\"\n");
  const auto broken = (*source)->reload_if_changed();
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Code::invalid);
  EXPECT_FALSE(*(*source)->reload_if_changed()) << "reported once";
  EXPECT_TRUE(may(**source, Action::read));

  std::filesystem::remove(path_);
  EXPECT_EQ((*source)->reload_if_changed().error().code, Code::not_found);
  EXPECT_FALSE(*(*source)->reload_if_changed()) << "reported once";
  EXPECT_TRUE(may(**source, Action::read));

  write("");
  EXPECT_TRUE(*(*source)->reload_if_changed());
  EXPECT_FALSE(may(**source, Action::read));
}

TEST_F(PolicySourceTest, NeedsARightFileToBegin) {
  EXPECT_EQ(PolicySource::open(path_.string()).error().code, Code::not_found);
  EXPECT_EQ(PolicySource::open(folder_.string()).error().code, Code::invalid);
  write("nonsense");
  EXPECT_EQ(PolicySource::open(path_.string()).error().code, Code::invalid);
}

class WorkspaceRulesTest : public PolicySourceTest {
 protected:
  using Weight = WorkspaceRules::Weight;

  void say(Weight weight, std::string_view text) {
    auto policy = parse_policy(text, "theirs");
    ASSERT_TRUE(policy) << policy.error().message;
    rules_ = std::make_shared<const WorkspaceRules>(WorkspaceRules{
        weight, std::make_shared<const Policy>(std::move(*policy)), "theirs: broken"});
  }
  std::unique_ptr<PolicySource> open(const std::string& file) {
    auto source = PolicySource::open(file, [this] { return rules_; });
    EXPECT_TRUE(source);
    return std::move(*source);
  }
  static bool local_may(const PolicySource& source, Action action) {
    return source.current()->permits({"local"}, action, *Uri::parse("file:///a"));
  }

  std::shared_ptr<const WorkspaceRules> rules_ = std::make_shared<const WorkspaceRules>();
  const std::string mixed_ =
      "[[rule]]\neffect = \"allow\"\nroles = [\"ci\"]\nactions = [\"*\"]\nuris = [\"**\"]\n"
      "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"write\"]\nuris = [\"**\"]\n";
};

TEST_F(WorkspaceRulesTest, DeniesAreAddedToTheLocalPolicy) {
  say(Weight::denies, mixed_);
  const auto source = open("");
  EXPECT_TRUE(local_may(*source, Action::read));
  EXPECT_FALSE(local_may(*source, Action::write));
  EXPECT_FALSE(may(*source, Action::read)) << "their allow does not count";
}

TEST_F(WorkspaceRulesTest, WholeRulesAreThePolicyOnlyWhereTheUserHasNone) {
  say(Weight::whole, mixed_);
  EXPECT_TRUE(may(*open(""), Action::read));
  EXPECT_FALSE(local_may(*open(""), Action::read));
  write("");
  EXPECT_FALSE(may(*open(path_.string()), Action::read)) << "the user's file permits nothing";
}

TEST_F(WorkspaceRulesTest, ChangesAreFollowedAndRulesThatCannotBeReadClose) {
  const auto source = open("");
  EXPECT_TRUE(local_may(*source, Action::write));
  say(Weight::whole, mixed_);
  EXPECT_TRUE(*source->reload_if_changed());
  EXPECT_TRUE(may(*source, Action::read));
  say(Weight::denies, mixed_);
  EXPECT_TRUE(*source->reload_if_changed());
  EXPECT_FALSE(*source->reload_if_changed());
  EXPECT_FALSE(may(*source, Action::read));
  say(Weight::closed, "");
  EXPECT_TRUE(*source->reload_if_changed());
  EXPECT_FALSE(local_may(*source, Action::read));
  EXPECT_EQ(source->current()->rules().front().where, "theirs: broken");
}

TEST_F(WorkspaceRulesTest, MoreThanFitsTogetherCloses) {
  std::string many;
  for (std::size_t i = 0; i < Policy::kMaxRules; ++i) {
    many += "[[rule]]\neffect='deny'\nroles=['x']\nactions=['read']\nuris=['a:b']\n";
  }
  say(Weight::denies, many);
  EXPECT_FALSE(local_may(*open(""), Action::read));
}

TEST(PolicySource, MayHoldAFixedPolicy) {
  PolicySource source(Policy::local());
  EXPECT_FALSE(*source.reload_if_changed());
  EXPECT_TRUE(source.current()->permits({"local"}, Action::admin, *Uri::parse("file:///a")));
}

}  // namespace
}  // namespace lode
