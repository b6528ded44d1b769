#include "server/in_flight.h"

#include "server/call.h"

namespace lode {

bool InFlight::begin(const std::string& id, const std::shared_ptr<Call>& call) {
  Lock lock(mutex_);
  const bool begun = calls_.emplace(id, call).second;
  if (begun) ++open_;
  return begun;
}

void InFlight::free_id(const std::string& id) {
  Lock lock(mutex_);
  calls_.erase(id);
}

void InFlight::end(const std::string& id, const Call* call) {
  Lock lock(mutex_);
  --open_;
  const auto found = calls_.find(id);  // of a later call, if free_id() was called
  if (found != calls_.end() && found->second.lock().get() == call) calls_.erase(found);
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
  return open_ == 0;
}

}  // namespace lode
