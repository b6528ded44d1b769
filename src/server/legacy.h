// What the two edges share for clients of the legacy era.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/call.h"
#include "server/session.h"

namespace lode {

// A call ready to be dispatched. Without a session the client is served
// statelessly in the given revision.
std::shared_ptr<Call> open_legacy(std::shared_ptr<const JsonDocument> document, Message message,
                                  std::shared_ptr<Session> session, Revision revision,
                                  const Principal& who, std::shared_ptr<Outlet> outlet);

// A notification or a response of a client with a session.
void take_legacy(const Message& message, Session& session);

// Registers the call under its id until it is answered. False: the id is in
// use, and the call has been told so.
bool admit(const std::shared_ptr<Call>& call, InFlight& in_flight,
           const std::shared_ptr<void>& keeps_alive);

// The id that `notifications/cancelled` names, as JSON text; empty if none.
std::string cancelled_id(const Message& message);

// Whether an array may be a batch: not empty, and no element claims a version
// of its own, for those that can have none.
bool good_batch(JsonView batch);

// Collects the answers of a batch (2025-03-26) and gives them back as one
// array when the last is there. Each is counted in the memory budget while it
// waits, so a batch that asks for too much has errors among its answers. Any
// thread.
class Batch : public std::enable_shared_from_this<Batch> {
 public:
  // size: how many messages it has. begin() is called once for each.
  Batch(std::shared_ptr<Outlet> outlet, std::size_t size)
      : outlet_(std::move(outlet)), open_(size) {}

  // The outlet of one message of the batch. One that is dropped without an
  // answer, as a notification's is, counts as answered by nothing.
  std::shared_ptr<Outlet> begin();

 private:
  class Part;
  void done(Payload body) LODE_EXCLUDES(mutex_);

  const std::shared_ptr<Outlet> outlet_;
  Mutex mutex_;
  std::size_t open_ LODE_GUARDED_BY(mutex_);
  std::vector<Payload> answers_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
