#include "engine/cache_shard.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lode {
namespace {

// An entry that was used so short a time ago keeps its place: a hot one costs
// no writes beside its reference count, and who is evicted first changes little.
constexpr std::chrono::milliseconds kRecent{100};

bool alive(const Cached& entry, std::uint64_t& settled, CacheShard::Time now,
           const DropClock& drops) {
  if (now >= entry.expires()) return false;
  const auto at = drops.settled();  // before the question: see DropClock's invariant (3)
  if (at == settled) return true;
  if (drops.outdated(entry.origin())) return false;
  settled = at;
  return true;
}

bool take_up_to(std::atomic<std::size_t>& used, std::size_t more, std::size_t most) {
  auto seen = used.load();
  do {
    if (more > most || seen > most - more) return false;
  } while (!used.compare_exchange_weak(seen, seen + more));
  return true;
}

}  // namespace

CacheKey CacheKey::of(std::string_view uri, std::string_view who) {
  return {uri, who, false, std::hash<std::string_view>()(uri)};
}

bool CacheBudget::take(std::size_t bytes, std::size_t entries) {
  if (!take_up_to(entries_, entries, max_entries_)) return false;
  if (take_up_to(bytes_, bytes, max_bytes_)) return true;
  entries_ -= entries;
  return false;
}

void CacheBudget::give_back(std::size_t bytes, std::size_t entries) {
  bytes_ -= bytes;
  entries_ -= entries;
}

CacheShard::Hit CacheShard::find(const CacheKey& key, Time now, const DropClock& drops,
                                 CacheBudget& budget) {
  Lock lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return {};
  Item& item = *found->second;
  if (!alive(*item.entry, item.settled, now, drops)) {
    erase(key, budget);
    return {};
  }
  if (now - item.used >= kRecent) {
    item.used = now;
    items_.splice(items_.begin(), items_, found->second);
    note_oldest();
  }
  hits_.fetch_add(1, std::memory_order_relaxed);
  const auto bytes = item.entry->bytes();
  return {item.entry, bytes - std::min(bytes, item.charged)};
}

void CacheShard::put(const CacheKey& key, std::shared_ptr<const Cached> entry, std::size_t charged,
                     Time now, CacheBudget& budget) {
  Lock lock(mutex_);
  erase(key, budget);
  // Never found alive by the DropClock: the first find asks.
  constexpr auto kUnsettled = ~std::uint64_t{0};
  items_.push_front({std::string(key.uri), std::string(key.who), key.shared, key.hash,
                     std::move(entry), charged, kUnsettled, now});
  by_key_.emplace(items_.front().key(), items_.begin());
  note_oldest();
}

void CacheShard::charge(const CacheKey& key, std::size_t taken, CacheBudget& budget) {
  Lock lock(mutex_);
  std::size_t used = 0;
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    Item& item = *found->second;
    const auto bytes = item.entry->bytes();
    used = std::min(taken, bytes - std::min(bytes, item.charged));
    item.charged += used;
  }
  budget.give_back(taken - used, 0);
}

void CacheShard::remove(const CacheKey& key, CacheBudget& budget) {
  Lock lock(mutex_);
  erase(key, budget);
}

bool CacheShard::remove_oldest(CacheBudget& budget) {
  Lock lock(mutex_);
  if (items_.empty()) return false;
  erase(items_.back().key(), budget);
  return true;
}

void CacheShard::erase(const CacheKey& key, CacheBudget& budget) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  const auto item = found->second;
  budget.give_back(item->charged, 1);
  by_key_.erase(found);
  items_.erase(item);
  note_oldest();
}

void CacheShard::note_oldest() {
  const auto time = items_.empty() ? Time::max() : items_.back().used;
  oldest_.store(time.time_since_epoch().count(), std::memory_order_relaxed);
}

}  // namespace lode
