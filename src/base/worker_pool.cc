#include "base/worker_pool.h"

#include <algorithm>
#include <utility>

namespace lode {
namespace {

// Empty queues are kept for who comes back, up to so many.
constexpr std::size_t kQueuesKept = 16;

}  // namespace

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_limit, std::size_t most)
    : queue_limit_(queue_limit), most_(most), size_(threads) {
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < threads; ++i) add_thread();
}

void WorkerPool::add_thread() {
  threads_.emplace_back([this] { run(); });
  ++running_;
}

bool WorkerPool::stuck(Lane& lane) {
  return lane.begun == std::exchange(lane.begun_at_tick, lane.begun) && lane.queued > 0;
}

void WorkerPool::tick() {
  const Lock lock(mutex_);
  const bool guests = stuck(guests_);
  const bool others = stuck(others_);
  if ((!guests && !others) || ending_) return;
  size_ = std::max(size_, std::min(most_, 2 * size_));
  while (threads_.size() < size_) add_thread();
  wake_.notify_all();  // more guests may run at once
}

bool WorkerPool::finish(std::chrono::milliseconds grace) {
  const auto until = std::chrono::steady_clock::now() + grace;
  std::vector<std::thread> done;
  {
    const Lock lock(mutex_);
    ending_ = true;
    wake_.notify_all();
    while (running_ > 0) {
      if (!ended_.wait_until(mutex_, until) && running_ > 0) return false;
    }
    done.swap(threads_);
  }
  for (auto& thread : done) thread.join();
  return true;
}

WorkerPool::Queue& WorkerPool::queue_of(const Principal& who) {
  for (auto& queue : queues_) {
    if (queue.who == who.name) return queue;
  }
  if (queues_.size() >= kQueuesKept) {
    queues_.remove_if([](const Queue& queue) { return queue.jobs.empty(); });
  }
  return queues_.emplace_back(Queue{who.name, who.guest(), {}});
}

bool WorkerPool::submit(const Principal& who, Job job) {
  {
    const Lock lock(mutex_);
    if (ending_ || guests_.queued + others_.queued >= queue_limit_) return false;
    if (who.guest() && guests_.queued >= guest_part(queue_limit_)) return false;
    queue_of(who).jobs.push_back(std::move(job));
    ++lane(who.guest()).queued;
    const bool crowded = guests_.running > 0 && others_.queued > idle_;
    if (crowded && threads_.size() < size_ + kReserved) add_thread();
  }
  wake_.notify_one();
  return true;
}

WorkerPool::Queue* WorkerPool::next() {
  for (auto at = queues_.begin(); at != queues_.end(); ++at) {
    if (at->jobs.empty() || (at->guest && guests_.running >= size_)) continue;
    queues_.splice(queues_.end(), queues_, at);
    return &queues_.back();
  }
  return nullptr;
}

WorkerPool::Job WorkerPool::take(Queue& queue) {
  Job job = std::move(queue.jobs.front());
  queue.jobs.pop_front();
  Lane& its = lane(queue.guest);
  --its.queued;
  ++its.running;
  ++its.begun;
  return job;
}

// Jobs of guests that may not begin yet are begun by the threads that run others of
// theirs: a thread that finds nothing else may wait, or end.
void WorkerPool::run() {
  Lane* ran = nullptr;
  for (Job job;; job = nullptr) {
    {
      const Lock lock(mutex_);
      if (ran != nullptr) --ran->running;
      Queue* queue = next();
      while (queue == nullptr && !ending_) {
        ++idle_;
        wake_.wait(mutex_);
        --idle_;
        queue = next();
      }
      if (queue == nullptr) {
        --running_;
        ended_.notify_all();
        return;
      }
      ran = &lane(queue->guest);
      job = take(*queue);
    }
    job();
  }
}

}  // namespace lode
