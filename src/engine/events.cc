#include "engine/events.h"

#include <utility>
#include <vector>

namespace lode {

Events::Subscription::Subscription(Subscription&& other) noexcept
    : events_(std::exchange(other.events_, nullptr)), id_(other.id_) {}

Events::Subscription& Events::Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    end();
    events_ = std::exchange(other.events_, nullptr);
    id_ = other.id_;
  }
  return *this;
}

Events::Subscription::~Subscription() { end(); }

void Events::Subscription::end() {
  if (events_ != nullptr) std::exchange(events_, nullptr)->remove(id_);
}

Events::Subscription Events::listen(Listener listener) {
  Lock lock(mutex_);
  const auto id = next_id_++;
  listeners_.emplace(id, std::make_shared<const Listener>(std::move(listener)));
  return {this, id};
}

void Events::publish(const Change& change) {
  Lock one_at_a_time(publishing_);
  std::vector<std::shared_ptr<const Listener>> listeners;
  {
    Lock lock(mutex_);
    listeners.reserve(listeners_.size());
    for (const auto& [id, listener] : listeners_) listeners.push_back(listener);
  }
  for (const auto& listener : listeners) (*listener)(change);
}

void Events::remove(std::uint64_t id) {
  Lock lock(mutex_);
  listeners_.erase(id);
}

}  // namespace lode
