#include "store/feed_thread.h"

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cstdint>

namespace lode {

FeedThread::~FeedThread() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

Status FeedThread::start() {
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  if (!wake_.is_open()) {
    return Error{Code::unavailable, "no descriptor to hear of others' changes", {}};
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  return {};
}

void FeedThread::run(const std::stop_token& stop) {
  std::array<pollfd, 2> wait = {{{listener_.descriptor(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
  bool well = true;
  while (!stop.stop_requested()) {
    if (::poll(wait.data(), wait.size(), -1) <= 0 || stop.stop_requested()) continue;
    // A drain silences the bell first; after an error the next tick wakes us.
    auto drained = listener_.drain();
    if (!drained && well) {
      log_.warning("cannot hear of others' changes", {{"problem", drained.error().message}});
    }
    well = drained.ok();
  }
}

}  // namespace lode
