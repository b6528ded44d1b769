// A mutex that clang's thread-safety analysis understands.
//
// Members shared between threads carry LODE_GUARDED_BY(mutex_); `make check`
// compiles with -Wthread-safety -Werror, so an access without the lock does
// not build. g++ ignores the annotations.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define LODE_ANNOTATE(x) __attribute__((x))
#else
#define LODE_ANNOTATE(x)
#endif

#define LODE_GUARDED_BY(x) LODE_ANNOTATE(guarded_by(x))
#define LODE_REQUIRES(...) LODE_ANNOTATE(requires_capability(__VA_ARGS__))
#define LODE_EXCLUDES(...) LODE_ANNOTATE(locks_excluded(__VA_ARGS__))

namespace lode {

class LODE_ANNOTATE(capability("mutex")) Mutex {
 public:
  void lock() LODE_ANNOTATE(acquire_capability()) { mutex_.lock(); }
  void unlock() LODE_ANNOTATE(release_capability()) { mutex_.unlock(); }
  bool try_lock() LODE_ANNOTATE(try_acquire_capability(true)) { return mutex_.try_lock(); }

 private:
  std::mutex mutex_;
};

// Holds the mutex from construction to destruction.
class LODE_ANNOTATE(scoped_lockable) Lock {
 public:
  explicit Lock(Mutex& mutex) LODE_ANNOTATE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~Lock() LODE_ANNOTATE(release_capability()) { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition to wait for while holding a Mutex. Spurious wake-ups happen:
// wait in a loop that tests the condition.
class Condition {
 public:
  void wait(Mutex& mutex) LODE_REQUIRES(mutex) { condition_.wait(mutex); }
  // False: the time has come without a word.
  bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time) LODE_REQUIRES(mutex) {
    return condition_.wait_until(mutex, time) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

}  // namespace lode
