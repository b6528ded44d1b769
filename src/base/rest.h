// The pause that those make who work behind the first answer, so that this one has the
// processors for itself. Any thread.
#pragma once

#include <chrono>
#include <stop_token>

#include "base/mutex.h"

namespace lode {

class Rest {
 public:
  explicit Rest(std::chrono::milliseconds time) : time_(time) {}

  // Returns when the time is over, when somebody waits for what comes then, or when all
  // is to stop.
  void take(const std::stop_token& stop) LODE_EXCLUDES(mutex_);
  // Somebody waits: nobody rests any more.
  void end() LODE_EXCLUDES(mutex_);

 private:
  const std::chrono::milliseconds time_;
  Mutex mutex_;
  Condition changed_;
  bool ended_ LODE_GUARDED_BY(mutex_) = false;
};

}  // namespace lode
