#include "engine/drop_clock.h"

#include <algorithm>
#include <functional>

namespace lode {

DropClock::DropClock() : stamps_(std::make_unique<std::atomic<Time>[]>(kStamps)) {}

DropClock::Source DropClock::source(std::string_view address) {
  return static_cast<Source>(std::hash<std::string_view>()(address) % kStamps);
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

void DropClock::drop(std::string_view address) { stamp(stamps_[source(address)]); }

void DropClock::drop_all() { stamp(everything_); }

bool DropClock::outdated(const Origin& origin) const {
  if (origin.anything) return now() > origin.began;
  if (everything_.load() > origin.began) return true;
  return std::any_of(origin.sources.begin(), origin.sources.end(),
                     [&](Source source) { return stamps_[source].load() > origin.began; });
}

}  // namespace lode
