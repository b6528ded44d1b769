#include "server/sessions.h"

#include <utility>

#include "base/grants.h"

namespace lode {
namespace {

bool idle(Session& session) {
  return !session.standing_stream()->attached() && session.in_flight.empty();
}

}  // namespace

Sessions::Map::iterator Sessions::oldest_idle(bool guest) {
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    Session& session = *at->second;
    if (session.owner.guest() != guest || !idle(session)) continue;
    if (oldest == sessions_.end() || session.used() < oldest->second->used()) oldest = at;
  }
  return oldest;
}

std::shared_ptr<Session> Sessions::take(Map::iterator at) {
  auto session = std::move(at->second);
  guests_ -= session->owner.guest() ? 1 : 0;
  sessions_.erase(at);
  return session;
}

Sessions::Added Sessions::add(const std::shared_ptr<Session>& session) {
  Added added;
  const bool guest = session->owner.guest();
  Lock lock(mutex_);
  const bool crowded = guest && guests_ >= guest_part(limits_.count);
  if (crowded || sessions_.size() >= limits_.count) {
    auto oldest = oldest_idle(true);
    if (oldest == sessions_.end() && !guest) oldest = oldest_idle(false);
    if (oldest == sessions_.end()) return added;
    added.replaced = take(oldest);
  }
  guests_ += guest ? 1 : 0;
  sessions_.emplace(session->id, session);
  added.done = true;
  return added;
}

std::shared_ptr<Session> Sessions::find(std::string_view id, const Principal& who) {
  Lock lock(mutex_);
  auto found = sessions_.find(std::string(id));
  if (found == sessions_.end() || found->second->owner.audience() != who.audience()) {
    return nullptr;
  }
  if (revoked(found->second->owner)) return nullptr;
  found->second->touch(std::chrono::steady_clock::now());
  return found->second;
}

void Sessions::remove(const std::string& id) {
  Lock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found != sessions_.end()) take(found);
}

std::vector<std::shared_ptr<Session>> Sessions::expire(std::chrono::steady_clock::time_point now) {
  std::vector<std::shared_ptr<Session>> gone;
  Lock lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const auto here = at++;
    Session& session = *here->second;
    if (!idle(session)) session.touch(now);
    const bool unused = now - session.used() >= limits_.idle;
    if (unused || revoked(session.owner)) gone.push_back(take(here));
  }
  return gone;
}

std::vector<std::shared_ptr<Session>> Sessions::take_all() {
  std::vector<std::shared_ptr<Session>> all;
  Lock lock(mutex_);
  all.reserve(sessions_.size());
  while (!sessions_.empty()) all.push_back(take(sessions_.begin()));
  return all;
}

std::size_t Sessions::count() const {
  Lock lock(mutex_);
  return sessions_.size();
}

}  // namespace lode
