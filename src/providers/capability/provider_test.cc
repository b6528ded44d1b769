// The provider behind an engine: what is read warm waits for nobody, lists wait for all.
#include "providers/capability/provider.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <latch>
#include <optional>
#include <string>
#include <thread>

#include "base/log.h"
#include "engine/engine.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

class CapabilityProviderTest : public ::testing::Test {
 protected:
  CapabilityProviderTest() {
    tree.write("elements/persona/reviewer.md", "---\nname: Reviewer\ndescription: d\n---\nText.\n");
    EXPECT_TRUE(catalog.add(std::make_shared<CapabilityProvider>(collection, index, nullptr,
                                                                 [] { return ServingFacts(); })));
  }

  void load() {
    collection.start();
    collection.wait_loaded();
  }
  Exchange exchange(std::chrono::milliseconds time = std::chrono::minutes(1)) {
    return {who, std::chrono::steady_clock::now() + time, {}, progress, client, answers};
  }
  std::string read(const std::string& uri) {
    auto reading = engine.read(exchange(), uri);
    if (!reading) return reading.error().message;
    return std::get<std::shared_ptr<const Cached>>(*reading)->contents().items.at(0).uri;
  }

  TestTree tree;
  Log log{-1, Log::Form::text, LogLevel::off};
  Index index;
  Collection collection{
      {(tree / "elements").string(), ""}, index, log, [](const Collection::News&) {}};
  Events events;
  CatalogSource catalog{events};
  Cache cache;
  PolicySource policy{Policy::local()};
  Engine engine{{catalog, events, policy, cache, log}, {}};
  const Principal who = Principal::local();
  NoProgress progress;
  const ClientAbilities client;
  const Answers answers;
};

TEST_F(CapabilityProviderTest, EverySpellingIsOneAddress) {
  load();
  const std::string one = "capability-index://elements/persona/reviewer";
  for (const char* spelling : {"capability-index://elements/persona/reviewer",
                               "capability-index://elements/personas/Reviewer",
                               "dollhouse://capability-index/elements/personas/reviewer",
                               "capability://nexs-mcp/index/elements/persona/REVIEWER"}) {
    EXPECT_EQ(read(spelling), one) << spelling;
  }
  EXPECT_EQ(read("capability-index://summary/"), "capability-index://summary");
  EXPECT_EQ(read("capability-index://nothing"), "no such resource");
}

TEST_F(CapabilityProviderTest, APageThatIsNoneIsRefused) {
  load();
  CapabilityProvider provider(collection, index, nullptr, [] { return ServingFacts(); });
  const auto page = provider.list(exchange(), {"none", 10});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, Code::invalid);
}

TEST_F(CapabilityProviderTest, WarmReadsDoNotWaitForWhoHoldsTheCollection) {
  load();
  const std::string uri = "capability-index://elements/persona/reviewer";
  ASSERT_EQ(read(uri), uri);
  std::latch held(1);
  std::latch done(1);
  std::jthread holder([&] {
    collection.each([&](const Element&) {
      held.count_down();
      done.wait();
      return false;
    });
  });
  held.wait();
  auto warm = std::async(std::launch::async, [&] {
    const auto known = engine.warm(exchange(), uri);
    const auto unknown = engine.warm(exchange(), "capability-index://elements/personas/Reviewer");
    return known != nullptr && unknown == nullptr;
  });
  const bool answered = warm.wait_for(std::chrono::seconds(30)) == std::future_status::ready;
  done.count_down();
  EXPECT_TRUE(answered);
  EXPECT_TRUE(warm.get());
}

// Whatever names several elements says that they are not there yet, or waits for them.
TEST_F(CapabilityProviderTest, NoListIsShorterWhileElementsAreBeingRead) {
  std::latch go_on(1);
  collection.start({[&] { go_on.wait(); }, {}});
  const auto soon = [&] { return exchange(std::chrono::milliseconds(1)); };
  const auto code = [](const auto& answer) {
    return answer ? std::nullopt : std::optional(answer.error().code);
  };
  EXPECT_EQ(code(engine.prompts(soon(), "")), Code::unavailable);
  EXPECT_EQ(code(engine.resources(soon(), "")), Code::unavailable);
  EXPECT_EQ(code(engine.skills(soon(), "")), Code::unavailable);
  for (const char* uri : {"capability-index://elements/persona", "capability-index://recent",
                          "capability-index://search?q=reviewer", "capability-index://problems"}) {
    EXPECT_EQ(code(engine.read(soon(), uri)), Code::unavailable) << uri;
  }
  auto waiting = std::async(std::launch::async, [&] { return engine.prompts(exchange(), ""); });
  go_on.count_down();
  const auto prompts = waiting.get();
  ASSERT_TRUE(prompts);
  EXPECT_EQ(prompts->items.size(), 1U);
}

}  // namespace
}  // namespace lode
