#include "base/worker_pool.h"

#include <algorithm>
#include <utility>

namespace lode {

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_limit, std::size_t most)
    : queue_limit_(queue_limit), most_(most) {
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < threads; ++i) add_thread();
}

void WorkerPool::add_thread() {
  threads_.emplace_back([this] { run(); });
  ++running_;
}

void WorkerPool::tick() {
  const Lock lock(mutex_);
  const bool stuck = !queue_.empty() && begun_ == begun_at_tick_;
  begun_at_tick_ = begun_;
  if (!stuck || ending_) return;
  const std::size_t wanted = std::min(most_, 2 * threads_.size());
  while (threads_.size() < wanted) add_thread();
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

bool WorkerPool::submit(std::function<void()> job) {
  {
    const Lock lock(mutex_);
    if (ending_ || queue_.size() >= queue_limit_) return false;
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

void WorkerPool::run() {
  for (;;) {
    std::function<void()> job;
    {
      const Lock lock(mutex_);
      while (queue_.empty() && !ending_) wake_.wait(mutex_);
      if (queue_.empty()) {
        --running_;
        ended_.notify_all();
        return;
      }
      job = std::move(queue_.front());
      queue_.pop_front();
      ++begun_;
    }
    job();
  }
}

}  // namespace lode
