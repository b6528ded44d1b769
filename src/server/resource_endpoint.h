// GET /mcp/resource?uri=…: any address, for whoever has HTTP and no MCP.
//
//   {"content","encoding","frontmatter","type","path","uri","ext","size",…}
//   &raw=1   the bytes themselves, whole or in part (Range)
//
// It is read by the engine like every resource, for the caller that the router found out; so
// policy, exposure, cache and the record of it are the same. Refusals are JSON that names the
// address: {"error","uri","message"}. Where a provider fails and a file stands behind the
// address, the file is read instead, by its own address and with its own check.
//
// The route runs on the HTTP server's thread and does not block; the work is a worker's.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/worker_pool.h"
#include "server/resource_body.h"
#include "server/server.h"
#include "transport/http_router.h"

namespace lode {

class ResourceEndpoint {
 public:
  static constexpr std::string_view kPath = "/mcp/resource";

  // REQUIRES: server and pool outlive the endpoint.
  ResourceEndpoint(Server& server, WorkerPool& pool, ResourceFiles files)
      : server_(server), pool_(pool), files_(std::move(files)) {}

  // For the router. REQUIRES: the endpoint outlives it.
  HttpRoute route();

  // Answers what has run past its deadline.
  void tick(std::chrono::steady_clock::time_point now) LODE_EXCLUDES(mutex_);

 private:
  class Request;  // one on its way
  struct Found;

  void handle(HttpContext context) LODE_EXCLUDES(mutex_);
  void run(Request& request) const;
  Result<Found> read(const Exchange& exchange, std::string_view uri) const;
  Result<Found> read_file_instead(const Exchange& exchange, std::string_view uri,
                                  Error failure) const;
  std::string shown_path(const Principal& who, std::string_view uri) const;
  void answer_json(Request& request, const Found& found) const;
  static void answer_raw(Request& request, const Found& found);

  Server& server_;
  WorkerPool& pool_;
  const ResourceFiles files_;
  Mutex mutex_;
  std::vector<std::weak_ptr<Request>> active_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
