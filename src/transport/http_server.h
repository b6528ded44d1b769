// An HTTP/1.1 server: sockets, request parsing, limits, and nothing of MCP.
//
// One thread runs the io_context; every handler is called on it and must not
// block. HttpReply and HttpStream may be used from any thread: they post what
// they are given to that thread. Each connection serves one request at a time,
// in order; pipelined requests wait.
//
// Invariants:
//  (1) A connection never parses a byte of the next request before the reply to
//      the last one is complete.
//  (2) Every request is answered exactly once: a dropped HttpReply answers 500.
//  (3) No buffer grows without a bound: head, body, and what waits to be written
//      to a slow reader are limited; past the limit the connection is closed.
//      What a charge counts (Payload::charge) is counted until it is written.
//  (4) An idle stream holds no read or write buffer.
//  (5) A request whose framing could be read two ways (Transfer-Encoding and
//      Content-Length, a repeated or list-valued Content-Length, any
//      Transfer-Encoding but exactly "chunked", obs-fold, a bare CR or LF, a
//      missing or repeated Host) is answered 400 and the connection closed.
//  (6) A new client gets in: over the limit of connections the one that waits for
//      a request for the longest time is closed, else the oldest stream, else the
//      oldest request; never one that HttpReply::trust() was called for.
#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "transport/http_reply.h"

namespace lode {

struct HttpLimits {
  std::size_t head_bytes = 32 * 1024;
  std::size_t body_bytes = 4 * 1024 * 1024;
  std::size_t uncounted_bytes = 64 * 1024;  // of a body that arrives; see HttpPayer
  std::size_t connections = 20'000;
  std::size_t pending_bytes = 1024 * 1024;  // waiting to be written to one slow reader
  // No progress in writing while memory runs short (MemoryShare::pressed).
  std::chrono::milliseconds stalled{std::chrono::seconds(2)};
  std::chrono::milliseconds idle{std::chrono::seconds(75)};  // between requests
  std::chrono::milliseconds read{
      std::chrono::seconds(20)};  // from a request's first byte to its last
  std::chrono::milliseconds write{std::chrono::seconds(30)};       // no progress in writing
  std::chrono::milliseconds keep_alive{std::chrono::seconds(15)};  // comment on a quiet stream
  // For the plain reply to a client that has sent FIN: it may have shut down its
  // sending side only, or be gone.
  std::chrono::milliseconds half_closed{500};
};

struct HttpRequest {
  std::string method;   // as sent
  std::string path;     // before '?', still percent-encoded
  std::string query;    // after '?', still percent-encoded
  HttpHeaders headers;  // names in lower case, values trimmed
  std::string body;
  MemoryCharge charge;  // of a long body; see HttpPayer

  // The value of the first header of that (lower-case) name, or null.
  const std::string* header(std::string_view name) const;
  // How many headers have that (lower-case) name.
  std::size_t count(std::string_view name) const;
};

using HttpHandler = std::function<void(HttpRequest, HttpReply)>;

// Whose memory the body of a request takes while it arrives, told by its head.
// Bodies up to HttpLimits::uncounted_bytes are not counted; a client whose share is
// used up is answered 503 before its body is whole. On the server's thread.
using HttpPayer = std::function<MemoryShare&(const HttpRequest& head)>;

// Numbers for the metrics; each may be read from any thread.
struct HttpCounts {
  std::uint64_t connections_open = 0;
  std::uint64_t connections_total = 0;
  std::uint64_t connections_refused = 0;   // over the limit, and none could be closed
  std::uint64_t connections_replaced = 0;  // closed to make room
  std::uint64_t streams_open = 0;
  std::uint64_t readers_shed = 0;  // closed because they did not read
  std::uint64_t requests_malformed = 0;
};

// Listens and serves. Construct, listen() as often as needed, then run the
// io_context. REQUIRES: the io_context outlives the server and is run by one
// thread; the server is destroyed when that thread has stopped, or on it but not
// inside the handler.
class HttpServer {
 public:
  // payer: may be missing, and nothing is counted.
  HttpServer(boost::asio::io_context& io, HttpLimits limits, HttpHandler handler,
             HttpPayer payer = {});
  // Closes everything at once; callbacks that wait are dropped.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // address is "127.0.0.1:7345", "[::1]:0", "localhost:7345". Answers the port
  // in use. Before the io_context runs, or on its thread.
  Result<std::uint16_t> listen(std::string_view address);

  // Stops accepting, closes connections without a whole request at once, lets
  // running requests finish and closes the rest after the grace; then calls done,
  // once, on the server's thread. Streams are left to their owners until the grace is over.
  // From any thread.
  void shutdown(std::chrono::milliseconds grace, std::function<void()> done);

  HttpCounts counts() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace lode
