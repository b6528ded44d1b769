// A pipe inside one process, for tests: the lines the other side wrote, with a
// way to wait for them. Any thread.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "transport/line_sink.h"

namespace lode {

class MemorySink final : public LineSink {
 public:
  void write(std::string line) override LODE_EXCLUDES(mutex_);
  // The next line; nothing if none comes in time.
  std::optional<std::string> next(std::chrono::milliseconds patience) LODE_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition wake_;
  std::deque<std::string> lines_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
