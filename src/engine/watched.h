// The addresses of a provider that somebody listens to: who announces changes by
// address need look at these alone. Any thread.
#pragma once

#include <set>
#include <vector>

#include "base/mutex.h"
#include "base/uri.h"

namespace lode {

class WatchedAddresses {
 public:
  // What Resources::watch() is told.
  void watch(const Uri& uri, bool on) LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    if (on) {
      uris_.insert(uri);
    } else {
      uris_.erase(uri);
    }
  }

  std::vector<Uri> all() const LODE_EXCLUDES(mutex_) {
    const Lock lock(mutex_);
    return {uris_.begin(), uris_.end()};
  }

 private:
  mutable Mutex mutex_;
  std::set<Uri> uris_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
