#include "engine/drop_clock.h"

#include <algorithm>
#include <functional>

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

}  // namespace

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

}  // namespace lode
