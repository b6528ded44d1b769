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
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lode {

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

}  // namespace lode
