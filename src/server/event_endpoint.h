// GET /events?uri=A&uri=B…: what changes at these addresses, for whoever has HTTP and no MCP.
//
//   data: {"uri":"…","version":"…"}
//
// A stream of server-sent events. Each address is told as soon as the stream is open, with the
// version that it has then, so that who comes back learns what was missed; and once after each
// change. The version is null if the address cannot be read: nothing is there, or nothing that
// the caller may know of. An address that nobody can listen to is told once, with an "error".
//
// An event names the address as the caller spelled it. Its version is found out by reading the
// address through the engine, on a worker, so that policy, exposure and record are those of every
// read, and who reads it next finds it in the cache. When the policy, the exposure list or the
// catalog is another, all addresses are read again, and those that differ are told.
//
// Invariants:
//  (1) What is told of a change was read after the change.
//  (2) The last change of an address is told, unless the stream ends. Of several that come while
//      one waits to be read, one event is made.
//  (3) For one stream one worker works at a time, on one address; then others get their turn.
//      What waits is a mark at each address.
//  (4) A stream ends when its client goes, when its credential ends (base/grants.h), and at
//      close(); then nobody listens to its addresses any more.
//
// The route runs on the HTTP server's thread and does not block. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "base/worker_pool.h"
#include "engine/listed_page.h"
#include "server/server.h"
#include "transport/http_router.h"

namespace lode {

class EventEndpoint {
 public:
  static constexpr std::string_view kPath = "/events";
  static constexpr std::size_t kMostAddresses = 100;  // of one stream

  // REQUIRES: server and pool outlive the endpoint.
  EventEndpoint(Server& server, WorkerPool& pool) : server_(server), pool_(pool) {}

  // For the router. REQUIRES: the endpoint outlives it.
  HttpRoute route();

  // Ends streams whose credential has ended; reads again what could not be read, and everything
  // if it may be read otherwise now. By one thread.
  void tick() LODE_EXCLUDES(mutex_);
  // Ends all streams; no other begins.
  void close() LODE_EXCLUDES(mutex_);
  std::size_t streams() const LODE_EXCLUDES(mutex_);

 private:
  class Stream;
  using Streams = std::unordered_set<std::shared_ptr<Stream>>;

  void handle(HttpContext context) LODE_EXCLUDES(mutex_);
  bool add(const std::shared_ptr<Stream>& stream) LODE_EXCLUDES(mutex_);
  void end(const std::shared_ptr<Stream>& stream) LODE_EXCLUDES(mutex_);
  std::vector<std::shared_ptr<Stream>> all() const LODE_EXCLUDES(mutex_);
  bool may_read_otherwise();

  Server& server_;
  WorkerPool& pool_;
  mutable Mutex mutex_;
  Streams streams_ LODE_GUARDED_BY(mutex_);
  bool closed_ LODE_GUARDED_BY(mutex_) = false;
  // tick() alone: what decided at the last one.
  std::shared_ptr<const Policy> policy_;
  ListedPage made_under_;
};

}  // namespace lode
