#include "engine/cached.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/listed_page.h"

namespace lode {
namespace {

// An address deeper than this is dropped with all that is in its ancestor of this
// depth, so that no address has more sources than this.
constexpr std::size_t kMostSegments = 64;

// The addresses at and above one, the outermost first: "a://b/c?d" gives "a://",
// "a://b", "a://b/c" and "a://b/c?d". A slash at the end counts for nothing. What
// begins with a '?' or '#' is no segment, but is cut off like one: an address
// without its query is above all that have one. visit(how many bytes it has).
template <class Visit>
void each_above(std::string_view address, const Visit& visit) {
  const auto scheme = address.find_first_of(":/?#");
  const bool has_authority =
      scheme != std::string_view::npos && address.substr(scheme).starts_with("://");
  const std::size_t begin = has_authority ? scheme + 3 : 0;
  std::size_t count = 0;
  if (begin > 0) visit(begin);
  for (std::size_t at = begin; at <= address.size() && count < kMostSegments; ++at) {
    const bool ends =
        at == address.size() || address[at] == '/' || address[at] == '?' || address[at] == '#';
    if (!ends || at == begin || address[at - 1] == '/') continue;
    visit(at);
    ++count;
  }
}

// Of the objects around the text: the entry, its keys, a place in two tables.
constexpr std::size_t kEntryOverhead = 512;

std::size_t size_of(const ListedPage& page) {
  std::size_t size = sizeof(ListedPage) + page.next.size();
  for (const Entry& entry : page.entries) {
    size += sizeof(Entry) + entry.uri.size() + entry.name.size() + entry.title.size() +
            entry.description.size() + entry.mime.size();
  }
  return size;
}

std::size_t size_of(const Contents& contents, const DropClock::Origin& origin) {
  std::size_t size = kEntryOverhead + contents.description.size() +
                     origin.sources.size() * sizeof(DropClock::Source);
  for (const Content& item : contents.items) {
    size += sizeof(Content) + item.uri.size() + item.mime.size() + item.bytes.size() +
            item.name.size() + item.description.size() + item.version.size();
  }
  if (contents.page) size += size_of(*contents.page);
  // A tree of values takes several times the room of its text.
  if (contents.structured) size += 4 * to_text(*contents.structured).size();
  return size;
}

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

// ---- the clock ----

DropClock::DropClock() : stamps_(std::make_unique<std::atomic<Time>[]>(2 * kStamps)) {}

DropClock::Source DropClock::at(std::string_view address) {
  return static_cast<Source>(std::hash<std::string_view>()(address) % kStamps);
}

DropClock::Source DropClock::below(std::string_view address) {
  return static_cast<Source>(kStamps) + at(address);
}

void DropClock::add_sources(std::string_view address, std::vector<Source>& sources) {
  sources.push_back(at(address));
  each_above(address, [&](std::size_t size) { sources.push_back(below(address.substr(0, size))); });
}

// The order matters: a load that begins in between is newer than the change
// that is being told, since it reads what has changed already; and only when
// the stamp stands may a reader see that something has settled.
void DropClock::stamp(std::atomic<Time>& slot) {
  const Time time = ++begun_;
  Time seen = slot.load();
  while (seen < time && !slot.compare_exchange_weak(seen, time)) continue;
  ++returned_;
}

void DropClock::drop(std::string_view address) { stamp(stamps_[at(address)]); }

void DropClock::drop_below(std::string_view address) {
  std::size_t size = 0;
  each_above(address.substr(0, address.find_first_of("?#")),
             [&](std::size_t last) { size = last; });
  if (size == 0) return drop_all();
  stamp(stamps_[below(address.substr(0, size))]);
}

void DropClock::drop_all() { stamp(everything_); }

bool DropClock::outdated(const Origin& origin) const {
  if (origin.anything) return now() > origin.began;
  if (everything_.load() > origin.began) return true;
  return std::any_of(origin.sources.begin(), origin.sources.end(),
                     [&](Source source) { return stamps_[source].load() > origin.began; });
}

// ---- entries ----

Cached::Cached(Contents contents, std::chrono::steady_clock::time_point expires,
               DropClock::Origin origin)
    : contents_(std::move(contents)),
      expires_(expires),
      origin_(std::move(origin)),
      size_(size_of(contents_, origin_)) {}

// Escapes make a rendering somewhat longer than its text.
std::size_t Cached::bytes() const {
  return size_ + std::max(size_ + size_ / 8, rendered_size_.load());
}

std::optional<TokenCount> Cached::known_tokens() const {
  if (!counted_.load(std::memory_order_acquire)) return std::nullopt;
  return tokens_;
}

TokenCount Cached::tokens() const {
  if (const auto known = known_tokens()) return *known;
  const Lock lock(counting_);
  if (!counted_.load(std::memory_order_relaxed)) {
    tokens_ = count_tokens(contents_);
    counted_.store(true, std::memory_order_release);
  }
  return tokens_;
}

const SharedText& Cached::rendered(std::size_t slot,
                                   const std::function<std::string(const Contents&)>& make) const {
  assert(slot < kSlots);
  if (const auto* ready = ready_[slot].load(std::memory_order_acquire)) return *ready;
  Lock lock(mutex_);
  if (rendered_[slot] == nullptr) {
    rendered_[slot] = std::make_unique<const SharedText>(make(contents_), size_);
    rendered_size_ += rendered_[slot]->text.size();
    ready_[slot].store(rendered_[slot].get(), std::memory_order_release);
  }
  return *rendered_[slot];
}

// ---- shards ----

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
