// Puts the parts together and serves until told to stop.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "engine/events.h"
#include "server/server.h"
#include "server/sessions.h"
#include "transport/http.h"

namespace lode {

struct ServeOptions {
  ServerOptions server;
  bool stdio = true;
  std::string http;  // "127.0.0.1:7345"; empty: none
  HttpLimits http_limits;
  HttpGuard http_guard;
  SessionLimits sessions;
  std::size_t workers = 4;
  std::size_t queue = 1024;
  std::size_t line_bytes = 4 * 1024 * 1024;     // of one message on the pipe
  std::size_t stdout_bytes = 64 * 1024 * 1024;  // waiting for a client that does not read
  std::chrono::milliseconds grace{std::chrono::seconds(5)};  // for what runs, at the end
};

// Serves the catalog's providers until the end of standard input, SIGINT or
// SIGTERM. Blocks. The error says why it could not start.
Status serve(const Catalog& catalog, Events& events, const ServeOptions& options, Log& log);

}  // namespace lode
