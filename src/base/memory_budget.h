// One budget for the memory that clients make the server hold: answers being
// collected, answers waiting to be written, and messages kept for clients that
// may come back. The cache has a limit of its own.
//
// Everybody has a share. Nobody but the owner and the pipe (Principal::guest)
// can use up what those need: guests together have half of the budget, and one
// guest at most three quarters of that half; the owner and the pipe have at most
// half each.
//
// Counting never fails: a MemoryCharge counts what exists already, and its owner
// asks fits() afterwards. Who does not fit gives the memory up and answers "busy".
// So counting is a few relaxed additions, without a lock and without an
// allocation, and the overshoot is what the workers are making at the moment.
//
// Three ways out, in this order: what is kept for resumption is forgotten, oldest
// first; the answer that does not fit is refused; a client that takes nothing of
// what waits for it loses its connection sooner (pressed()).
//
// Any thread. The budget outlives its charges.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "base/principal.h"

namespace lode {

class MemoryBudget;

// Something that is kept only in case somebody asks again.
class Forgettable {
 public:
  virtual ~Forgettable() = default;
  // Lets go of it. Any thread; called without a lock of the budget's.
  virtual void forget() = 0;
};

// What one principal holds. Principals beyond MemoryBudget::kShares may share one.
class MemoryShare {
 public:
  MemoryShare() = default;  // for the budget, which makes it a share
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t kept() const { return kept_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }

  // Whether the share, those of all guests if it is a guest's, and the whole are
  // within their limits; if not, after what could be forgotten was forgotten. A
  // false answer is counted as a refusal. The caller holds no lock that a
  // Forgettable takes.
  bool fits() LODE_EXCLUDES(mutex_);
  // Whether all those limits hold now. Forgets and counts nothing.
  bool within() const;
  // More than three quarters are used by what nobody can forget.
  bool pressed() const;

  // Registers what has just been kept; what has been kept longest is forgotten
  // while all that is kept is over its part (a quarter of the share). Locks as for
  // fits().
  void keep(std::weak_ptr<Forgettable> kept) LODE_EXCLUDES(mutex_);

 private:
  friend class MemoryBudget;
  friend class MemoryCharge;
  friend class MemoryLoan;

  void add(std::size_t bytes);
  void subtract(std::size_t bytes);
  // False: there is nothing left to forget.
  bool forget_oldest() LODE_EXCLUDES(mutex_);

  MemoryBudget* budget_ = nullptr;
  std::size_t limit_ = 0;
  bool guest_ = false;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::size_t> kept_{0};
  Mutex mutex_;
  std::deque<std::weak_ptr<Forgettable>> forgettable_ LODE_GUARDED_BY(mutex_);  // oldest first
  std::size_t prune_at_ LODE_GUARDED_BY(mutex_) = 0;  // so many: look for those that are gone
};

class MemoryBudget {
 public:
  static constexpr std::size_t kShares = 16;

  explicit MemoryBudget(std::size_t bytes);

  // The share of that principal; valid as long as the budget.
  MemoryShare& share(const Principal& who);

  std::size_t limit() const { return limit_; }
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t refusals() const { return refusals_.load(std::memory_order_relaxed); }

 private:
  friend class MemoryShare;

  // False: nothing is kept for any guest.
  bool forget_for_guests();

  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::size_t> guests_used_{0};
  std::atomic<std::uint64_t> refusals_{0};
  std::array<MemoryShare, kShares> shares_;
};

// Memory that many may hold at once and that is counted once: from the first
// holder to the last, in the share of whoever was the first ever to hold it.
class MemoryLoan {
 public:
  explicit MemoryLoan(std::size_t bytes) : bytes_(bytes) {}

  void take(MemoryShare& share) const;
  void give_back() const;

 private:
  const std::size_t bytes_;
  mutable std::atomic<MemoryShare*> payer_{nullptr};  // set once
  mutable std::atomic<std::size_t> holders_{0};
};

// Bytes counted in a share for as long as this lives. Movable; a moved-from or
// default one counts nothing. One thread at a time.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  MemoryCharge(MemoryShare& share, std::size_t bytes) : share_(&share), bytes_(bytes) {
    share.add(bytes);
  }
  MemoryCharge(MemoryCharge&& other) noexcept { swap(other); }
  MemoryCharge& operator=(MemoryCharge&& other) noexcept {
    MemoryCharge moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~MemoryCharge() { release(); }

  // Counts a loan too. REQUIRES: a share, and no loan yet.
  void borrow(std::shared_ptr<const MemoryLoan> loan);
  // Counts these bytes instead of all before; nothing without a share.
  void become(std::size_t bytes);
  // The bytes are kept for resumption from now on. REQUIRES: no loan.
  void keep();
  void release();

  // Null: it counts nothing.
  MemoryShare* share() const { return share_; }

 private:
  void swap(MemoryCharge& other) noexcept;

  MemoryShare* share_ = nullptr;
  std::size_t bytes_ = 0;
  std::shared_ptr<const MemoryLoan> loan_;
  bool kept_ = false;
};

}  // namespace lode
