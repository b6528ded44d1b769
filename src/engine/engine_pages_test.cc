// When a page of the list of resources is given out again, and when it is made anew.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/listed_page.h"
#include "engine/policy_file.h"

namespace lode {
namespace {

constexpr std::string_view kAll = R"([[rule]]
effect = "allow"
roles = ["*"]
actions = ["*"]
uris = ["**"]
)";

std::string allow(std::string_view role, std::string_view uris) {
  return "[[rule]]\neffect = \"allow\"\nroles = [\"" + std::string(role) +
         "\"]\nactions = [\"list\", \"read\"]\nuris = [\"" + std::string(uris) + "\"]\n";
}

// Lists names that a test changes, and counts how often it is asked.
class ShelfProvider final : public Provider, public Resources {
 public:
  explicit ShelfProvider(const std::string& name) {
    Manifest manifest;
    manifest.name = name;
    manifest.families = {{name + ":"}};
    manifest_ = std::make_shared<const Manifest>(std::move(manifest));
  }

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }

  Result<Page<Entry>> list(const Exchange&, const ListQuery& query) override {
    ++lists;
    Page<Entry> page;
    if (stamped) {
      page.fresh_while = Freshness{{}, {{*state, [state = state] { return state->load(); }}}};
    } else if (announced) {
      page.fresh_while.emplace();
    }
    for (auto at = names.upper_bound(query.after); at != names.end(); ++at) {
      if (page.items.size() == query.limit) {
        page.next = *std::prev(at);
        break;
      }
      Entry entry;
      entry.uri = manifest_->name + "://" + *at;
      entry.name = *at;
      page.items.push_back(std::move(entry));
    }
    if (while_listing) while_listing();
    return page;
  }

  std::set<std::string> names{"a", "b", "c"};
  std::shared_ptr<std::atomic<std::uint64_t>> state =
      std::make_shared<std::atomic<std::uint64_t>>(1);  // another one, another list
  bool stamped = false;
  bool announced = false;
  int lists = 0;
  std::function<void()> while_listing;

 private:
  std::shared_ptr<const Manifest> manifest_;
};

class EnginePagesTest : public ::testing::Test {
 protected:
  EnginePagesTest() {
    auto made = std::make_shared<ShelfProvider>("shelf");
    shelf = made.get();
    EXPECT_TRUE(catalog.add(std::move(made)));
  }

  Exchange exchange(const Principal& asking) {
    return {asking, std::chrono::steady_clock::now() + std::chrono::minutes(1),
            {},     progress,
            client, answers};
  }
  std::vector<std::string> names(const Engine& asked, const Principal& asking) {
    std::vector<std::string> all;
    std::string cursor;
    do {
      const auto page = asked.resources(exchange(asking), cursor);
      EXPECT_TRUE(page);
      if (!page) break;
      for (const auto& entry : page->items) all.push_back(entry.name);
      cursor = page->next;
    } while (!cursor.empty());
    return all;
  }
  std::vector<std::string> names() { return names(engine, who); }
  // How often the provider is asked for this list.
  int asked(const Engine& of) {
    const int before = shelf->lists;
    names(of, who);
    return shelf->lists - before;
  }
  int asked() { return asked(engine); }

  const Principal who = Principal::local();
  NoProgress progress;
  ClientAbilities client;
  Answers answers;
  Log log{-1, Log::Form::text, LogLevel::off};
  Events events;
  CatalogSource catalog{events};
  Cache cache;
  PolicySource policy{Policy::local()};
  Engine engine{{catalog, events, policy, cache, log}, {}};
  ShelfProvider* shelf = nullptr;
};

using Names = std::vector<std::string>;

TEST_F(EnginePagesTest, APageIsMadeAnewWhereNobodySaysHowItGrowsOld) {
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(engine.warm_list(exchange(who), ""), nullptr);
}

TEST_F(EnginePagesTest, APageIsKeptWhileItsStampIsTheSame) {
  shelf->stamped = true;
  EXPECT_EQ(engine.warm_list(exchange(who), ""), nullptr);
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(asked(), 0);
  const auto warm = engine.warm_list(exchange(who), "");
  ASSERT_NE(warm, nullptr);
  EXPECT_EQ(warm->contents().page->entries.size(), 3U);
  shelf->names.insert("d");
  ++*shelf->state;
  EXPECT_EQ(engine.warm_list(exchange(who), ""), nullptr);
  EXPECT_EQ(names(), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(asked(), 0);
}

TEST_F(EnginePagesTest, APageIsMadeAnewWhenWhatIsInItIsToldOf) {
  shelf->announced = true;
  for (const auto& change :
       {Change{Change::Kind::resource_list}, Change{Change::Kind::resource, "shelf://b"},
        Change{Change::Kind::tree, "shelf://"}, Change{Change::Kind::tree}}) {
    asked();
    EXPECT_EQ(asked(), 0);
    events.publish(change);
    EXPECT_EQ(asked(), 1);
  }
  EXPECT_EQ(asked(), 0);
  events.publish({Change::Kind::resource, "shelf://elsewhere"});
  events.publish({Change::Kind::tool_list});
  EXPECT_EQ(asked(), 0);
}

TEST_F(EnginePagesTest, AChangeWhileAPageIsMadeWins) {
  shelf->announced = true;
  shelf->while_listing = [&] { events.publish({Change::Kind::resource_list}); };
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(asked(), 1);
  shelf->while_listing = {};
  shelf->stamped = true;
  shelf->while_listing = [&] { ++*shelf->state; };
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(asked(), 1);
}

TEST_F(EnginePagesTest, AnotherCatalogOrExposureMakesAnotherPage) {
  shelf->announced = true;
  EXPECT_EQ(asked(), 1);
  auto other = std::make_shared<ShelfProvider>("other");
  other->announced = true;
  ASSERT_TRUE(catalog.add(std::move(other)));
  EXPECT_EQ(names(), (Names{"a", "b", "c", "a", "b", "c"}));
  ASSERT_TRUE(catalog.remove("other"));
  EXPECT_EQ(names(), (Names{"a", "b", "c"}));
  engine.expose(*Exposure::parse({"shelf://b"}));
  EXPECT_EQ(names(), (Names{"b"}));
  EXPECT_EQ(asked(), 0);
}

TEST_F(EnginePagesTest, AnotherPolicyMakesAnotherPage) {
  shelf->announced = true;
  std::string pattern = (std::filesystem::temp_directory_path() / "lode-pages-XXXXXX").string();
  const std::filesystem::path directory = ::mkdtemp(pattern.data());
  const auto file = (directory / "policy.toml").string();
  const auto write = [&](std::string_view text) { std::ofstream(file) << text; };
  write(allow("local", "shelf://**"));
  auto source = PolicySource::open(file);
  ASSERT_TRUE(source);
  const Engine ruled({catalog, events, **source, cache, log}, {});
  EXPECT_EQ(names(ruled, who), (Names{"a", "b", "c"}));
  EXPECT_EQ(asked(ruled), 0);
  write(allow("local", "shelf://b"));
  ASSERT_TRUE((*source)->reload_if_changed());
  EXPECT_EQ(names(ruled, who), (Names{"b"}));
  std::filesystem::remove_all(directory);
}

TEST_F(EnginePagesTest, EachPrincipalHasItsOwnPage) {
  shelf->announced = true;
  const PolicySource some(
      *parse_policy(allow("local", "shelf://**") + allow("visitor", "shelf://c"), "test"));
  const Engine ruled({catalog, events, some, cache, log}, {});
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(names(ruled, who), (Names{"a", "b", "c"}));
    EXPECT_EQ(names(ruled, Principal::visitor()), (Names{"c"}));
  }
  EXPECT_EQ(shelf->lists, 2);
}

// Where a link leads is asked of the file system, and nobody tells when it leads elsewhere.
TEST_F(EnginePagesTest, NothingIsKeptUnderAPolicyThatTellsFilesApart) {
  shelf->announced = true;
  const PolicySource denying(
      *parse_policy(std::string(kAll) + "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = "
                                        "[\"*\"]\nuris = [\"shelf://b\"]\n",
                    "test"));
  const Engine ruled({catalog, events, denying, cache, log}, {});
  EXPECT_EQ(names(ruled, who), (Names{"a", "c"}));
  EXPECT_EQ(asked(ruled), 1);
}

TEST_F(EnginePagesTest, NothingIsKeptWithoutACache) {
  shelf->announced = true;
  EngineOptions options;
  options.cache_ttl = std::chrono::milliseconds(0);
  const Engine bare({catalog, events, policy, cache, log}, options);
  EXPECT_EQ(asked(bare), 1);
  EXPECT_EQ(asked(bare), 1);
}

TEST_F(EnginePagesTest, AKeptPageHasNoAddress) {
  shelf->announced = true;
  names();
  ASSERT_NE(engine.warm_list(exchange(who), ""), nullptr);
  EXPECT_FALSE(engine.read(exchange(who), ":resources/list"));
  EXPECT_EQ(engine.warm(exchange(who), ":resources/list"), nullptr);
}

TEST_F(EnginePagesTest, KeptPagesAreWhatFreshOnesAreAfterAnyChanges) {
  auto made = std::make_shared<ShelfProvider>("told");
  ShelfProvider* told = made.get();
  told->announced = true;
  ASSERT_TRUE(catalog.add(std::move(made)));
  shelf->stamped = true;
  EngineOptions options;
  options.page = 5;
  const Engine keeping({catalog, events, policy, cache, log}, options);
  options.cache_ttl = std::chrono::milliseconds(0);
  const Engine fresh({catalog, events, policy, cache, log}, options);
  std::mt19937 random(7);
  const auto toggle = [&](std::set<std::string>& names) {
    const std::string name = "n" + std::to_string(random() % 20);
    if (names.erase(name) == 0) names.insert(name);
  };
  int kept = 0;
  for (int step = 0; step < 1000; ++step) {
    switch (random() % 4) {
      case 0:
        toggle(shelf->names);
        ++*shelf->state;
        break;
      case 1:
        toggle(told->names);
        events.publish({Change::Kind::resource_list});
        break;
      default: break;
    }
    for (const auto& asking : {Principal::local(), Principal::owner()}) {
      const int before = shelf->lists;
      const auto listed = names(keeping, asking);
      kept += shelf->lists == before ? 1 : 0;
      ASSERT_EQ(listed, names(fresh, asking)) << step;
    }
  }
  EXPECT_GT(kept, 500);
}

}  // namespace
}  // namespace lode
