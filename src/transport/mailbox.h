// Work for the one thread that runs an io_context, from any thread, in order.
//
// What one thread puts in before another is run before it, even when the second
// is the io thread itself: it may skip the queue only while the queue is empty.
// A plain post() would not keep that order, nor survive the io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <memory>

#include "base/mutex.h"

namespace lode {

class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  // REQUIRES: io is alive until close().
  explicit Mailbox(boost::asio::io_context& io) : io_(&io) {}

  // Runs the work: at once on the io thread if nothing waits, else later there.
  // After close() it is dropped.
  template <class Work>
  void run(Work work) {
    if (may_run_now()) {
      work();
    } else {
      // A std::function wants work that can be copied; this cannot.
      later([owned = std::make_shared<Work>(std::move(work))] { (*owned)(); });
    }
  }

  // Runs the work on the io thread, never inside this call.
  void later(std::function<void()> work) LODE_EXCLUDES(mutex_);

  // Drops what waits and all that comes.
  void close() LODE_EXCLUDES(mutex_);

 private:
  bool may_run_now() LODE_EXCLUDES(mutex_);
  void schedule() LODE_REQUIRES(mutex_);
  void drain() LODE_EXCLUDES(mutex_);
  std::function<void()> take() LODE_EXCLUDES(mutex_);

  Mutex mutex_;
  boost::asio::io_context* io_ LODE_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> queue_ LODE_GUARDED_BY(mutex_);
  bool scheduled_ LODE_GUARDED_BY(mutex_) = false;
};

}  // namespace lode
