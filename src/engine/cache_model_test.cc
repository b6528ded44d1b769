// Several threads use one cache at random, against a model of what they may
// see: a version of each address, raised before it is dropped, alone, with those
// that lie in the same directory, or with all. The seeds are
// fixed; the interleavings are not.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "engine/cache.h"

namespace lode {
namespace {

using namespace std::chrono_literals;
using Clock = Cache::Clock;

constexpr std::size_t kAddresses = 12;
constexpr std::size_t kPeople = 3;
constexpr std::size_t kThreads = 6;

// What a load saw, in the bytes of the contents.
struct Seen {
  std::uint64_t version = 0;  // of the address
  std::uint64_t source = 0;   // of what it is made from
  std::size_t who = 0;
  std::int64_t began = 0;  // the time, ns
};

std::string to_bytes(const Seen& seen) {
  std::string bytes(sizeof seen, '\0');
  std::memcpy(bytes.data(), &seen, sizeof seen);
  return bytes;
}

Seen from(const Cached& entry) {
  Seen seen;
  std::memcpy(&seen, entry.contents().items.at(0).bytes.data(), sizeof seen);
  return seen;
}

class Model {
 public:
  static constexpr Cache::Limits kLimits{.bytes = 12'000, .entries = 9};

  explicit Model(bool ticking) : ticking_(ticking) {}

  void run(unsigned seed, int steps) {
    std::mt19937 random(seed);
    for (int i = 0; i < steps; ++i) step(random);
  }

  std::atomic<int> loads{0};
  std::atomic<int> hits{0};
  Cache cache{kLimits, [this] { return Clock::time_point(std::chrono::nanoseconds(time_)); }};

 private:
  // In three directories, of which one is in another.
  static constexpr std::array<const char*, 3> kDirectories = {"m://a", "m://a/b", "m://c"};
  static bool lies_below(std::size_t i, std::size_t directory) {
    return i / 4 == directory || (directory == 0 && i / 4 == 1);
  }
  static std::string uri(std::size_t i) {
    return std::string(kDirectories[i / 4]) + "/" + std::to_string(i);
  }
  static std::string name(std::size_t who) { return "p" + std::to_string(who); }
  // By address: every third is public, every fourth never kept, and each is
  // made from the next.
  static bool shared(std::size_t i) { return i % 3 == 0; }
  static bool kept(std::size_t i) { return i % 4 != 3; }
  static std::size_t source(std::size_t i) { return (i + 1) % kAddresses; }
  static constexpr std::chrono::nanoseconds kTtl = 5ms;

  // What a call that begins now may at least expect.
  Seen floor(std::size_t i, std::size_t who) const {
    return {told_[i].load(), told_[source(i)].load(), who, time_.load()};
  }

  void check(const Cached& entry, std::size_t i, const Seen& floor) const {
    const Seen seen = from(entry);
    EXPECT_GE(seen.version, floor.version) << "older than a drop";
    EXPECT_GE(seen.source, floor.source) << "older than a drop of its source";
    if (!shared(i)) {
      EXPECT_EQ(seen.who, floor.who) << "another's";
    }
    if (kept(i)) {
      EXPECT_GT(seen.began + kTtl.count(), floor.began) << "over its time";
    }
    const auto stats = cache.stats();
    EXPECT_LE(stats.bytes, kLimits.bytes);
    EXPECT_LE(stats.entries, kLimits.entries);
  }

  void step(std::mt19937& random) {
    const std::size_t i = random() % kAddresses;
    const std::size_t who = random() % kPeople;
    switch (random() % 16) {
      case 0:
      case 1: change(i); break;
      case 2:
        if (ticking_) time_ += std::chrono::nanoseconds(1ms).count();
        break;
      case 3:
        if (random() % 50 == 0) change_all();
        if (random() % 4 == 0) change_below(random() % kDirectories.size());
        break;
      case 4:
      case 5:
      case 6:
      case 7: find(i, who); break;
      default: get(i, who, random); break;
    }
  }

  void change(std::size_t i) {
    const auto version = ++versions_[i];
    cache.drop(uri(i));
    raise(told_[i], version);
  }
  void change_all() {
    change_some([](std::size_t) { return true; }, [this] { cache.drop_all(); });
  }
  void change_below(std::size_t directory) {
    change_some([=](std::size_t i) { return lies_below(i, directory); },
                [=, this] { cache.drop_below(kDirectories[directory]); });
  }
  template <class Which, class Drop>
  void change_some(const Which& which, const Drop& drop) {
    std::array<std::uint64_t, kAddresses> versions{};
    for (std::size_t i = 0; i < kAddresses; ++i) versions[i] = which(i) ? ++versions_[i] : 0;
    drop();
    for (std::size_t i = 0; i < kAddresses; ++i) raise(told_[i], versions[i]);
  }
  static void raise(std::atomic<std::uint64_t>& told, std::uint64_t version) {
    auto seen = told.load();
    while (seen < version && !told.compare_exchange_weak(seen, version)) continue;
  }

  void find(std::size_t i, std::size_t who) {
    const Seen least = floor(i, who);
    const auto entry = cache.find(uri(i), name(who));
    if (entry == nullptr) return;
    ++hits;
    EXPECT_TRUE(kept(i));
    check(*entry, i, least);
    const auto& made = entry->rendered(i % Cached::kSlots, [](const Contents& contents) {
      return contents.items[0].bytes + contents.items[0].bytes;
    });
    EXPECT_EQ(made.text, entry->contents().items[0].bytes + entry->contents().items[0].bytes);
  }

  void get(std::size_t i, std::size_t who, std::mt19937& random) {
    const Seen least = floor(i, who);
    const auto pause = random() % 3;
    const bool fails = random() % 20 == 0;
    const auto got = cache.get(uri(i), name(who), {Clock::now() + 30s, {}},
                               [&] { return load(i, who, pause, fails); });
    if (got) {
      check(**got, i, least);
    } else {
      EXPECT_EQ(got.error().code, Code::unavailable);
    }
  }

  Result<std::optional<Cache::Loaded>> load(std::size_t i, std::size_t who, std::size_t pause,
                                            bool fails) {
    ++loads;
    auto& under_way = under_way_[i * kPeople + who];
    const int others = under_way++;
    if (kept(i)) {
      EXPECT_EQ(others, 0) << "two loads of one key";
    }
    Seen seen{versions_[i].load(), 0, who, time_.load()};
    for (std::size_t n = 0; n < pause; ++n) std::this_thread::yield();
    seen.source = versions_[source(i)].load();
    if (pause == 2) std::this_thread::yield();
    --under_way;
    if (fails) return Error{Code::unavailable, "by chance", {}};
    Cache::Loaded loaded{{}, {uri(source(i))}};
    loaded.contents.items.push_back(Content::binary("", to_bytes(seen)));
    loaded.contents.ttl =
        kept(i) ? std::chrono::duration_cast<std::chrono::milliseconds>(kTtl) : 0ms;
    loaded.contents.scope = shared(i) ? Scope::public_ : Scope::private_;
    return std::optional(std::move(loaded));
  }

  const bool ticking_;
  std::atomic<std::int64_t> time_{1'000'000'000};
  std::array<std::atomic<std::uint64_t>, kAddresses> versions_{};
  std::array<std::atomic<std::uint64_t>, kAddresses> told_{};  // by a drop that has returned
  std::array<std::atomic<int>, kAddresses * kPeople> under_way_{};
};

void run_threads(Model& model, unsigned seed, int steps) {
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&model, seed, i, steps] { model.run(seed * 100 + i, steps); });
  }
}

TEST(CacheModel, HoldsForOneThread) {
  Model model(true);
  model.run(1, 20'000);
  EXPECT_GT(model.hits, 100);
  EXPECT_GT(model.cache.stats().evictions, 100U);
}

TEST(CacheModel, HoldsForSeveralThreads) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Model model(seed % 2 == 0);
    run_threads(model, seed, 3'000);
    EXPECT_GT(model.loads, 0);
    if (::testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace lode
