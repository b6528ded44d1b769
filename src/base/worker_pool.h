// Threads that run blocking work from a bounded queue.
//
// Transports never block; providers may. What stands between them is this
// queue. When it is full, submit() refuses, and the caller answers "busy".
//
// Everybody has a queue of their own, and the queues take turns. Guests
// (Principal::guest) cannot keep the others waiting: their jobs fill at most
// their part of the queue (guest_part), and threads that all run jobs of guests
// are joined by kReserved more when somebody else has work.
//
// A job that hangs holds its thread. When work of guests, or of the others, waits
// and none of it was begun between two ticks, the pool doubles its threads, up to
// `most`: some jobs may hang for ever, and the others still run.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/principal.h"

namespace lode {

class WorkerPool {
 public:
  static constexpr std::size_t kReserved = 2;

  WorkerPool(std::size_t threads, std::size_t queue_limit, std::size_t most = 64);
  ~WorkerPool() { finish(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False: the queue is full and the job was dropped. The job must not throw.
  [[nodiscard]] bool submit(const Principal& who, std::function<void()> job) LODE_EXCLUDES(mutex_);

  // Called now and then, by one thread.
  void tick() LODE_EXCLUDES(mutex_);

  // Runs what is queued, then ends the threads; later jobs are refused. Called
  // before what the jobs refer to is destroyed. False: a job did not end in
  // time and still runs; nothing that it uses may be destroyed.
  bool finish(std::chrono::milliseconds grace = std::chrono::hours(24)) LODE_EXCLUDES(mutex_);

 private:
  using Job = std::function<void()>;
  // Whose turn comes later stands further back.
  struct Queue {
    std::string who;
    bool guest = false;
    std::deque<Job> jobs;
  };
  // Of guests, and of all others.
  struct Lane {
    std::size_t queued = 0;
    std::size_t running = 0;
    std::uint64_t begun = 0;          // ever
    std::uint64_t begun_at_tick = 0;  // the same, at the last tick
  };

  void add_thread() LODE_REQUIRES(mutex_);
  void run() LODE_EXCLUDES(mutex_);
  Queue& queue_of(const Principal& who) LODE_REQUIRES(mutex_);
  // Null: nothing that may begin now.
  Queue* next() LODE_REQUIRES(mutex_);
  Job take(Queue& queue) LODE_REQUIRES(mutex_);
  bool stuck(Lane& lane) LODE_REQUIRES(mutex_);
  Lane& lane(bool guest) LODE_REQUIRES(mutex_) { return guest ? guests_ : others_; }

  const std::size_t queue_limit_;
  const std::size_t most_;
  Mutex mutex_;
  Condition wake_;
  Condition ended_;
  std::list<Queue> queues_ LODE_GUARDED_BY(mutex_);
  Lane guests_ LODE_GUARDED_BY(mutex_);
  Lane others_ LODE_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ LODE_GUARDED_BY(mutex_);
  std::size_t size_ LODE_GUARDED_BY(mutex_);         // threads without those in reserve
  std::size_t idle_ LODE_GUARDED_BY(mutex_) = 0;     // threads that wait for a job
  std::size_t running_ LODE_GUARDED_BY(mutex_) = 0;  // threads that have not ended
  bool ending_ LODE_GUARDED_BY(mutex_) = false;
};

}  // namespace lode
