#include "engine/cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>

namespace lode {
namespace {

using namespace std::chrono_literals;
using Entry = std::shared_ptr<const Cached>;

Contents contents(std::string text, std::chrono::milliseconds ttl = 1h,
                  Scope scope = Scope::private_) {
  Contents made;
  made.items.push_back(Content::text(std::move(text)));
  made.ttl = ttl;
  made.scope = scope;
  return made;
}

Cache::Loaded loaded(std::string text, std::vector<std::string> made_from = {}) {
  return {contents(std::move(text)), std::move(made_from)};
}

class CacheTest : public ::testing::Test {
 protected:
  // Loads the text, unless the cache has another.
  Entry get(Cache& from, std::string_view uri, std::string_view who, Cache::Loaded what) {
    auto got = from.get(uri, who, {}, [&]() -> Result<std::optional<Cache::Loaded>> {
      ++loads;
      return std::optional(std::move(what));
    });
    EXPECT_TRUE(got);
    return *got;
  }
  std::string text(std::string_view uri, std::string_view who, Cache::Loaded what) {
    return get(cache, uri, who, std::move(what))->contents().items.at(0).bytes;
  }
  std::string found(std::string_view uri, std::string_view who) {
    const auto entry = cache.find(uri, who);
    return entry ? entry->contents().items.at(0).bytes : "";
  }

  std::atomic<Cache::Clock::time_point> time{Cache::Clock::time_point(1000s)};
  int loads = 0;
  Cache cache{Cache::Limits{}, [this] { return time.load(); }};
};

TEST_F(CacheTest, KeepsWhatWasLoaded) {
  EXPECT_EQ(found("a://b", "ann"), "");
  EXPECT_EQ(text("a://b", "ann", loaded("1")), "1");
  EXPECT_EQ(text("a://b", "ann", loaded("2")), "1");
  EXPECT_EQ(found("a://b", "ann"), "1");
  EXPECT_EQ(loads, 1);
  const auto stats = cache.stats();
  EXPECT_EQ(stats.hits, 2U);
  EXPECT_EQ(stats.misses, 1U);
  EXPECT_EQ(stats.entries, 1U);
  EXPECT_GT(stats.bytes, 0U);
}

TEST_F(CacheTest, PrivateIsForOneAndPublicForAll) {
  EXPECT_EQ(text("a://b", "ann", loaded("ann's")), "ann's");
  EXPECT_EQ(found("a://b", "bob"), "");
  EXPECT_EQ(found("a://b", ""), "");
  EXPECT_EQ(text("a://b", "bob", loaded("bob's")), "bob's");
  EXPECT_EQ(found("a://b", "ann"), "ann's");

  EXPECT_EQ(text("a://c", "ann", {contents("all's", 1h, Scope::public_)}), "all's");
  EXPECT_EQ(found("a://c", "bob"), "all's");
  EXPECT_EQ(text("a://c", "eve", loaded("eve's")), "all's");
}

TEST_F(CacheTest, WhatBecomesPrivateIsNoLongerFoundByOthers) {
  text("a://c", "ann", {contents("all's", 1h, Scope::public_)});
  cache.drop("a://c");
  EXPECT_EQ(text("a://c", "bob", loaded("bob's")), "bob's");
  EXPECT_EQ(found("a://c", "ann"), "");
}

TEST_F(CacheTest, AnEntryDiesAtItsTime) {
  text("a://b", "ann", {contents("1", 10ms)});
  time = time.load() + 9ms;
  EXPECT_EQ(found("a://b", "ann"), "1");
  time = time.load() + 1ms;
  EXPECT_EQ(found("a://b", "ann"), "");
  EXPECT_EQ(cache.stats().entries, 0U);
  EXPECT_EQ(cache.stats().bytes, 0U);
}

TEST_F(CacheTest, TimesToLiveAreCutAndZeroIsNone) {
  text("a://b", "ann", {contents("1", std::chrono::milliseconds::max())});
  time = time.load() + 25h;
  EXPECT_EQ(found("a://b", "ann"), "");
  for (const auto ttl : {0ms, -5ms}) {
    EXPECT_EQ(text("a://c", "ann", {contents("1", ttl)}), "1");
    EXPECT_EQ(found("a://c", "ann"), "");
  }
}

TEST_F(CacheTest, ADropTakesWhatWasMadeFromIt) {
  text("a://b", "ann", loaded("1"));
  text("a://b?x=1", "ann", loaded("2"));
  text("a://sum", "ann", loaded("3", {"a://b", "a://c"}));
  text("a://other", "ann", loaded("4"));
  cache.drop("a://b");
  EXPECT_EQ(found("a://b", "ann"), "");
  EXPECT_EQ(found("a://b?x=1", "ann"), "");
  EXPECT_EQ(found("a://sum", "ann"), "");
  EXPECT_EQ(found("a://other", "ann"), "4");
  cache.drop_all();
  EXPECT_EQ(found("a://other", "ann"), "");
  EXPECT_EQ(cache.stats().drops, 2U);
}

TEST_F(CacheTest, ATreeTakesWhatIsBelowItAndWhatWasMadeFromThat) {
  const auto fill = [&] {
    for (const char* uri : {"file:///w/a", "file:///w/a/b?x=1", "file:///w/a/b/c", "file:///w/ab",
                            "file:///w", "other://w/a/b"}) {
      text(uri, "ann", loaded("1"));
    }
    text("sum://of", "ann", loaded("1", {"file:///x", "file:///w/a/b/c"}));
  };
  const auto left = [&] {
    std::string out;
    for (const char* uri : {"file:///w/a", "file:///w/a/b?x=1", "file:///w/a/b/c", "file:///w/ab",
                            "file:///w", "other://w/a/b", "sum://of"}) {
      out += found(uri, "ann").empty() ? "-" : "+";
    }
    return out;
  };
  fill();
  cache.drop_below("file:///w/a");
  EXPECT_EQ(left(), "---+++-");
  fill();
  cache.drop_below("file:///w/a/b/");  // a slash at the end, or a query, means nothing
  EXPECT_EQ(left(), "+--+++-");
  fill();
  cache.drop_below("file:///w/a/b?y=2");
  EXPECT_EQ(left(), "+--+++-");
  fill();
  cache.drop_below("file:///");
  EXPECT_EQ(left(), "-----+-");
  fill();
  cache.drop_below("other://w");
  EXPECT_EQ(left(), "+++++-+");
  fill();
  cache.drop("file:///w/a");  // of the directory alone: its entries are others
  EXPECT_EQ(left(), "-++++++");
  fill();
  cache.drop_below("");
  EXPECT_EQ(left(), "-------");
}

TEST_F(CacheTest, DepthHasNoEnd) {
  std::string deep = "a://b";
  for (int i = 0; i < 500; ++i) deep += "/s";
  text(deep, "ann", loaded("1"));
  cache.drop_below(deep + "/further");  // more than asked for is dropped, never less
  text(deep, "ann", loaded("2"));
  cache.drop_below(deep.substr(0, deep.size() - 2));
  EXPECT_EQ(found(deep, "ann"), "");
  text(deep, "ann", loaded("3"));
  cache.drop_below("a://c");
  EXPECT_EQ(found(deep, "ann"), "3");
}

TEST_F(CacheTest, ADropOfATreeWinsAgainstALoadThatBeganBefore) {
  const auto got = cache.get("a://b/c/d", "ann", {}, [&]() -> Result<std::optional<Cache::Loaded>> {
    cache.drop_below("a://b");
    return std::optional(loaded("old"));
  });
  ASSERT_TRUE(got);
  EXPECT_EQ(found("a://b/c/d", "ann"), "");
}

TEST_F(CacheTest, TooManySourcesMeanAnySource) {
  text("a://b", "ann", loaded("1", std::vector<std::string>(1025, "x://y")));
  EXPECT_EQ(found("a://b", "ann"), "1");
  cache.drop("z://unrelated");
  EXPECT_EQ(found("a://b", "ann"), "");
}

TEST_F(CacheTest, ADropDuringALoadWins) {
  auto got = cache.get("a://b", "ann", {}, [&]() -> Result<std::optional<Cache::Loaded>> {
    cache.drop("a://source");
    return std::optional(loaded("old", {"a://source"}));
  });
  EXPECT_EQ((*got)->contents().items[0].bytes, "old") << "the drop came after its call began";
  EXPECT_EQ(found("a://b", "ann"), "");
}

TEST_F(CacheTest, ErrorsAndExceptionsAreNotKept) {
  auto got = cache.get("a://b", "ann", {}, [] { return not_found("gone"); });
  EXPECT_EQ(got.error().message, "gone");
  got = cache.get("a://b", "ann", {}, []() -> Result<std::optional<Cache::Loaded>> {
    throw std::runtime_error("secret");
  });
  EXPECT_EQ(got.error().code, Code::internal);
  EXPECT_EQ(got.error().message.find("secret"), std::string::npos);
  EXPECT_EQ(text("a://b", "ann", loaded("1")), "1");
}

TEST_F(CacheTest, NothingToShareIsNull) {
  const auto got = cache.get("a://b", "ann", {}, []() -> Result<std::optional<Cache::Loaded>> {
    return std::optional<Cache::Loaded>();
  });
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, nullptr);
  EXPECT_EQ(cache.stats().entries, 0U);
}

TEST_F(CacheTest, TheLeastUsedGoesFirst) {
  Cache small(Cache::Limits{.entries = 3}, [this] { return time.load(); });
  const auto touch = [&](const char* uri) {
    time = time.load() + 1s;
    return small.find(uri, "ann") != nullptr;
  };
  for (const char* uri : {"a://1", "a://2", "a://3"}) {
    time = time.load() + 1s;
    get(small, uri, "ann", loaded("x"));
  }
  EXPECT_TRUE(touch("a://1"));
  time = time.load() + 1s;
  get(small, "a://4", "ann", loaded("x"));
  EXPECT_FALSE(touch("a://2"));
  EXPECT_TRUE(touch("a://3"));
  EXPECT_TRUE(touch("a://1"));
  EXPECT_TRUE(touch("a://4"));
  EXPECT_EQ(small.stats().evictions, 1U);
  EXPECT_EQ(small.stats().entries, 3U);
}

TEST_F(CacheTest, LargeOnesAreGivenButNotKept) {
  Cache small(Cache::Limits{.bytes = 100'000, .entry_bytes = 50'000},
              [this] { return time.load(); });
  EXPECT_NE(get(small, "a://large", "ann", loaded(std::string(60'000, 'x'))), nullptr);
  EXPECT_EQ(small.find("a://large", "ann"), nullptr);
  for (int i = 0; i < 50; ++i) {
    get(small, "a://" + std::to_string(i), "ann", loaded(std::string(10'000, 'x')));
    EXPECT_LE(small.stats().bytes, 100'000U);
  }
  EXPECT_GE(small.stats().entries, 3U);
}

TEST_F(CacheTest, RenderingsAreMadeOnceAndCounted) {
  const auto entry = get(cache, "a://b", "ann", loaded(std::string(1000, 'x')));
  int made = 0;
  const auto make = [&](const Contents& c) {
    ++made;
    return "[" + c.items[0].bytes + "]";
  };
  const auto before = cache.stats().bytes;
  EXPECT_EQ(entry->rendered(0, make).text.size(), 1002U);
  EXPECT_EQ(&entry->rendered(0, make), &entry->rendered(0, make));
  EXPECT_EQ(made, 1);
  EXPECT_THROW(entry->rendered(1, [](const Contents&) -> std::string { throw std::bad_alloc(); }),
               std::bad_alloc);
  for (std::size_t slot = 1; slot < Cached::kSlots; ++slot) entry->rendered(slot, make);
  EXPECT_EQ(made, 4);
  cache.find("a://b", "ann");
  EXPECT_GT(cache.stats().bytes, before + 1000);
  cache.drop("a://b");
  cache.find("a://b", "ann");
  EXPECT_EQ(cache.stats().bytes, 0U);
}

TEST_F(CacheTest, WhatGrowsBeyondItsRoomGoes) {
  Cache small(Cache::Limits{.bytes = 10'000}, [this] { return time.load(); });
  const auto entry = get(small, "a://b", "ann", loaded("x"));
  entry->rendered(0, [](const Contents&) { return std::string(20'000, 'x'); });
  EXPECT_EQ(small.find("a://b", "ann"), entry);
  EXPECT_EQ(small.find("a://b", "ann"), nullptr);
  EXPECT_EQ(small.stats().bytes, 0U);
}

// Returns when the thread sleeps: the kernel alone knows that a call of the cache waits.
void wait_until_waiting(pid_t thread) {
  for (int looks = 0; looks < 10'000; ++looks) {
    std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string id, name, state;
    in >> id >> name >> state;  // 42 (lode_engine_test) S …
    if (state == "S") return;
    std::this_thread::sleep_for(1ms);
  }
}

// A load that holds until it is let go, and those who wait for it.
class FlightTest : public CacheTest {
 protected:
  using Answer = Result<Entry>;

  std::jthread load_slowly(Result<std::optional<Cache::Loaded>> outcome) {
    return std::jthread([this, outcome = std::move(outcome)]() mutable {
      first = cache.get("a://b", "ann", {}, [&] {
        began.count_down();
        go.wait();
        return std::move(outcome);
      });
    });
  }
  Answer wait(const Cache::Patience& patience = {}) {
    return cache.get("a://b", "ann", patience, [&]() -> Result<std::optional<Cache::Loaded>> {
      ++loads;
      return std::optional(loaded("second"));
    });
  }
  // Lets the load end when the caller waits for it.
  std::jthread let_go_soon() {
    return std::jthread([this, caller = ::gettid()] {
      wait_until_waiting(caller);
      go.count_down();
    });
  }

  std::latch began{1};
  std::latch go{1};
  Answer first = Entry();
};

TEST_F(FlightTest, OthersGetWhatTheFirstOneLoads) {
  const auto loading = load_slowly(std::optional(loaded("first")));
  began.wait();
  const auto soon = let_go_soon();
  const auto second = wait();
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->contents().items[0].bytes, "first");
  EXPECT_EQ(loads, 0);
  EXPECT_EQ(cache.stats().shared, 1U);
}

TEST_F(FlightTest, OthersGetItsErrorToo) {
  const auto loading = load_slowly(not_found("gone"));
  began.wait();
  const auto soon = let_go_soon();
  EXPECT_EQ(wait().error().message, "gone");
}

TEST_F(FlightTest, ButNotThatItsCallerGaveUp) {
  const auto loading = load_slowly(Error{Code::cancelled, "never mind", {}});
  began.wait();
  const auto soon = let_go_soon();
  EXPECT_TRUE(wait());
  EXPECT_EQ(loads, 1);
}

TEST_F(FlightTest, NorWhatIsNotToBeKept) {
  const auto loading = load_slowly(std::optional(Cache::Loaded{contents("first", 0ms)}));
  began.wait();
  const auto soon = let_go_soon();
  EXPECT_EQ((*wait())->contents().items[0].bytes, "second");
}

TEST_F(FlightTest, WhoComesAfterADropLoadsAnew) {
  auto loading = load_slowly(std::optional(loaded("first", {"a://source"})));
  began.wait();
  cache.drop("a://source");
  const auto soon = let_go_soon();
  EXPECT_EQ((*wait())->contents().items[0].bytes, "second");
  loading.join();
  EXPECT_EQ((*first)->contents().items[0].bytes, "first");
  EXPECT_EQ(found("a://b", "ann"), "second");
}

TEST_F(FlightTest, AForeignDropDoesNotMatter) {
  const auto loading = load_slowly(std::optional(loaded("first", {"a://source"})));
  began.wait();
  cache.drop("z://unrelated");
  const auto soon = let_go_soon();
  EXPECT_EQ((*wait())->contents().items[0].bytes, "first");
}

TEST_F(FlightTest, PatienceEnds) {
  const auto loading = load_slowly(std::optional(loaded("first")));
  began.wait();
  EXPECT_EQ(wait({Cache::Clock::now() + 20ms, {}}).error().code, Code::timeout);
  std::stop_source stop;
  const std::jthread stopping([&, caller = ::gettid()] {
    wait_until_waiting(caller);
    stop.request_stop();
  });
  EXPECT_EQ(wait({Cache::Clock::now() + 60s, stop.get_token()}).error().code, Code::cancelled);
  EXPECT_EQ(wait({Cache::Clock::now() + 60s, stop.get_token()}).error().code, Code::cancelled);
  go.count_down();
}

}  // namespace
}  // namespace lode
