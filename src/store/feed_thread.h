// Hears what other processes change: drains a FeedListener whenever it is woken,
// on a thread of its own, so that no busy worker can delay the news.
#pragma once

#include <thread>

#include "base/descriptor.h"
#include "base/log.h"
#include "base/result.h"
#include "store/change_feed.h"

namespace lode {

class FeedThread {
 public:
  // REQUIRES: the listener and the log outlive it.
  FeedThread(FeedListener& listener, Log& log) : listener_(listener), log_(log) {}
  // Waits for a drain that runs.
  ~FeedThread();
  FeedThread(const FeedThread&) = delete;
  FeedThread& operator=(const FeedThread&) = delete;

  // REQUIRES: not started. Code::unavailable: no descriptor.
  Status start();

 private:
  void run(const std::stop_token& stop);

  FeedListener& listener_;
  Log& log_;
  Descriptor wake_;
  std::jthread thread_;
};

}  // namespace lode
