// Serves an engine over stdio and HTTP until told to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/result.h"
#include "engine/engine.h"
#include "server/activity.h"
#include "server/resource_body.h"
#include "server/server.h"
#include "server/sessions.h"
#include "transport/http_router.h"

namespace lode {

struct ServeOptions {
  ServerOptions server;
  bool stdio = true;
  std::string http;   // "127.0.0.1:7345"; empty: none
  std::string token;  // who sends it is "owner"; empty: nobody can
  // The token as it is now, if it may change (server/callers.h); may block. Any thread.
  std::function<std::optional<std::string>()> current_token;
  // Told when the port is bound, if one is wanted, and before anything is served. port: 0
  // without HTTP.
  std::function<void(std::uint16_t port)> bound = [](std::uint16_t) {};
  // Adds more paths, if HTTP is served.
  std::function<void(HttpRouter&)> add_routes = [](HttpRouter&) {};
  HttpLimits http_limits;
  HttpGuard http_guard;
  SessionLimits sessions;
  std::size_t workers = 4;
  std::size_t queue = 1024;
  std::size_t memory_bytes = std::size_t{256} << 20;         // base/memory_budget.h
  std::size_t line_bytes = std::size_t{4} << 20;             // of one message on the pipe
  std::size_t stdout_bytes = std::size_t{64} << 20;          // for a client that does not read
  std::chrono::milliseconds grace{std::chrono::seconds(5)};  // for what runs, at the end
  // From the first word of stopping to the end of the process, whatever hangs.
  std::chrono::milliseconds end{std::chrono::seconds(15)};
};

// What is served; everything outlives the call.
struct ServeParts {
  const Engine& engine;
  Events& events;
  Cache& cache;
  PolicySource& policy;
  std::atomic<std::uint64_t>& tokens_served;
  Activity& activity;
  AccessLog& access;  // what the engine tells its requests to
  Log& log;
  // Told when the end begins: what goes on behind the answers should stop. Must not
  // block; any thread, and once.
  std::function<void()> stopping = [] {};
  // Looks whether what is offered is to be another, and makes it so; true: it is. May
  // block. Called now and then, by one thread at a time.
  std::function<bool()> look_at_offer = [] { return false; };
  ResourceFiles files{};  // for GET /mcp/resource
};

// Serves until the end of standard input, SIGINT or SIGTERM. Blocks. The error
// says why it could not start. From the end on the process has ServeOptions::end to
// take everything down; then it leaves, with status 0. A second signal ends it at
// once, also after this has returned (stop_signals.h).
Status serve(const ServeParts& parts, const ServeOptions& options);

}  // namespace lode
