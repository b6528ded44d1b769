#include "transport/http_server.h"

#include <algorithm>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <charconv>
#include <utility>

#include "transport/http_connection.h"

namespace lode {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::steady_clock;
using Executor = asio::io_context::executor_type;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
using Timer = asio::basic_waitable_timer<steady_clock, asio::wait_traits<steady_clock>, Executor>;

constexpr std::chrono::milliseconds kSweep{250};
// Out of descriptors or memory: others must close before we can accept.
constexpr std::chrono::milliseconds kAcceptPause{100};
// Clients over the limit that are told so; more are closed without a word.
constexpr std::size_t kTurnedAway = 64;
// Connections that wait for a request and are closed together to make room, so that
// not every new client costs a look at all of them.
constexpr std::size_t kReplaced = 64;

Result<tcp::endpoint> parse_address(std::string_view address) {
  auto wrong = [&] {
    return invalid("'" + std::string(address) +
                   "' is not an address to listen on; write 127.0.0.1:7345, [::1]:7345 or "
                   "localhost:7345");
  };
  std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  std::string_view host = address.substr(0, colon);
  std::string_view digits = address.substr(colon + 1);
  std::uint16_t port = 0;
  auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (failed != std::errc() || end != digits.data() + digits.size()) return wrong();
  if (host == "localhost") return tcp::endpoint(asio::ip::address_v4::loopback(), port);
  bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  error_code ec;
  auto ip = asio::ip::make_address(std::string(host), ec);
  if (ec || ip.is_v6() != bracketed) return wrong();
  return tcp::endpoint(ip, port);
}

Error explain(const error_code& ec, std::string_view address) {
  std::string where(address);
  if (ec == asio::error::address_in_use) {
    return {Code::unavailable,
            where +
                " is in use by another program: stop it, or choose another port "
                "(port 0 takes a free one)",
            {}};
  }
  if (ec == asio::error::access_denied) {
    return {Code::denied, "may not listen on " + where + ": choose a port above 1023", {}};
  }
  if (ec == boost::system::errc::address_not_available) {
    return invalid("cannot listen on " + where + ": this machine has no such address");
  }
  return internal("cannot listen on " + where + ": " + ec.message());
}

// Nothing of the accepting side is at fault; the next client may do better.
bool is_clients_fault(const error_code& ec) {
  return ec == asio::error::connection_aborted || ec == asio::error::connection_reset;
}

struct Listener {
  explicit Listener(asio::io_context& io) : acceptor(io.get_executor()), pause(io.get_executor()) {}

  void close() {
    error_code ignored;
    acceptor.close(ignored);
    pause.cancel();
  }

  Acceptor acceptor;
  Timer pause;
};

error_code open_listener(Listener& listener, const tcp::endpoint& endpoint) {
  error_code ec;
  listener.acceptor.open(endpoint.protocol(), ec);
  if (!ec) listener.acceptor.set_option(Acceptor::reuse_address(true), ec);
  if (!ec) listener.acceptor.bind(endpoint, ec);
  if (!ec) listener.acceptor.listen(Acceptor::max_listen_connections, ec);
  return ec;
}

}  // namespace

// The server behind its handle. Handlers of Asio hold it weakly: they may run
// after it is gone.
struct HttpServer::State : HttpHost, std::enable_shared_from_this<State> {
  State(asio::io_context& context, HttpLimits given_limits, HttpHandler given_handler,
        HttpPayer given_payer)
      : HttpHost(context, given_limits, std::move(given_handler), std::move(given_payer)),
        sweep_timer(context.get_executor()),
        grace_timer(context.get_executor()) {}

  void accept(const std::shared_ptr<Listener>& listener);
  void pause(const std::shared_ptr<Listener>& listener);
  void welcome(HttpConnection::Socket socket);
  void make_room();
  void sweep();
  void stop(std::chrono::milliseconds grace, std::function<void()> callback);
  void close_connections();
  void abandon();

  std::vector<std::shared_ptr<Listener>> listeners;
  Timer sweep_timer;
  Timer grace_timer;
  bool sweeping = false;
};

void HttpServer::State::accept(const std::shared_ptr<Listener>& listener) {
  listener->acceptor.async_accept(
      [weak = weak_from_this(), listener](error_code ec, HttpConnection::Socket socket) {
        auto self = weak.lock();
        if (!self || self->stopping) return;
        if (ec && !is_clients_fault(ec)) {
          self->make_room();
          return self->pause(listener);
        }
        if (!ec) self->welcome(std::move(socket));
        self->accept(listener);
      });
}

void HttpServer::State::pause(const std::shared_ptr<Listener>& listener) {
  listener->pause.expires_after(kAcceptPause);
  listener->pause.async_wait([weak = weak_from_this(), listener](error_code ec) {
    auto self = weak.lock();
    if (!ec && self && !self->stopping) self->accept(listener);
  });
}

void HttpServer::State::make_room() {
  using Candidate = std::pair<HttpConnection::Worth, HttpConnection*>;
  std::vector<Candidate> candidates;
  for (const auto& connection : connections) {
    if (const auto worth = connection->worth()) candidates.emplace_back(*worth, connection.get());
  }
  const std::size_t some = std::min({kReplaced, limits.connections / 8 + 1, candidates.size()});
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(some),
                    candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < some; ++i) {
    if (i > 0 && candidates[i].first.rank > 0) break;  // of those in use one at a time
    ++connections_replaced;
    candidates[i].second->close();
  }
}

void HttpServer::State::welcome(HttpConnection::Socket socket) {
  if (connections.size() >= limits.connections) make_room();
  bool full = connections.size() >= limits.connections;
  if (full) ++connections_refused;
  if (full && connections.size() >= limits.connections + kTurnedAway) return;
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  auto connection = std::make_shared<HttpConnection>(std::move(socket), *this);
  add(connection);
  if (!sweeping) sweep();
  if (full) return connection->turn_away();
  ++connections_total;
  connection->start();
}

// Runs while there are connections; an idle server is not woken.
void HttpServer::State::sweep() {
  sweeping = !connections.empty();
  if (!sweeping) return;
  sweep_timer.expires_after(kSweep);
  sweep_timer.async_wait([weak = weak_from_this()](error_code ec) {
    auto self = weak.lock();
    if (ec || !self) return;
    auto now = steady_clock::now();
    // From the back: a connection that closes gives its place to one already seen.
    for (std::size_t i = self->connections.size(); i-- > 0;) {
      auto connection = self->connections[i];
      connection->tick(now);
    }
    self->sweep();
  });
}

void HttpServer::State::stop(std::chrono::milliseconds grace, std::function<void()> callback) {
  stopping = true;
  for (auto& listener : std::exchange(listeners, {})) listener->close();
  for (std::size_t i = connections.size(); i-- > 0;) {
    auto connection = connections[i];
    connection->close_if_unasked();
  }
  if (connections.empty()) return mailbox->later(std::move(callback));
  done.push_back(std::move(callback));
  done.push_back([weak = weak_from_this()] {
    auto self = weak.lock();
    if (!self) return;
    self->grace_timer.cancel();
    self->sweep_timer.cancel();
  });
  grace_timer.expires_after(grace);
  grace_timer.async_wait([weak = weak_from_this()](error_code ec) {
    auto self = weak.lock();
    if (!ec && self) self->close_connections();
  });
}

void HttpServer::State::close_connections() {
  while (!connections.empty()) {
    auto connection = connections.back();
    connection->close();
  }
}

void HttpServer::State::abandon() {
  mailbox->close();
  for (auto& listener : std::exchange(listeners, {})) listener->close();
  close_connections();
}

HttpServer::HttpServer(asio::io_context& io, HttpLimits limits, HttpHandler handler,
                       HttpPayer payer)
    : state_(std::make_shared<State>(io, limits, std::move(handler), std::move(payer))) {}

HttpServer::~HttpServer() { state_->abandon(); }

Result<std::uint16_t> HttpServer::listen(std::string_view address) {
  auto endpoint = parse_address(address);
  if (!endpoint) return std::move(endpoint).error();
  auto listener = std::make_shared<Listener>(state_->io);
  error_code ec = open_listener(*listener, *endpoint);
  if (ec) return explain(ec, address);
  std::uint16_t port = listener->acceptor.local_endpoint(ec).port();
  if (ec) return explain(ec, address);
  state_->listeners.push_back(listener);
  state_->accept(listener);
  return port;
}

void HttpServer::shutdown(std::chrono::milliseconds grace, std::function<void()> done) {
  state_->mailbox->run([weak = std::weak_ptr(state_), grace, done = std::move(done)]() mutable {
    if (auto state = weak.lock()) state->stop(grace, std::move(done));
  });
}

HttpCounts HttpServer::counts() const {
  return {.connections_open = state_->connections_open,
          .connections_total = state_->connections_total,
          .connections_refused = state_->connections_refused,
          .connections_replaced = state_->connections_replaced,
          .streams_open = state_->streams_open,
          .readers_shed = state_->readers_shed,
          .requests_malformed = state_->requests_malformed};
}

}  // namespace lode
