// A fixed number of threads that run blocking work from a bounded queue.
//
// Transports never block; providers may. What stands between them is this
// queue. When it is full, submit() refuses, and the caller answers "busy".
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace lode {

class WorkerPool {
 public:
  WorkerPool(std::size_t threads, std::size_t queue_limit);
  ~WorkerPool() { finish(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: the queue is full and the job was dropped. The job must not throw.
  [[nodiscard]] bool submit(std::function<void()> job) LODE_EXCLUDES(mutex_);

  // Runs what is queued, then ends the threads; later jobs are refused. Called
  // before what the jobs refer to is destroyed.
  void finish() LODE_EXCLUDES(mutex_);

 private:
  void run() LODE_EXCLUDES(mutex_);

  const std::size_t queue_limit_;
  Mutex mutex_;
  Condition wake_;
  std::deque<std::function<void()>> queue_ LODE_GUARDED_BY(mutex_);
  bool ending_ LODE_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace lode
