// What the cache is made of: the clock that tells whether something still stands,
// the entries, and the shards that hold them.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/shared_text.h"
#include "engine/content.h"

namespace lode {

// What was dropped, and when: tells whether something made from some addresses
// still stands, without a list of what was made from what.
//
// Time is the count of drops. A drop stamps its address with the time; what
// was begun at an earlier time and made from that address is outdated.
//
// Addresses share a fixed number of stamps by their hash. Two that meet in one
// stamp are dropped together, which costs a load and is never wrong.
//
// An address can also be dropped with all that lies below it, by segment: it has a
// second stamp for that, which is a source of whatever is made from something below
// it. So that drop is one stamp too, however much it concerns; nothing is looked
// through, and no lock is taken. What is made from an address has as many more
// sources as the address has segments.
//
// Invariants:
//  (1) After drop(u) has returned, whatever began before drop(u) was called and
//      has u among its sources is outdated; after drop_below(u), whatever has u, or
//      an address below u, among them.
//  (2) What began after a drop has returned is not outdated by it.
//  (3) While settled() stays the same, no drop has returned: what was not
//      outdated need not be asked again.
//
// Any thread; no locks.
class DropClock {
 public:
  using Time = std::uint64_t;
  // An address, or what lies at and below one, as far as this clock tells them apart.
  using Source = std::uint32_t;

  // Where something comes from.
  struct Origin {
    Time began = 0;               // now(), before the first source was read
    std::vector<Source> sources;  //
    bool anything = false;        // its sources are not known: any drop outdates it
  };

  DropClock();

  // Adds what a change at the address outdates: itself, and what is at and below
  // each address above it.
  static void add_sources(std::string_view address, std::vector<Source>& sources);

  Time now() const { return begun_.load(); }
  std::uint64_t settled() const { return returned_.load(); }

  void drop(std::string_view address);
  // The address, with its query or another, and all below it; without one, everything.
  void drop_below(std::string_view address);
  void drop_all();

  // Whether what has this origin was made before a drop of what it is made from.
  bool outdated(const Origin& origin) const;

 private:
  static constexpr std::size_t kStamps = 1 << 14;  // of each of the two kinds

  static Source at(std::string_view address);
  static Source below(std::string_view address);
  void stamp(std::atomic<Time>& slot);

  std::atomic<Time> begun_{0};
  std::atomic<std::uint64_t> returned_{0};
  std::atomic<Time> everything_{0};
  std::unique_ptr<std::atomic<Time>[]> stamps_;
};

// One entry of the cache: contents that never change, and their renderings.
//
// Held by shared_ptr<const Cached>: who got one may keep it after the cache
// has let it go. Any thread.
class Cached {
 public:
  // How many renderings an entry can keep: one for each way in which the
  // contents look on the wire.
  static constexpr std::size_t kSlots = 4;

  Cached(Contents contents, std::chrono::steady_clock::time_point expires,
         DropClock::Origin origin);

  const Contents& contents() const { return contents_; }
  // When the cache stops giving it out, by the cache's clock. In the past if
  // it was not to be kept at all.
  std::chrono::steady_clock::time_point expires() const { return expires_; }

  const DropClock::Origin& origin() const { return origin_; }

  // The rendering in the slot, made at the first call. Several callers wait
  // for the one that makes it; if `make` throws, the next one tries again.
  // Valid as long as this entry.
  // REQUIRES: slot < kSlots; whoever uses a slot makes the same text.
  const SharedText& rendered(std::size_t slot,
                             const std::function<std::string(const Contents&)>& make) const
      LODE_EXCLUDES(mutex_);

  // What the contents cost a model, counted at the first call: not for the
  // transport's thread.
  TokenCount tokens() const LODE_EXCLUDES(counting_);
  // The same if it has been counted.
  std::optional<TokenCount> known_tokens() const;

  // Bytes of the contents alone, about. Constant.
  std::size_t size() const { return size_; }
  // Bytes of memory, about: the contents and the renderings, of which one is
  // counted before it is made. Grows with those that follow.
  std::size_t bytes() const;

 private:
  const Contents contents_;
  const std::chrono::steady_clock::time_point expires_;
  const DropClock::Origin origin_;
  const std::size_t size_;

  mutable std::array<std::atomic<const SharedText*>, kSlots> ready_{};
  mutable std::atomic<std::size_t> rendered_size_{0};
  mutable std::atomic<bool> counted_{false};
  mutable Mutex counting_;     // not mutex_: a rendering does not wait for a count
  mutable TokenCount tokens_;  // written once, under counting_, before counted_ is set
  mutable Mutex mutex_;
  mutable std::array<std::unique_ptr<const SharedText>, kSlots> rendered_ LODE_GUARDED_BY(mutex_);
};

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

// A part of the cache: some of its entries, in the order of their last use (to
// a tenth of a second), behind one lock. Cache says what it all means.
//
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
