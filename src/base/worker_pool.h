// Threads that run blocking work from a bounded queue.
//
// Transports never block; providers may. What stands between them is this
// queue. When it is full, submit() refuses, and the caller answers "busy".
//
// A job that hangs holds its thread. When work waits and none of it was begun
// between two ticks, the pool doubles its threads, up to `most`: some jobs may
// hang for ever, and the others still run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace lode {

class WorkerPool {
 public:
  WorkerPool(std::size_t threads, std::size_t queue_limit, std::size_t most = 64);
  ~WorkerPool() { finish(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: the queue is full and the job was dropped. The job must not throw.
  [[nodiscard]] bool submit(std::function<void()> job) LODE_EXCLUDES(mutex_);

  // Called now and then, by one thread.
  void tick() LODE_EXCLUDES(mutex_);

  // Runs what is queued, then ends the threads; later jobs are refused. Called
  // before what the jobs refer to is destroyed. False: a job did not end in
  // time and still runs; nothing that it uses may be destroyed.
  bool finish(std::chrono::milliseconds grace = std::chrono::hours(24)) LODE_EXCLUDES(mutex_);

 private:
  void add_thread() LODE_REQUIRES(mutex_);
  void run() LODE_EXCLUDES(mutex_);

  const std::size_t queue_limit_;
  const std::size_t most_;
  Mutex mutex_;
  Condition wake_;
  Condition ended_;
  std::deque<std::function<void()>> queue_ LODE_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ LODE_GUARDED_BY(mutex_);
  std::size_t running_ LODE_GUARDED_BY(mutex_) = 0;          // threads that have not ended
  std::uint64_t begun_ LODE_GUARDED_BY(mutex_) = 0;          // jobs, ever
  std::uint64_t begun_at_tick_ LODE_GUARDED_BY(mutex_) = 0;  // the same, at the last tick
  bool ending_ LODE_GUARDED_BY(mutex_) = false;
};

}  // namespace lode
