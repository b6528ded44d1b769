#include "base/rest.h"

#include <utility>

namespace lode {

void Rest::take(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] {
    const Lock lock(mutex_);
    changed_.notify_all();
  });
  const auto until = std::chrono::steady_clock::now() + time_;
  const Lock lock(mutex_);
  while (!ended_ && !stop.stop_requested() && changed_.wait_until(mutex_, until)) {
  }
}

void Rest::end() {
  const Lock lock(mutex_);
  if (!std::exchange(ended_, true)) changed_.notify_all();
}

}  // namespace lode
