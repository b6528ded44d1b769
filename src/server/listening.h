// One open `subscriptions/listen` of a modern client.
//
// Invariants:
//  (1) The acknowledgement is the first message; changes that come before it
//      wait.
//  (2) Every message carries the id of the request as the subscription's id.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "engine/events.h"
#include "server/call.h"
#include "server/listeners.h"

namespace lode {

class Listening {
 public:
  explicit Listening(const std::shared_ptr<Call>& call) : call_(call), id_(call->message().id) {}

  void deliver(const Change& change, std::string_view uri) LODE_EXCLUDES(mutex_);
  void acknowledge(const Listeners::Lists& lists, const std::vector<std::string>& uris)
      LODE_EXCLUDES(mutex_);

 private:
  void send(std::string message);

  const std::weak_ptr<Call> call_;
  const std::string id_;  // JSON text
  Mutex mutex_;
  bool acknowledged_ LODE_GUARDED_BY(mutex_) = false;
  std::vector<std::string> waiting_ LODE_GUARDED_BY(mutex_);
};

// The notification for a change, in any era. With a subscription id (JSON
// text), it carries that.
std::string change_text(const Change& change, std::string_view uri, std::string_view subscription);

}  // namespace lode
