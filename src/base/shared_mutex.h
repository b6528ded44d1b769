// A mutex that many may hold to read, or one to write; clang's thread-safety
// analysis understands it (see base/mutex.h).
//
// Who waits to write stops those who come to read after it, so that a steady
// stream of readers does not keep a writer out. Hence a thread that reads must
// not lock it again.
#pragma once

#include <shared_mutex>

#include "base/mutex.h"

namespace lode {

class LODE_ANNOTATE(capability("mutex")) SharedMutex {
 public:
  void lock() LODE_ANNOTATE(acquire_capability()) {
    const std::lock_guard<std::mutex> gate(gate_);
    mutex_.lock();
  }
  void unlock() LODE_ANNOTATE(release_capability()) { mutex_.unlock(); }
  void lock_shared() LODE_ANNOTATE(acquire_shared_capability()) {
    const std::lock_guard<std::mutex> gate(gate_);
    mutex_.lock_shared();
  }
  void unlock_shared() LODE_ANNOTATE(release_shared_capability()) { mutex_.unlock_shared(); }

 private:
  std::mutex gate_;
  std::shared_mutex mutex_;
};

// Holds the mutex to write from construction to destruction.
class LODE_ANNOTATE(scoped_lockable) WriteLock {
 public:
  explicit WriteLock(SharedMutex& mutex) LODE_ANNOTATE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~WriteLock() LODE_ANNOTATE(release_capability()) { mutex_.unlock(); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  SharedMutex& mutex_;
};

// Holds the mutex to read from construction to destruction.
class LODE_ANNOTATE(scoped_lockable) ReadLock {
 public:
  explicit ReadLock(SharedMutex& mutex) LODE_ANNOTATE(acquire_shared_capability(mutex))
      : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~ReadLock() LODE_ANNOTATE(release_capability()) { mutex_.unlock_shared(); }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace lode
