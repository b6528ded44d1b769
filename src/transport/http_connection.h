// One connection of an HttpServer, from accept to close.
//
// All of it runs on the server's thread. A connection is in one phase:
//
//   reading ──whole request──▶ replying ──open()──▶ streaming
//      ▲                          │ send()             │ close()
//      │                          ▼                    ▼
//      └──────all written────── finishing ◀────────────┘
//                                  │ last response, or a refused request
//                                  ▼
//                              lingering ──▶ closed
//
// Invariants:
//  (1) At most one wait for readability and one for writability are under way;
//      what a wake-up means is decided by the phase it finds.
//  (2) Calls from handles carry the number of their request; a call for any
//      other than the current one is void.
//  (3) The handler is called from the reading loop only, never inside a call of
//      the handler's own; callbacks of on_close come through the mailbox. So a
//      caller may hold a lock while it writes.
//  (4) A closed connection does not touch its host.
//
// While a reply is awaited the peer's bytes stay in the kernel. Its end is
// noticed by the wait for readability or, when unread bytes hide it, by the
// sweep. A stream's peer that sends FIN is gone; a plain request's may have shut
// down its sending side only, and has HttpLimits::half_closed for its answer.
//
// When the last response is written, the sending side is shut down and what the
// client still sends is read and dropped for a while: closing at once would
// reset the connection and take the answer away from the client.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http_output.h"
#include "transport/http_parse.h"
#include "transport/http_reply.h"
#include "transport/http_server.h"

namespace lode {

// What the connections of one server share. The counters may be read from any
// thread, the rest belongs to the server's.
struct HttpHost {
  HttpHost(boost::asio::io_context& context, HttpLimits given_limits, HttpHandler given_handler,
           HttpPayer given_payer);

  void add(std::shared_ptr<HttpConnection> connection);
  void remove(HttpConnection& connection);

  boost::asio::io_context& io;
  const HttpLimits limits;
  const HttpHandler handler;
  const HttpPayer payer;
  const std::shared_ptr<Mailbox> mailbox;
  HttpClock clock;
  bool stopping = false;                    // no connection is kept for another request
  std::vector<std::function<void()>> done;  // run when stopping and no connection is left
  std::vector<std::shared_ptr<HttpConnection>> connections;
  std::array<char, 64 * 1024> buffer;  // every read goes here first

  std::atomic<std::uint64_t> connections_open{0};
  std::atomic<std::uint64_t> connections_total{0};
  std::atomic<std::uint64_t> connections_refused{0};
  std::atomic<std::uint64_t> connections_replaced{0};
  std::atomic<std::uint64_t> streams_open{0};
  std::atomic<std::uint64_t> readers_shed{0};
  std::atomic<std::uint64_t> requests_malformed{0};
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp,
                                                  boost::asio::io_context::executor_type>;
  using Time = std::chrono::steady_clock::time_point;

  HttpConnection(Socket socket, HttpHost& host);

  // Serves requests.
  void start();
  // Instead of start(): answers 503 and closes.
  void turn_away();
  // Looks at the deadlines; called every so often.
  void tick(Time now);
  // Closes the connection if it waits for a request, or for the rest of one.
  void close_if_unasked();
  // Closes at once. Callbacks of on_close run if a reply was awaited.
  void close();

  // What HttpReply and HttpStream ask for.
  void send(std::uint64_t request, HttpResponse response);
  void open(std::uint64_t request, const HttpHeaders& headers);
  void write(std::uint64_t request, std::string bytes, MemoryCharge charge);
  void finish(std::uint64_t request);
  void on_close(std::uint64_t request, std::function<void()> gone);
  // True if the peer went away while that request waited for its answer.
  bool lost(std::uint64_t request) const { return lost_ && request == request_; }
  std::optional<uid_t> peer_uid();
  void trust() { trusted_ = true; }

  // How readily the connection is closed to make room, the smaller the sooner; of
  // equals the one that did something last. Nothing: not at all.
  struct Worth {
    int rank = 0;
    Time active;
    auto operator<=>(const Worth&) const = default;
  };
  std::optional<Worth> worth() const;

 private:
  friend struct HttpHost;
  enum class Phase : std::uint8_t { reading, replying, streaming, finishing, lingering, closed };

  bool awaits_reply() const { return phase_ == Phase::replying || phase_ == Phase::streaming; }

  void wait_readable();
  void wait_writable();
  void on_readable();

  void read_request();
  void take_bytes(std::string_view fresh);
  bool parse(std::string_view fresh);
  bool after_parse(HttpParser::Step step);
  bool count_body();
  void serve_waiting();
  void dispatch();
  void refuse(int status, std::string why, HttpHeaders headers = {});
  void respond(HttpResponse response);

  void watch_peer();
  void poll_peer(Time now);
  void on_peer_end(Time now);
  void expire();
  bool stalls(Time now) const;

  void flush();
  void shed();
  void complete();
  void linger();
  void drain();

  Socket socket_;
  HttpHost& host_;
  std::unique_ptr<HttpParser> parser_;  // while a request is being read
  std::string input_;                   // received and not yet parsed
  HttpOutput output_;
  std::vector<std::function<void()>> gone_;
  Time deadline_ = Time::max();
  Time last_write_;
  Time active_;                                   // when the last request came, or the connection
  std::optional<std::optional<uid_t>> peer_uid_;  // once it was asked for
  std::uint64_t request_ = 0;
  std::size_t largest_write_ = 0;  // since all was last written
  std::size_t drained_ = 0;
  std::size_t index_ = 0;  // in host_.connections
  Phase phase_ = Phase::reading;
  bool waiting_read_ = false;
  bool waiting_write_ = false;
  bool in_loop_ = false;
  bool unwatched_ = false;  // unread bytes or a FIN: only the sweep sees the rest
  bool ended_ = false;      // the peer sent FIN while a reply was awaited
  bool lost_ = false;       // closed while a reply was awaited
  bool keep_alive_ = false;
  bool http10_ = false;
  bool head_only_ = false;
  bool trusted_ = false;
};

}  // namespace lode
