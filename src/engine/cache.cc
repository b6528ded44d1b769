#include "engine/cache.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lode {

struct Cache::Call {
  CacheKey key;
  DropClock::Time began;
  Clock::time_point time;
  const Patience& patience;
};

struct Cache::Outcome {
  Result<Entry> result;
  DropClock::Origin origin;
  bool alone = false;  // not for those who waited
};

// What became of waiting: an answer; or the caller has to load, alone; or to
// try again.
struct Cache::Waited {
  std::optional<Result<Entry>> answer;
  bool alone = false;
};

struct Cache::Flight {
  explicit Flight(const CacheKey& of) : uri(of.uri), who(of.who), hash(of.hash) {}
  CacheKey key() const { return {uri, who, false, hash}; }

  const std::string uri;
  const std::string who;
  const std::size_t hash;

  Mutex mutex;
  Condition ended;
  std::optional<Outcome> outcome LODE_GUARDED_BY(mutex);
};

class Cache::Runway {
 public:
  // The flight with the key, and whether it is new and the caller's to fly.
  std::pair<std::shared_ptr<Flight>, bool> board(const CacheKey& key) {
    Lock lock(mutex_);
    const auto found = flights_.find(key);
    if (found != flights_.end()) return {found->second, false};
    auto flight = std::make_shared<Flight>(key);
    flights_.emplace(flight->key(), flight);
    return {flight, true};
  }

  void leave(const CacheKey& key) {
    Lock lock(mutex_);
    flights_.erase(key);
  }

 private:
  Mutex mutex_;
  std::unordered_map<CacheKey, std::shared_ptr<Flight>, CacheKeyHash> flights_
      LODE_GUARDED_BY(mutex_);
};

Cache::Cache() : Cache(Limits{}) {}

Cache::Cache(const Limits& limits, Now now)
    : limits_(limits),
      now_(std::move(now)),
      budget_(limits.bytes, limits.entries),
      runways_(std::make_unique<std::array<Runway, kShards>>()) {}

Cache::~Cache() = default;

std::shared_ptr<const Cached> Cache::find(std::string_view uri, std::string_view who) {
  return find(CacheKey::of(uri, who), now_());
}

Cache::Entry Cache::find(const CacheKey& own, Clock::time_point now) {
  for (const CacheKey& key : {own, own.for_all()}) {
    auto hit = shard(key).find(key, now, drops_, budget_);
    if (hit.growth > 0) recharge(key, hit.growth);
    if (hit.entry != nullptr) return std::move(hit.entry);
  }
  return nullptr;
}

// An entry that was rendered once more is larger than what it was charged for.
void Cache::recharge(const CacheKey& key, std::size_t more) {
  if (make_room(more, 0)) {
    shard(key).charge(key, more, budget_);
  } else {
    shard(key).remove(key, budget_);
  }
}

bool Cache::make_room(std::size_t bytes, std::size_t entries) {
  while (!budget_.take(bytes, entries)) {
    if (!evict_one()) return false;
  }
  return true;
}

bool Cache::evict_one() {
  auto* const oldest =
      std::min_element(shards_.begin(), shards_.end(),
                       [](const auto& a, const auto& b) { return a.oldest() < b.oldest(); });
  if (oldest->oldest() == Clock::time_point::max()) return false;
  if (oldest->remove_oldest(budget_)) ++evictions_;
  return true;
}

Result<std::shared_ptr<const Cached>> Cache::get(std::string_view uri, std::string_view who,
                                                 const Patience& patience, const Loader& loader) {
  const Call call{CacheKey::of(uri, who), drops_.now(), now_(), patience};
  if (auto hit = find(call.key, call.time)) return hit;
  Runway& runway = (*runways_)[call.key.hash % kShards];
  for (;;) {
    const auto [flight, mine] = runway.board(call.key);
    if (mine) return fly(runway, *flight, loader);
    auto waited = await(*flight, call);
    if (waited.answer) return *std::move(waited.answer);
    if (waited.alone) return load(call.key, loader).result;
  }
}

Result<Cache::Entry> Cache::load(std::string_view uri, std::string_view who, const Loader& loader) {
  return load(CacheKey::of(uri, who), loader).result;
}

// The entry is in its shard before the flight leaves the runway, and the flight
// has left before it says so: who comes later finds the one or neither.
Result<Cache::Entry> Cache::fly(Runway& runway, Flight& flight, const Loader& loader) {
  const CacheKey key = flight.key();
  const auto hit = find(key, now_());  // of a flight that ended just before this began
  Outcome outcome = hit ? Outcome{hit, hit->origin(), false} : load(key, loader);
  auto result = outcome.result;
  runway.leave(key);
  {
    Lock lock(flight.mutex);
    flight.outcome = std::move(outcome);
  }
  flight.ended.notify_all();
  return result;
}

Cache::Waited Cache::await(Flight& flight, const Call& call) {
  const Patience& patience = call.patience;
  const std::stop_callback wake(patience.stop, [&] {
    Lock lock(flight.mutex);
    flight.ended.notify_all();
  });
  Lock lock(flight.mutex);
  while (!flight.outcome) {
    if (patience.stop.stop_requested()) {
      return {Error{Code::cancelled, "cancelled while another request was reading it", {}}, false};
    }
    if (Clock::now() >= patience.deadline) {
      return {Error{Code::timeout, "no answer in time to another request for it", {}}, false};
    }
    flight.ended.wait_until(flight.mutex, patience.deadline);
  }
  if (flight.outcome->alone) return {std::nullopt, true};
  if (!good_for(*flight.outcome, call)) return {std::nullopt, false};
  ++shared_;
  return {flight.outcome->result, false};
}

bool Cache::good_for(const Outcome& outcome, const Call& call) const {
  if (outcome.result) {
    if ((*outcome.result)->expires() <= call.time) return false;
  } else {
    const auto code = outcome.result.error().code;
    if (code == Code::cancelled || code == Code::timeout) return false;
  }
  return outcome.origin.began >= call.began || !drops_.outdated(outcome.origin);
}

Cache::Outcome Cache::load(const CacheKey& key, const Loader& loader) {
  ++misses_;
  const auto start = now_();
  const DropClock::Origin unknown{drops_.now(), {}, true};
  try {
    auto loaded = loader();
    if (!loaded) return {std::move(loaded).error(), unknown, false};
    if (!*loaded) return {Entry(), unknown, true};
    return keep(key, *std::move(*loaded), start, unknown.began);
  } catch (...) {
    return {internal("reading it failed"), unknown, false};
  }
}

Cache::Outcome Cache::keep(const CacheKey& key, Loaded loaded, Clock::time_point start,
                           DropClock::Time began) {
  const auto ttl = std::clamp(loaded.contents.ttl, std::chrono::milliseconds(0), limits_.ttl);
  auto origin = origin_of(key.uri, loaded.made_from, began);
  const bool shared = loaded.contents.scope == Scope::public_;
  const auto entry =
      std::make_shared<const Cached>(std::move(loaded.contents), start + ttl, origin);
  // What has become private must not be found by the others any more.
  if (!shared) shard(key).remove(key.for_all(), budget_);
  const bool alone = ttl.count() == 0;
  if (!alone) put(key, shared, entry);
  return {entry, std::move(origin), alone};
}

DropClock::Origin Cache::origin_of(std::string_view uri, const std::vector<std::string>& made_from,
                                   DropClock::Time began) const {
  DropClock::Origin origin{began, {}, made_from.size() > limits_.sources};
  if (origin.anything) return origin;
  auto& sources = origin.sources;
  DropClock::add_sources(uri, sources);
  DropClock::add_sources(uri.substr(0, uri.find('?')), sources);
  for (const auto& address : made_from) DropClock::add_sources(address, sources);
  // Most of what lies above them they have in common.
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  sources.shrink_to_fit();
  return origin;
}

void Cache::put(const CacheKey& key, bool shared, const Entry& entry) {
  const auto bytes = entry->bytes();
  if (bytes > limits_.entry_bytes || drops_.outdated(entry->origin())) return;
  if (!make_room(bytes, 1)) return;
  shard(key).put(shared ? key.for_all() : key, entry, bytes, now_(), budget_);
}

void Cache::drop(std::string_view uri) { drops_.drop(uri); }

void Cache::drop_below(std::string_view uri) { drops_.drop_below(uri); }

void Cache::drop_all() { drops_.drop_all(); }

Cache::Stats Cache::stats() const {
  Stats stats;
  for (const auto& shard : shards_) stats.hits += shard.hits();
  stats.misses = misses_.load();
  stats.shared = shared_.load();
  stats.evictions = evictions_.load();
  stats.drops = drops_.settled();
  stats.bytes = budget_.bytes();
  stats.entries = budget_.entries();
  return stats;
}

}  // namespace lode
