// What providers have read, kept for the next who asks.
//
// Bounded in bytes and entries, single-flight, and never older than the last
// change that it was told of. An entry belongs to one principal, or to all if
// its provider says that it is public. It dies when its time to live is over,
// when an address that it was made from is dropped, or when room is needed and
// it is the one that was not used for the longest time.
//
// Design. Entries are spread over shards by address; a hit takes one short
// lock and allocates nothing. Drops go to a DropClock, not to the entries:
// an entry knows the time at which its load began and is held against the
// clock when it is found. So a drop is quick, needs no list of what was made
// from what, and wins against a load that began before it, whenever that ends.
// That holds for a whole tree of addresses too: an entry knows those above it.
// What is outdated is removed when it is found, or as the least used.
//
// Two duties are the caller's: to ask the policy first, and to keep away what
// answers a request that was sent again with the client's answers.
//
// Invariants:
//  (1) stats().bytes and stats().entries never exceed the limits.
//  (2) No call returns contents whose load began before a drop of what they
//      are made from, if that drop had returned when the call began.
//  (3) Private contents are given to the principal alone that loaded them.
//  (4) Of get(), at most one load of a key (address and principal) is under way, as
//      long as loads have something to share.
//  (5) No call that begins at or after the end of an entry's time to live gets
//      it. That time begins with the load.
//
// Any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/cached.h"
#include "engine/content.h"

namespace lode {

class Cache {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  struct Limits {
    std::size_t bytes = std::size_t{64} << 20;               // of all entries (Cached::bytes)
    std::size_t entries = 100'000;                           //
    std::size_t entry_bytes = std::size_t{8} << 20;          // of one; larger ones are not kept
    std::chrono::milliseconds ttl = std::chrono::hours(24);  // longer ones are cut
    std::size_t sources = 1024;  // of one; with more, any drop at all outdates it
  };

  struct Stats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;     // loads
    std::uint64_t shared = 0;     // calls that got what another was loading
    std::uint64_t evictions = 0;  // for want of room
    std::uint64_t drops = 0;      //
    std::size_t bytes = 0;
    std::size_t entries = 0;  // those that are outdated and not yet found included
  };

  // What a load gives. The sources are the addresses whose change outdates the
  // contents, all the way down: what was made from something that was itself
  // made from a file names the file. The entry's own address is one of them
  // always, with and without its query.
  struct Loaded {
    Contents contents;
    std::vector<std::string> made_from = {};
  };
  // Nothing: there is an outcome, but for this caller alone, who has kept it.
  using Loader = std::function<Result<std::optional<Loaded>>()>;

  // How long a call may wait for another's load, in real time.
  struct Patience {
    Clock::time_point deadline = Clock::time_point::max();
    std::stop_token stop = {};
  };

  Cache();
  explicit Cache(const Limits& limits, Now now = &Clock::now);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // The entry that this principal may have, or null. Short: for the hot path.
  std::shared_ptr<const Cached> find(std::string_view uri, std::string_view who);

  // The entry, loaded if need be. Of several callers with the same key the
  // first loads, on its own thread, and the others wait and get what it got:
  //   - contents, if they were to be kept at all. A time to live of zero means
  //     that even a moment is too long: then, and if the loader has nothing to
  //     share (the answer is null), the others load for themselves, side by side;
  //   - an error, which is not kept. Code::cancelled and Code::timeout are the
  //     loading caller's own: another one loads.
  // Who began to wait after a drop gets nothing that was loaded before it.
  // Code::timeout, Code::cancelled: this caller's patience ended. A loader
  // that throws is Code::internal. A loader must not ask for its own key.
  Result<std::shared_ptr<const Cached>> get(std::string_view uri, std::string_view who,
                                            const Patience& patience, const Loader& loader);

  // The same without waiting: callers with the same key load side by side, as if nothing
  // were kept, and the last one's entry stays. For what every caller would wait for, so that
  // one load that hangs must not hold them all.
  Result<std::shared_ptr<const Cached>> load(std::string_view uri, std::string_view who,
                                             const Loader& loader);

  // The address has changed: it and whatever was made from it is outdated when
  // this returns. Call it after the change can be seen, before others are told.
  void drop(std::string_view uri);
  // The same of the address and all below it, by segment; without one, everything.
  // Costs no more than one address, however many entries there are.
  void drop_below(std::string_view uri);
  void drop_all();

  Stats stats() const;

 private:
  using Entry = std::shared_ptr<const Cached>;
  struct Call;     // of get(): the key, when it began, its patience
  struct Outcome;  // of a load
  struct Flight;   // a load under way
  struct Waited;   // for a flight of another
  class Runway;    // the flights of a shard

  Entry find(const CacheKey& own, Clock::time_point now);
  void recharge(const CacheKey& key, std::size_t more);
  bool make_room(std::size_t bytes, std::size_t entries);
  bool evict_one();

  Result<Entry> fly(Runway& runway, Flight& flight, const Loader& loader);
  Waited await(Flight& flight, const Call& call);
  bool good_for(const Outcome& outcome, const Call& call) const;
  Outcome load(const CacheKey& key, const Loader& loader);
  Outcome keep(const CacheKey& key, Loaded loaded, Clock::time_point start, DropClock::Time began);
  DropClock::Origin origin_of(std::string_view uri, const std::vector<std::string>& made_from,
                              DropClock::Time began) const;
  void put(const CacheKey& key, bool shared, const Entry& entry);

  CacheShard& shard(const CacheKey& key) { return shards_[key.hash % kShards]; }

  static constexpr std::size_t kShards = 16;
  const Limits limits_;
  const Now now_;
  DropClock drops_;
  CacheBudget budget_;
  std::array<CacheShard, kShards> shards_;
  const std::unique_ptr<std::array<Runway, kShards>> runways_;
  std::atomic<std::uint64_t> misses_{0};
  std::atomic<std::uint64_t> shared_{0};
  std::atomic<std::uint64_t> evictions_{0};
};

}  // namespace lode
