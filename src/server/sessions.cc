#include "server/sessions.h"

#include <utility>

namespace lode {

bool Sessions::add(const std::shared_ptr<Session>& session) {
  Lock lock(mutex_);
  if (sessions_.size() >= limits_.count) return false;
  sessions_.emplace(session->id, session);
  return true;
}

std::shared_ptr<Session> Sessions::find(std::string_view id, const Principal& who) {
  Lock lock(mutex_);
  auto found = sessions_.find(std::string(id));
  if (found == sessions_.end() || found->second->owner.name != who.name) return nullptr;
  found->second->touch(std::chrono::steady_clock::now());
  return found->second;
}

void Sessions::remove(const std::string& id) {
  Lock lock(mutex_);
  sessions_.erase(id);
}

std::vector<std::shared_ptr<Session>> Sessions::expire(std::chrono::steady_clock::time_point now) {
  std::vector<std::shared_ptr<Session>> gone;
  Lock lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    auto& session = at->second;
    if (session->standing_stream()->attached() || !session->in_flight.empty()) session->touch(now);
    if (now - session->used() < limits_.idle) {
      ++at;
      continue;
    }
    gone.push_back(std::move(session));
    at = sessions_.erase(at);
  }
  return gone;
}

std::vector<std::shared_ptr<Session>> Sessions::take_all() {
  std::vector<std::shared_ptr<Session>> all;
  Lock lock(mutex_);
  all.reserve(sessions_.size());
  for (auto& [id, session] : sessions_) all.push_back(std::move(session));
  sessions_.clear();
  return all;
}

std::size_t Sessions::count() const {
  Lock lock(mutex_);
  return sessions_.size();
}

}  // namespace lode
