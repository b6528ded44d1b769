// The /mcp endpoint: Streamable HTTP in both eras.
//
// Decides the era of each request, holds headers against the body, finds or
// makes legacy sessions, and hands requests to the server. Its route runs on the
// HTTP server's thread and does not block.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "server/server.h"
#include "server/sessions.h"
#include "transport/http_router.h"

namespace lode {

class Endpoint {
 public:
  // REQUIRES: the server outlives the endpoint.
  Endpoint(Server& server, SessionLimits limits) : server_(server), sessions_(limits) {}

  // For the router. REQUIRES: the endpoint outlives it.
  HttpRoute route();

  // Ends sessions that nobody uses, or may use any more.
  void tick(std::chrono::steady_clock::time_point now);
  // Ends the sessions' own streams; what runs may finish.
  void close();
  std::size_t sessions() const { return sessions_.count(); }

 private:
  struct Post;  // a POST on its way

  void handle(HttpContext context);
  void post(HttpContext context);
  bool parse(Post& post);
  void post_modern(Post& post, Message message);
  void post_legacy(Post& post, Message message);
  void post_batch(Post& post);
  void initialize(Post& post, const Message& message);
  void begin(Post& post, Message message, const std::shared_ptr<Outlet>& outlet);
  bool find_session(Post& post, std::string_view id_of_request);
  void get(HttpContext context);
  void remove(HttpContext context);

  Server& server_;
  Sessions sessions_;
};

}  // namespace lode
