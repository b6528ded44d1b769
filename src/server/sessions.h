// The sessions of legacy HTTP clients, by id: bounded, and gone after a while
// of silence. Any thread.
//
// Guests have a part of them (guest_part). Where there is no room, the session
// goes that is idle and was not used for the longest time, a guest's before
// another's; its client, told that it is gone, initializes again. A session whose
// credential was revoked is gone for everybody.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/principal.h"
#include "server/session.h"

namespace lode {

struct SessionLimits {
  std::size_t count = 1000;
  std::chrono::milliseconds idle{std::chrono::minutes(30)};
};

class Sessions {
 public:
  explicit Sessions(SessionLimits limits) : limits_(limits) {}

  struct Added {
    bool done = false;                  // false: all others are in use
    std::shared_ptr<Session> replaced;  // taken out for it; may be null
  };
  Added add(const std::shared_ptr<Session>& session) LODE_EXCLUDES(mutex_);
  // Null: no such session of that caller. A session is its owner's with the roles and
  // scopes that it was begun with: what it kept for them is not for the same name with
  // others, and what it subscribes to is asked for them.
  std::shared_ptr<Session> find(std::string_view id, const Principal& who) LODE_EXCLUDES(mutex_);
  void remove(const std::string& id) LODE_EXCLUDES(mutex_);

  // Takes out, and gives back, the sessions that nobody has used for a while, and
  // those whose credential was revoked. A session with an open stream is in use.
  std::vector<std::shared_ptr<Session>> expire(std::chrono::steady_clock::time_point now)
      LODE_EXCLUDES(mutex_);
  std::vector<std::shared_ptr<Session>> take_all() LODE_EXCLUDES(mutex_);
  std::size_t count() const LODE_EXCLUDES(mutex_);

 private:
  using Map = std::unordered_map<std::string, std::shared_ptr<Session>>;

  // The idle session that was not used for the longest time; the end: there is none.
  Map::iterator oldest_idle(bool guest) LODE_REQUIRES(mutex_);
  std::shared_ptr<Session> take(Map::iterator at) LODE_REQUIRES(mutex_);

  const SessionLimits limits_;
  mutable Mutex mutex_;
  Map sessions_ LODE_GUARDED_BY(mutex_);
  std::size_t guests_ LODE_GUARDED_BY(mutex_) = 0;  // of these
};

}  // namespace lode
