#include "engine/policy.h"

#include <gtest/gtest.h>

#include <random>

#include "base/grants.h"
#include "engine/provider.h"

namespace lode {
namespace {

using enum Action;

Uri uri(std::string_view text) { return *Uri::parse(text); }

std::vector<Glob> globs(std::initializer_list<std::string_view> texts) {
  std::vector<Glob> all;
  for (const auto text : texts) all.push_back(*Glob::parse(text));
  return all;
}

Rule rule(bool allow, std::vector<std::string> roles, std::vector<Action> actions,
          std::initializer_list<std::string_view> uris,
          std::initializer_list<std::string_view> tools = {}) {
  return {allow, std::move(roles), std::move(actions), globs(uris), globs(tools), "test"};
}

bool permits(const Policy& policy, const std::string& who, Action action, std::string_view text) {
  const bool permitted = policy.permits({who}, action, uri(text));
  EXPECT_EQ(policy.explain({who}, action, uri(text)).permitted, permitted) << text;
  return permitted;
}

TEST(Policy, RefusesWhatNoRuleAllows) {
  const auto policy = Policy::make({}, {});
  ASSERT_TRUE(policy);
  EXPECT_FALSE(permits(*policy, "local", read, "a://b"));
}

TEST(Policy, AnyDenyWinsWhateverTheOrder) {
  const auto allow = rule(true, {"*"}, {read}, {"a://**"});
  const auto deny = rule(false, {"ci"}, {read}, {"a://secret/**"});
  for (const bool first : {true, false}) {
    const auto policy =
        Policy::make(first ? std::vector{deny, allow} : std::vector{allow, deny}, {});
    EXPECT_FALSE(permits(*policy, "ci", read, "a://secret/x"));
    EXPECT_TRUE(permits(*policy, "ci", read, "a://open/x"));
    EXPECT_TRUE(permits(*policy, "other", read, "a://secret/x"));
    EXPECT_FALSE(permits(*policy, "other", list, "a://open/x"));
    EXPECT_FALSE(permits(*policy, "other", read, "b://open/x"));
    EXPECT_TRUE(policy->denies({"ci"}, read, uri("a://secret/x")));
    EXPECT_FALSE(policy->denies({"ci"}, read, uri("a://open/x")));
    EXPECT_FALSE(policy->denies({"other"}, read, uri("b://x"))) << "not allowed is not denied";
    EXPECT_TRUE(policy->has_denies());
  }
  EXPECT_FALSE(Policy::make({allow}, {})->has_denies());
}

TEST(Policy, WhatIsBelowCoversWhatItIsBelow) {
  const auto policy =
      Policy::make({rule(true, {"*"}, {read}, {"a://x/**", "{a://p/**,a://q/**}", "a://r/*/**"}),
                    rule(false, {"*"}, {read}, {"a://x/y/**"})},
                   {});
  for (const char* permitted : {"a://x", "a://x/z", "a://p", "a://q/1", "a://q", "a://r/1"}) {
    EXPECT_TRUE(permits(*policy, "ci", read, permitted)) << permitted;
  }
  for (const char* refused : {"a://x/y", "a://x/y/z", "a://xy", "a://", "a://r"}) {
    EXPECT_FALSE(permits(*policy, "ci", read, refused)) << refused;
  }
}

TEST(Policy, WhoIsDeniedADirectoryIsDeniedWhatIsBelow) {
  const auto policy =
      Policy::make({rule(true, {"*"}, {read, list}, {"**"}),
                    rule(false, {"*"}, {read},
                         {"file:///w/shut", "x://w/shut", "file:///**/node_modules", "skill://pdf",
                          "mcp://backlog/artifacts", "mcp://backlog/resources/a"})},
                   {});
  for (const char* denied :
       {"file:///w/shut", "file:///w/shut/a", "file:///w/shut/b/c.txt",
        "file:///w/a/node_modules/b/c", "file:///w/shut/a.bak", "skill://pdf/a/b",
        "mcp://backlog/artifacts/a", "mcp://backlog/resources/a/b"}) {
    EXPECT_FALSE(permits(*policy, "ci", read, denied)) << denied;
    EXPECT_TRUE(policy->denies({"ci"}, read, uri(denied))) << denied;
    EXPECT_TRUE(permits(*policy, "ci", list, denied)) << denied;
  }
  for (const char* permitted :
       {"file:///w", "file:///w/shutter", "x://w/shut/a", "file:///", "skill://pdfs/a",
        "mcp://backlog/resources/b", "mcp://backlog/artifact", "mcp://backlog/tasks/a"}) {
    EXPECT_TRUE(permits(*policy, "ci", read, permitted)) << permitted;
  }
}

TEST(Policy, KnowsWhatItMayDeny) {
  const auto policy = Policy::make(
      {rule(true, {"*"}, {read}, {"**"}), rule(false, {"ci"}, {read}, {"a://b/c/**", "a://b/c*"}),
       rule(false, {"*"}, {write}, {"a://b/d", "x://**"})},
      {});
  ASSERT_TRUE(policy.ok());
  for (const auto* begin : {"a:", "a://b/", "a://b/c", "a://b/cd", "a://b/d", "x://y", "x:"}) {
    EXPECT_TRUE(policy->may_deny(begin)) << begin;
  }
  for (const auto* begin : {"b:", "a://b/b", "a://b/e", "a://c", "file:///"}) {
    EXPECT_FALSE(policy->may_deny(begin)) << begin;
  }
  const auto any = Policy::make({rule(false, {"*"}, {read}, {"**/x", "a://b"})}, {});
  EXPECT_TRUE(any->may_deny("anything://at/all"));
  EXPECT_FALSE(Policy::local().may_deny(""));
}

TEST(Policy, KnowsWhetherItTellsFilesApart) {
  const auto apart = [](std::vector<Rule> rules) {
    return Policy::make(std::move(rules), {})->tells_files_apart();
  };
  EXPECT_FALSE(Policy::local().tells_files_apart());
  EXPECT_FALSE(apart({rule(true, {"*"}, {read}, {"**"})}));
  EXPECT_FALSE(apart({rule(true, {"*"}, {read}, {"resource://file/**", "file:///**"})}));
  EXPECT_FALSE(apart({rule(true, {"*"}, {read}, {"skill://**"})}));
  EXPECT_TRUE(apart({rule(true, {"*"}, {read}, {"resource://file/**"})}));
  EXPECT_TRUE(apart({rule(true, {"*"}, {read}, {"mcp://backlog/**"})}));
  EXPECT_TRUE(apart({rule(true, {"*"}, {read}, {"file:///w/**"})}));
  EXPECT_TRUE(apart({rule(true, {"*"}, {read}, {"**/x"})}));
  EXPECT_TRUE(apart({rule(true, {"*"}, {read}, {"**"}), rule(false, {"*"}, {read}, {"a://b"})}));
}

TEST(Policy, ABackupObeysTheRulesOfItsOriginal) {
  const auto policy = Policy::make(
      {rule(true, {"*"}, {read}, {"a://**"}), rule(false, {"*"}, {read}, {"a://x/plan.txt"}),
       rule(true, {"*"}, {list}, {"a://x/one.bak"})},
      {});
  for (const char* denied : {"a://x/plan.txt", "a://x/plan.txt.bak", "a://x/plan.txt.bak2",
                             "a://x/plan.txt.BAK", "a://x/plan.txt.bak.bak17"}) {
    EXPECT_FALSE(permits(*policy, "ci", read, denied)) << denied;
    EXPECT_TRUE(policy->denies({"ci"}, read, uri(denied))) << denied;
  }
  for (const char* open : {"a://x/plan.md.bak", "a://x/.bak", "a://x/plan.txt.baked"}) {
    EXPECT_TRUE(permits(*policy, "ci", read, open)) << open;
  }
  EXPECT_FALSE(permits(*policy, "ci", list, "a://x/one.bak")) << "nobody may list the original";
}

TEST(Policy, CountsTheRolesThatACredentialGrants) {
  const auto policy = Policy::make(
      {rule(true, {"dev"}, {read}, {"a://**", "n://h/**"}),
       rule(false, {"intern"}, {read}, {"a://secret/**"}),
       rule(true, {"listed"}, {read}, {"b://**"}), rule(true, {"local", "owner"}, {write}, {"**"}),
       rule(true, {"visitor"}, {list}, {"**"})},
      {{"listed", {"ada", "dev"}}});
  const auto decides = [&](const Principal& who, Action action, std::string_view text) {
    const bool permitted = policy->permits(who, action, uri(text));
    EXPECT_EQ(policy->explain(who, action, uri(text)).permitted, permitted) << text;
    return permitted;
  };
  const auto dev = *granted("bob", {"dev", "unknown"});
  EXPECT_TRUE(decides(dev, read, "a://secret/x"));
  EXPECT_TRUE(policy->names(dev, uri("n://h/x")));
  EXPECT_FALSE(decides({"bob"}, read, "a://x"));
  EXPECT_FALSE(policy->names({"bob"}, uri("n://h/x")));
  EXPECT_FALSE(decides(dev, read, "b://x")) << "the table lists principals, not roles";
  EXPECT_TRUE(decides(*granted("ada", {}), read, "b://x")) << "beside what the table says";
  const auto both = *granted("ada", {"intern", "dev"});
  EXPECT_TRUE(decides(both, read, "a://x"));
  EXPECT_FALSE(decides(both, read, "a://secret/x")) << "a deny of any role wins";
  EXPECT_TRUE(policy->denies(both, read, uri("a://secret/x")));
  EXPECT_TRUE(decides(both, read, "b://x"));
  const auto greedy = *granted("eve", {"*", "local", "owner", "visitor"});
  EXPECT_FALSE(decides(greedy, write, "a://x"));
  EXPECT_FALSE(decides(greedy, list, "a://x"));
}

TEST(Policy, DeniesOfAnotherHoldForGrantedRolesToo) {
  const auto base = Policy::make({rule(true, {"*"}, {read}, {"**"})}, {});
  const auto other = Policy::make({rule(false, {"team"}, {read}, {"a://x"})}, {{"team", {"ada"}}});
  const auto both = base->with_denies_of(*other);
  EXPECT_FALSE(both->permits(*granted("bob", {"team"}), read, uri("a://x")));
  EXPECT_FALSE(both->permits({"ada"}, read, uri("a://x")));
  EXPECT_TRUE(both->permits({"bob"}, read, uri("a://x")));
}

TEST(Policy, DeniesOfAnotherAreAddedAndNothingElse) {
  const auto base =
      Policy::make({rule(true, {"admins"}, {read, write}, {"a://**"})}, {{"admins", {"me"}}});
  const auto other = Policy::make(
      {rule(true, {"*"}, {read}, {"**"}), rule(false, {"admins"}, {read}, {"a://private/**"}),
       rule(false, {"team"}, {write}, {"a://**"})},
      {{"admins", {"stranger"}}, {"team", {"me"}}});
  const auto together = base->with_denies_of(*other);
  ASSERT_TRUE(together);
  EXPECT_TRUE(permits(*together, "me", read, "a://open"));
  EXPECT_FALSE(permits(*together, "me", read, "a://private/x")) << "the base's own admins";
  EXPECT_FALSE(permits(*together, "me", write, "a://open")) << "by a role of the other";
  EXPECT_FALSE(permits(*together, "stranger", read, "a://open")) << "gained no role";
  EXPECT_TRUE(together->denies({"stranger"}, read, uri("a://private/x")));
  EXPECT_FALSE(permits(*together, "visitor", read, "a://open")) << "allows do not count";
}

TEST(Policy, DeniesOfAnotherStayWithinTheLimits) {
  const std::vector<Rule> most(Policy::kMaxRules, rule(false, {"x"}, {read}, {"a://b"}));
  const auto full = Policy::make(most, {});
  ASSERT_TRUE(full);
  EXPECT_FALSE(Policy::local().with_denies_of(*full));
}

TEST(Policy, ClosedRefusesEveryoneEverything) {
  const auto policy = Policy::closed("policy.toml: broken");
  for (const char* who : {"local", "owner", "visitor"}) {
    EXPECT_FALSE(permits(policy, who, list, "a://b"));
    EXPECT_FALSE(permits(policy, who, call, "lode://tools/find_files"));
  }
  EXPECT_EQ(policy.rules().front().where, "policy.toml: broken");
}

TEST(Policy, RolesAreOwnNamesListsAndEveryone) {
  const auto policy = Policy::make(
      {rule(true, {"readers"}, {read}, {"r://**"}), rule(true, {"ann"}, {read}, {"ann://**"}),
       rule(true, {"all"}, {read}, {"all://**"}), rule(false, {"*"}, {read}, {"no://**"})},
      {{"readers", {"ann", "ci"}}, {"all", {"*"}}});
  EXPECT_TRUE(permits(*policy, "ann", read, "r://x"));
  EXPECT_TRUE(permits(*policy, "ci", read, "r://x"));
  EXPECT_TRUE(permits(*policy, "readers", read, "r://x"));
  EXPECT_FALSE(permits(*policy, "bob", read, "r://x"));
  EXPECT_TRUE(permits(*policy, "ann", read, "ann://x"));
  EXPECT_FALSE(permits(*policy, "ci", read, "ann://x"));
  EXPECT_TRUE(permits(*policy, "bob", read, "all://x"));
  EXPECT_TRUE(permits(*policy, "ann", read, "all://x"));
  EXPECT_FALSE(permits(*policy, "ann", read, "no://x"));
  EXPECT_FALSE(permits(*policy, "", read, "r://x"));
  EXPECT_FALSE(permits(*policy, "*", read, "r://x"));
}

TEST(Policy, AQueryNeitherEscapesADenyNorWinsAnAllow) {
  const auto policy = Policy::make({rule(true, {"*"}, {read}, {"a://h/**", "b://**/public"}),
                                    rule(false, {"*"}, {read}, {"a://h/secret", "**/.env"})},
                                   {});
  EXPECT_FALSE(permits(*policy, "x", read, "a://h/secret?a=1"));
  EXPECT_FALSE(permits(*policy, "x", read, "a://h/.env?"));
  EXPECT_TRUE(permits(*policy, "x", read, "a://h/open?a=/.env"));
  EXPECT_FALSE(permits(*policy, "x", read, "b://h/secret?a=/public"));
}

TEST(Policy, SomeOfWhatBeginsAlikeMayBePermitted) {
  const auto policy = Policy::make({rule(true, {"*"}, {read}, {"a://x/docs/**", "b://**"}),
                                    rule(false, {"ci"}, {read}, {"a://x/**"}),
                                    rule(false, {"*"}, {read}, {"b://secret/**", "b://**/*.key"})},
                                   {});
  const auto some = [&](const char* who, std::string_view begin) {
    return policy->permits_some({who}, read, begin);
  };
  EXPECT_TRUE(some("other", "a://"));
  EXPECT_TRUE(some("other", "a://x/docs/api/"));
  EXPECT_FALSE(some("other", "a://y/")) << "nothing allows any";
  EXPECT_FALSE(some("ci", "a://x/")) << "all are denied";
  EXPECT_TRUE(some("ci", "a://")) << "not all are denied";
  EXPECT_TRUE(some("ci", "b://"));
  EXPECT_FALSE(some("ci", "b://secret/deep/"));
  EXPECT_FALSE(policy->permits_some({"other"}, list, "a://"));
}

TEST(Policy, AllOfWhatBeginsAlikeIsCertainlyPermitted) {
  const auto policy = Policy::make({rule(true, {"*"}, {read}, {"a://x/**", "c://x/{a,b}/**"}),
                                    rule(false, {"ci"}, {read}, {"a://x/docs/*.md"}),
                                    rule(false, {"*"}, {read}, {"file:///home/me/secret/**"})},
                                   {});
  const auto all = [&](const char* who, std::string_view begin) {
    return policy->permits_all({who}, read, begin);
  };
  EXPECT_TRUE(all("other", "a://x/docs/"));
  EXPECT_FALSE(all("other", "a://")) << "only some are allowed";
  EXPECT_FALSE(all("other", "c://x/a/")) << "not known for certain";
  EXPECT_FALSE(all("ci", "a://x/docs/")) << "some are denied";
  EXPECT_TRUE(all("ci", "a://x/other/"));
  EXPECT_FALSE(policy->permits_all({"other"}, list, "a://x/"));
  EXPECT_TRUE(policy->denies_some({"x"}, read, "file:///home/me/secret/backlog"));
  EXPECT_TRUE(policy->denies_some({"x"}, read, "file:///home/me"));
  EXPECT_FALSE(policy->denies_some({"x"}, read, "file:///home/me/public"));
}

TEST(Policy, ToolsAreAddressesToo) {
  const auto policy = Policy::make({rule(true, {"*"}, {call}, {}, {"resource_*"}),
                                    rule(false, {"*"}, {call}, {"lode://tools/resource_write"})},
                                   {});
  EXPECT_TRUE(policy->permits({"x"}, call, *tool_uri("resource_read")));
  EXPECT_FALSE(policy->permits({"x"}, call, *tool_uri("resource_write")));
  EXPECT_FALSE(policy->permits({"x"}, call, *tool_uri("file_ops")));
  EXPECT_FALSE(policy->permits({"x"}, call, *prompt_uri("resource_read")));
}

TEST(Policy, TheLocalOneLetsVisitorsReadOnly) {
  const auto policy = Policy::local();
  for (const auto* who : {"local", "owner"}) {
    for (const Action action : {list, read, subscribe, complete, call, write, admin}) {
      EXPECT_TRUE(permits(policy, who, action, "file:///a")) << who;
    }
  }
  EXPECT_TRUE(permits(policy, "visitor", read, "file:///a"));
  EXPECT_FALSE(permits(policy, "visitor", write, "file:///a"));
  EXPECT_FALSE(permits(policy, "visitor", admin, "file:///a"));
  for (const auto* uri :
       {"resource://file/a.ts/symbols", "resource://project/summary", "resource://project/a/files",
        "capability-index://summary", "capability-index://elements/persona/x", "skill://a/SKILL.md",
        "mcp://backlog/board", "mcp://backlog/tasks/TASK-0001", "lode://search?q=x",
        "lode://prompts/p", "lode://tools/file_ops"}) {
    for (const Action action : {list, read, subscribe, complete}) {
      EXPECT_TRUE(permits(policy, "visitor", action, uri)) << uri;
    }
    EXPECT_FALSE(permits(policy, "visitor", write, uri)) << uri;
  }
  for (const auto* uri : {"resource://knowledge/recent", "resource://agent/all", "plugin://p/x",
                          "mcp://other/x", "lode://secrets", "other://x"}) {
    EXPECT_FALSE(permits(policy, "visitor", read, uri)) << uri;
    EXPECT_FALSE(permits(policy, "visitor", list, uri)) << uri;
  }
  EXPECT_FALSE(policy.names({"visitor"}, *Uri::parse("capability-index://elements/persona/x")));
  for (const auto* tool : {"resource_read", "resource_find", "find_files", "ast_analyze"}) {
    EXPECT_TRUE(policy.permits({"visitor"}, call, *tool_uri(tool))) << tool;
  }
  for (const auto* tool : {"file_ops", "element_manage", "find_files_too"}) {
    EXPECT_FALSE(policy.permits({"visitor"}, call, *tool_uri(tool))) << tool;
  }
  EXPECT_FALSE(permits(policy, "stranger", read, "file:///a"));
}

TEST(Policy, RefusesRulesThatCannotBeMeant) {
  const auto refusal = [](Rule r) { return Policy::make({std::move(r)}, {}).error().message; };
  EXPECT_EQ(refusal(rule(true, {"*"}, {read}, {})),
            "test: a rule names uris, tools or both; uris = [\"**\"] is everything");
  EXPECT_EQ(refusal(rule(false, {"*"}, {read}, {"a://search?q=*"})),
            "test: \"a://search?q=*\": rules are held against addresses without their query");
  EXPECT_NE(refusal(rule(false, {"*"}, {read}, {"a://search\\?**"})), "");
  EXPECT_EQ(refusal(rule(false, {"*"}, {read}, {"a://my file"})),
            "test: \"a://my file\": no address has such a character; it is written %XX there");
}

TEST(Policy, ExplainsRuleByRule) {
  const auto policy = Policy::make(
      {rule(true, {"ci"}, {read}, {"a://**"}), rule(true, {"*"}, {list}, {"a://**"}),
       rule(true, {"*"}, {read}, {"b://**"}), rule(false, {"*"}, {read}, {"c://**", "a://x"})},
      {});
  const auto explained = policy->explain({"ann"}, read, uri("a://x"));
  ASSERT_EQ(explained.steps.size(), 4U);
  EXPECT_FALSE(explained.permitted);
  EXPECT_EQ(explained.steps[0].why, "ann has none of its roles");
  EXPECT_EQ(explained.steps[1].why, "read is none of its actions");
  EXPECT_EQ(explained.steps[2].why, "no glob matches a://x");
  EXPECT_EQ(explained.steps[3].why, "a://x matches");
  EXPECT_TRUE(explained.steps[3].matched);
}

TEST(Policy, StaysRightWhenMoved) {
  auto made = Policy::make({rule(true, {"*"}, {read}, {"a://b/**"})}, {});
  const Policy moved = std::move(*made);
  EXPECT_TRUE(permits(moved, "x", read, "a://b/c"));
}

TEST(Policy, ManyAlternativesAreStillOneRule) {
  const std::string ten = "{0,1,2,3,4,5,6,7,8,9}";
  const auto policy =
      Policy::make({rule(true, {"*"}, {read}, {"a://**"}),
                    rule(false, {"*"}, {read}, {"a://**/" + ten + ten + "/**"}),  // 100: not split
                    rule(false, {"*"}, {read}, {"a://**/*." + ten, "a://{,x/}{,y/}**/deep"})},
                   {});
  EXPECT_FALSE(permits(*policy, "ann", read, "a://h/42/x"));
  EXPECT_FALSE(permits(*policy, "ann", read, "a://h/x.7"));
  EXPECT_FALSE(permits(*policy, "ann", read, "a://x/y/deep"));
  EXPECT_FALSE(permits(*policy, "ann", read, "a://h/deep"));
  EXPECT_TRUE(permits(*policy, "ann", read, "a://h/4/x"));
  EXPECT_TRUE(permits(*policy, "ann", read, "a://h/x.77"));
}

TEST(Policy, EndingsLongerThanTheIndexLooksAt) {
  const auto policy = Policy::make({rule(true, {"*"}, {read}, {"a://**"}),
                                    rule(false, {"*"}, {read}, {"a://**/*-of-the-private-archive"}),
                                    rule(false, {"*"}, {read}, {"a://h/**private-archive"})},
                                   {});
  EXPECT_FALSE(permits(*policy, "ann", read, "a://x/list-of-the-private-archive"));
  EXPECT_TRUE(permits(*policy, "ann", read, "a://x/list-in-the-private-archive"));
  EXPECT_FALSE(permits(*policy, "ann", read, "a://h/private-archive"));
  EXPECT_TRUE(permits(*policy, "ann", read, "a://h"));
}

// The index against the plain reading of the rules, by explain().
TEST(Policy, TheIndexAgreesWithTheRules) {
  std::mt19937 random(11);
  const auto pick = [&](auto... options) {
    const std::array<std::string, sizeof...(options)> all{options...};
    return all[random() % all.size()];
  };
  int permitted = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Rule> rules;
    for (auto n = random() % 40; n > 0; --n) {
      std::string glob = pick("a://", "b://", "a://h/", "**", "*://");
      for (auto m = random() % 4; m > 0; --m)
        glob += pick("x", "y/", "xy/", "*", "**", "**/", "/", "{x,y}", "?", "*x", "**/*xy", "[xy]",
                     "\\x", "[{]", "\\{", "{x/,y/}", "{,x}", "{**/,x}", "{*,y}{y,/}", "{x,{y,z/}}");
      rules.push_back({random() % 3 != 0,
                       {pick("ann", "bob", "r1", "r2", "*")},
                       {static_cast<Action>(random() % 2)},
                       globs({glob}),
                       {},
                       "test"});
    }
    const auto policy =
        Policy::make(std::move(rules), {{"r1", {"ann"}}, {"r2", {"ann", "bob"}}, {"r3", {"*"}}});
    ASSERT_TRUE(policy);
    for (int n = 0; n < 60; ++n) {
      std::string text = pick("a://", "b://", "a://h/", "a://hx");
      for (auto m = random() % 5; m > 0; --m) text += pick("x", "y/", "xy/", "z", "/");
      const auto action = static_cast<Action>(random() % 2);
      permitted += permits(*policy, pick("ann", "bob", "eve"), action, text) ? 1 : 0;
      const auto gus = *granted("gus", {pick("r1", "r2", "ann", "*"), pick("r2", "bob")});
      EXPECT_EQ(policy->permits(gus, action, uri(text)),
                policy->explain(gus, action, uri(text)).permitted);
    }
  }
  EXPECT_GT(permitted, 500);
}

}  // namespace
}  // namespace lode
