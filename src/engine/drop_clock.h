// What was dropped, and when: tells whether something made from some addresses
// still stands, without a list of what was made from what.
//
// Time is the count of drops. A drop stamps its address with the time; what
// was begun at an earlier time and made from that address is outdated.
//
// Addresses share a fixed number of stamps by their hash. Two that meet in one
// stamp are dropped together, which costs a load and is never wrong.
//
// Invariants:
//  (1) After drop(u) has returned, whatever began before drop(u) was called and
//      has u among its sources is outdated.
//  (2) What began after drop(u) has returned is not outdated by it.
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
  using Source = std::uint32_t;  // an address, as far as this clock tells them apart

  // Where something comes from.
  struct Origin {
    Time began = 0;               // now(), before the first source was read
    std::vector<Source> sources;  //
    bool anything = false;        // its sources are not known: any drop outdates it
  };

  DropClock();

  static Source source(std::string_view address);

  Time now() const { return begun_.load(); }
  std::uint64_t settled() const { return returned_.load(); }

  void drop(std::string_view address);
  void drop_all();

  // Whether what has this origin was made before a drop of what it is made from.
  bool outdated(const Origin& origin) const;

 private:
  static constexpr std::size_t kStamps = 1 << 14;

  void stamp(std::atomic<Time>& slot);

  std::atomic<Time> begun_{0};
  std::atomic<std::uint64_t> returned_{0};
  std::atomic<Time> everything_{0};
  std::unique_ptr<std::atomic<Time>[]> stamps_;
};

}  // namespace lode
