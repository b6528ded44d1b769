#include "transport/mailbox.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace lode {

namespace {

// Sockets get a turn after so many pieces of work.
constexpr int kWorkPerTurn = 256;

}  // namespace

bool Mailbox::may_run_now() {
  Lock lock(mutex_);
  return io_ != nullptr && queue_.empty() && io_->get_executor().running_in_this_thread();
}

void Mailbox::later(std::function<void()> work) {
  Lock lock(mutex_);
  if (io_ == nullptr) return;
  queue_.push_back(std::move(work));
  if (!scheduled_) schedule();
}

void Mailbox::close() {
  // Destroyed after the lock is released: work may own what calls us back.
  std::deque<std::function<void()>> dropped;
  Lock lock(mutex_);
  io_ = nullptr;
  dropped.swap(queue_);
}

void Mailbox::schedule() {
  scheduled_ = true;
  boost::asio::post(*io_, [self = shared_from_this()] { self->drain(); });
}

void Mailbox::drain() {
  for (int i = 0; i < kWorkPerTurn; ++i) {
    std::function<void()> work = take();
    if (!work) break;
    work();
  }
  Lock lock(mutex_);
  scheduled_ = false;
  if (!queue_.empty()) schedule();
}

std::function<void()> Mailbox::take() {
  Lock lock(mutex_);
  if (queue_.empty()) return nullptr;
  std::function<void()> work = std::move(queue_.front());
  queue_.pop_front();
  return work;
}

}  // namespace lode
