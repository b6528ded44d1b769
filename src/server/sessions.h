// The sessions of legacy HTTP clients, by id: bounded, and gone after a while
// of silence. Any thread.
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

  // False: there are too many. The caller makes room by expire().
  bool add(const std::shared_ptr<Session>& session) LODE_EXCLUDES(mutex_);
  // Null: no such session of that caller.
  std::shared_ptr<Session> find(std::string_view id, const Principal& who) LODE_EXCLUDES(mutex_);
  void remove(const std::string& id) LODE_EXCLUDES(mutex_);

  // Takes out, and gives back, the sessions that nobody has used for a while.
  // A session with an open stream is in use.
  std::vector<std::shared_ptr<Session>> expire(std::chrono::steady_clock::time_point now)
      LODE_EXCLUDES(mutex_);
  std::vector<std::shared_ptr<Session>> take_all() LODE_EXCLUDES(mutex_);
  std::size_t count() const LODE_EXCLUDES(mutex_);

 private:
  const SessionLimits limits_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
