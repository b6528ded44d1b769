#include "server/in_flight.h"

#include "server/call.h"

namespace lode {

bool InFlight::begin(const std::string& id, const std::shared_ptr<Call>& call) {
  Lock lock(mutex_);
  return calls_.emplace(id, call).second;
}

void InFlight::end(const std::string& id) {
  Lock lock(mutex_);
  calls_.erase(id);
}

void InFlight::cancel(std::string_view id) {
  std::shared_ptr<Call> call;
  {
    Lock lock(mutex_);
    auto found = calls_.find(id);
    if (found != calls_.end()) call = found->second.lock();
  }
  if (call) call->cancel();
}

void InFlight::cancel_all() {
  std::map<std::string, std::weak_ptr<Call>, std::less<>> calls;
  {
    Lock lock(mutex_);
    calls = calls_;
  }
  for (auto& [id, weak] : calls) {
    if (auto call = weak.lock()) call->cancel();
  }
}

bool InFlight::empty() {
  Lock lock(mutex_);
  return calls_.empty();
}

}  // namespace lode
