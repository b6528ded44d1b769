// The /mcp endpoint: Streamable HTTP in both eras.
//
// Decides the era of each request, holds headers against the body, finds or
// makes legacy sessions, and hands requests to the server. handle() runs on the
// HTTP server's thread and does not block.
#pragma once

#include <functional>
#include <memory>

#include "server/server.h"
#include "server/sessions.h"
#include "transport/http.h"

namespace lode {

class Endpoint {
 public:
  // Who the caller of a request is. The error is what a caller is told whose
  // credential is wrong, or who needs one.
  using Identify = std::function<Result<Principal>(const HttpContext&)>;

  // REQUIRES: the server outlives the endpoint.
  Endpoint(Server& server, SessionLimits limits, Identify identify);

  static constexpr std::string_view kMethods = "POST, GET, DELETE";

  void handle(HttpContext context);

  // Ends sessions that nobody uses.
  void tick(std::chrono::steady_clock::time_point now);
  // Ends the sessions' own streams; what runs may finish.
  void close();
  std::size_t sessions() const { return sessions_.count(); }

 private:
  struct Post;  // a POST on its way

  void post(HttpContext context, const Principal& who);
  bool parse(Post& post);
  void post_modern(Post& post, Message message);
  void post_legacy(Post& post, Message message);
  void post_batch(Post& post);
  void initialize(Post& post, const Message& message);
  void begin(Post& post, Message message, const std::shared_ptr<Outlet>& outlet);
  bool find_session(Post& post, std::string_view id_of_request);
  void get(HttpContext context, const Principal& who);
  void remove(HttpContext context, const Principal& who);

  Server& server_;
  Sessions sessions_;
  const Identify identify_;
};

}  // namespace lode
