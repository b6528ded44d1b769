// A part of the cache: some of its entries, in the order of their last use (to
// a tenth of a second), behind one lock. Cache says what it all means.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "engine/cached.h"
#include "engine/drop_clock.h"

namespace lode {

// An address and whose it is; borrows its text.
struct CacheKey {
  std::string_view uri;
  std::string_view who;  // empty if shared
  bool shared = false;   // between all principals
  std::size_t hash = 0;  // of the address

  static CacheKey of(std::string_view uri, std::string_view who);
  CacheKey for_all() const { return {uri, {}, true, hash}; }

  bool operator==(const CacheKey& other) const {
    return shared == other.shared && uri == other.uri && who == other.who;
  }
};

struct CacheKeyHash {
  std::size_t operator()(const CacheKey& key) const {
    return key.hash ^ (std::hash<std::string_view>()(key.who) + (key.shared ? 1 : 0));
  }
};

// What all shards have together. Never over its limits.
class CacheBudget {
 public:
  CacheBudget(std::size_t bytes, std::size_t entries) : max_bytes_(bytes), max_entries_(entries) {}

  // False, and nothing is taken, if it would be too much.
  bool take(std::size_t bytes, std::size_t entries);
  void give_back(std::size_t bytes, std::size_t entries);

  std::size_t bytes() const { return bytes_.load(); }
  std::size_t entries() const { return entries_.load(); }

 private:
  const std::size_t max_bytes_;
  const std::size_t max_entries_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> entries_{0};
};

// Invariant: for each entry the budget has given one entry and its `charged`
// bytes.
class CacheShard {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Hit {
    std::shared_ptr<const Cached> entry;  // null: none
    std::size_t growth = 0;               // bytes that it has and was not charged for
  };

  // Finds the entry and marks it as used, or removes it if it is outdated.
  Hit find(const CacheKey& key, Time now, const DropClock& drops, CacheBudget& budget)
      LODE_EXCLUDES(mutex_);

  // Puts the entry in, in the place of another that has the key.
  // REQUIRES: one entry and `charged` bytes were taken from the budget.
  void put(const CacheKey& key, std::shared_ptr<const Cached> entry, std::size_t charged, Time now,
           CacheBudget& budget) LODE_EXCLUDES(mutex_);

  // Charges the entry for its growth out of `taken` bytes; gives back the rest.
  void charge(const CacheKey& key, std::size_t taken, CacheBudget& budget) LODE_EXCLUDES(mutex_);

  void remove(const CacheKey& key, CacheBudget& budget) LODE_EXCLUDES(mutex_);
  // Removes the entry that was not used for the longest time; false: none.
  bool remove_oldest(CacheBudget& budget) LODE_EXCLUDES(mutex_);

  // When that entry was used; Time::max() if there is none.
  Time oldest() const { return Time(Time::duration(oldest_.load(std::memory_order_relaxed))); }

  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

 private:
  struct Item {
    std::string uri;
    std::string who;
    bool shared = false;
    std::size_t hash = 0;
    std::shared_ptr<const Cached> entry;
    std::size_t charged = 0;
    std::uint64_t settled = 0;  // of the DropClock, when it was last found alive
    Time used;

    CacheKey key() const { return {uri, who, shared, hash}; }
  };
  using Items = std::list<Item>;  // the last used first

  void erase(const CacheKey& key, CacheBudget& budget) LODE_REQUIRES(mutex_);
  void note_oldest() LODE_REQUIRES(mutex_);

  Mutex mutex_;
  Items items_ LODE_GUARDED_BY(mutex_);
  std::unordered_map<CacheKey, Items::iterator, CacheKeyHash> by_key_ LODE_GUARDED_BY(mutex_);
  std::atomic<Time::rep> oldest_{Time::max().time_since_epoch().count()};
  std::atomic<std::uint64_t> hits_{0};
};

}  // namespace lode
