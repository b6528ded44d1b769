// The requests of one client that have no answer yet, by id, so that the client
// can cancel them and cannot use an id twice at once. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace lode {

class Call;

class InFlight {
 public:
  // False: another request with this id has no answer yet.
  bool begin(const std::string& id, const std::shared_ptr<Call>& call) LODE_EXCLUDES(mutex_);
  // The answer is about to be sent: another request may have the id from now on.
  void free_id(const std::string& id) LODE_EXCLUDES(mutex_);
  // The answer was sent, or there will be none. REQUIRES: begin() was true for this call.
  void end(const std::string& id, const Call* call) LODE_EXCLUDES(mutex_);
  // Unknown ids are ignored: the answer may have crossed the cancellation.
  void cancel(std::string_view id) LODE_EXCLUDES(mutex_);
  void cancel_all() LODE_EXCLUDES(mutex_);
  // Whether nothing is left to be sent.
  bool empty() LODE_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, std::weak_ptr<Call>, std::less<>> calls_ LODE_GUARDED_BY(mutex_);
  std::size_t open_ LODE_GUARDED_BY(mutex_) = 0;  // begun and not ended, with or without their id
};

}  // namespace lode
