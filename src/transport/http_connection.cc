#include "transport/http_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

#include "transport/peer_uid.h"

namespace lode {

namespace {

using boost::system::error_code;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kLinger{2};
constexpr std::size_t kDrained = 1024 * 1024;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view kQuietComment = ": \n\n";

HttpResponse plain_text(int status, std::string why, HttpHeaders headers = {}) {
  headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  why += '\n';
  return {status, std::move(headers), std::move(why)};
}

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

HttpHost::HttpHost(boost::asio::io_context& context, HttpLimits given_limits,
                   HttpHandler given_handler, HttpPayer given_payer)
    : io(context),
      limits(given_limits),
      handler(std::move(given_handler)),
      payer(std::move(given_payer)),
      mailbox(std::make_shared<Mailbox>(context)) {}

void HttpHost::add(std::shared_ptr<HttpConnection> connection) {
  connection->index_ = connections.size();
  connections.push_back(std::move(connection));
  ++connections_open;
}

void HttpHost::remove(HttpConnection& connection) {
  std::size_t index = connection.index_;
  assert(connections[index].get() == &connection);
  std::swap(connections[index], connections.back());
  connections[index]->index_ = index;
  connections.pop_back();
  --connections_open;
  if (!stopping || !connections.empty()) return;
  for (auto& callback : std::exchange(done, {})) mailbox->later(std::move(callback));
}

HttpConnection::HttpConnection(Socket socket, HttpHost& host)
    : socket_(std::move(socket)), host_(host) {}

void HttpConnection::start() {
  active_ = steady_clock::now();
  deadline_ = active_ + host_.limits.idle;
  wait_readable();
}

void HttpConnection::turn_away() {
  refuse(503, "too many connections; try again in a moment", {{"Retry-After", "1"}});
}

// --- waiting -----------------------------------------------------------------

void HttpConnection::wait_readable() {
  if (waiting_read_ || phase_ == Phase::closed) return;
  waiting_read_ = true;
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](error_code ec) {
    self->waiting_read_ = false;
    if (self->phase_ == Phase::closed) return;
    ec ? self->close() : self->on_readable();
  });
}

void HttpConnection::wait_writable() {
  if (waiting_write_ || phase_ == Phase::closed) return;
  waiting_write_ = true;
  socket_.async_wait(Socket::wait_write, [self = shared_from_this()](error_code ec) {
    self->waiting_write_ = false;
    if (self->phase_ == Phase::closed) return;
    ec ? self->close() : self->flush();
  });
}

void HttpConnection::on_readable() {
  switch (phase_) {
    case Phase::reading: return read_request();
    case Phase::replying:
    case Phase::streaming: return watch_peer();
    case Phase::lingering: return drain();
    case Phase::finishing:
    case Phase::closed: return;
  }
}

// --- requests ----------------------------------------------------------------

void HttpConnection::read_request() {
  ssize_t got =
      recv(socket_.native_handle(), host_.buffer.data(), host_.buffer.size(), MSG_DONTWAIT);
  if (got > 0) return take_bytes({host_.buffer.data(), static_cast<std::size_t>(got)});
  if (got < 0 && would_block()) return wait_readable();
  close();
}

// The reading loop: parses and serves what is there, one request after another,
// as long as each is answered at once.
void HttpConnection::take_bytes(std::string_view fresh) {
  in_loop_ = true;
  bool whole = parse(fresh);
  while (whole) {
    dispatch();
    whole = phase_ == Phase::reading && !input_.empty() && parse({});
  }
  in_loop_ = false;
  if (host_.stopping) close_if_unasked();
  if (phase_ != Phase::finishing) wait_readable();
}

// True when a request is whole. What follows it stays in input_, so that nothing
// points into the shared buffer when the handler runs.
bool HttpConnection::parse(std::string_view fresh) {
  if (!parser_) {
    parser_ = std::make_unique<HttpParser>(host_.limits);
    deadline_ = steady_clock::now() + host_.limits.read;
  }
  std::size_t used = 0;
  HttpParser::Step step;
  if (input_.empty()) {
    step = parser_->feed(fresh, used);
    if (used < fresh.size()) input_.assign(fresh.substr(used));
  } else {
    input_.append(fresh);
    step = parser_->feed(input_, used);
    input_.erase(0, used);
  }
  if (input_.empty()) std::string().swap(input_);
  return after_parse(step);
}

bool HttpConnection::after_parse(HttpParser::Step step) {
  if (step == HttpParser::Step::refused) {
    ++host_.requests_malformed;
    HttpRefusal refusal = parser_->refusal();
    refuse(refusal.status, std::move(refusal.why));
    return false;
  }
  if (!count_body()) {
    refuse(503, "too much arrives at once; try again in a moment", {{"Retry-After", "1"}});
    return false;
  }
  if (step == HttpParser::Step::more && parser_->take_continue() && input_.empty()) {
    output_.push(std::string(kContinue));
    flush();
  }
  return step == HttpParser::Step::done;
}

// False: whose it is has no memory left.
bool HttpConnection::count_body() {
  HttpRequest& request = parser_->request();
  if (!host_.payer || request.body.size() <= host_.limits.uncounted_bytes) return true;
  auto* share = request.charge.share();
  if (share == nullptr) {
    share = &host_.payer(request);
    request.charge = MemoryCharge(*share, 0);
  }
  request.charge.become(request.body.capacity());
  return share->fits();
}

void HttpConnection::serve_waiting() {
  if (phase_ == Phase::reading && !in_loop_ && !input_.empty()) take_bytes({});
}

void HttpConnection::dispatch() {
  HttpRequest request = std::move(parser_->request());
  keep_alive_ = parser_->keep_alive();
  http10_ = parser_->http10();
  head_only_ = request.method == "HEAD";
  parser_.reset();
  phase_ = Phase::replying;
  active_ = steady_clock::now();
  deadline_ = Time::max();
  unwatched_ = ended_ = false;
  ++request_;
  host_.handler(std::move(request), HttpReply({host_.mailbox, weak_from_this(), request_}));
}

void HttpConnection::refuse(int status, std::string why, HttpHeaders headers) {
  parser_.reset();
  std::string().swap(input_);
  keep_alive_ = head_only_ = false;
  respond(plain_text(status, std::move(why), std::move(headers)));
}

// --- replies -----------------------------------------------------------------

void HttpConnection::send(std::uint64_t request, HttpResponse response) {
  if (request != request_ || phase_ != Phase::replying) return;
  gone_.clear();
  respond(std::move(response));
}

void HttpConnection::respond(HttpResponse response) {
  keep_alive_ = keep_alive_ && !host_.stopping && !http_wants_close(response.headers);
  bool bodiless = response.status == 204 || response.status == 304;
  output_.push(http_head({.status = response.status,
                          .headers = response.headers,
                          .framing = bodiless ? HttpFraming::none : HttpFraming::length,
                          .length = response.body.size(),
                          .keep_alive = keep_alive_,
                          .http10 = http10_,
                          .date = host_.clock.date()}));
  if (!bodiless && !head_only_) {
    output_.push(std::move(response.body));
  }
  phase_ = Phase::finishing;
  flush();
}

void HttpConnection::open(std::uint64_t request, const HttpHeaders& headers) {
  if (request != request_ || phase_ != Phase::replying) return;
  keep_alive_ = keep_alive_ && !host_.stopping && !http10_ && !http_wants_close(headers);
  output_.push(http_head({.headers = headers,
                          .framing = http10_ ? HttpFraming::until_close : HttpFraming::chunked,
                          .keep_alive = keep_alive_,
                          .http10 = http10_,
                          .date = host_.clock.date()}));
  last_write_ = steady_clock::now();
  deadline_ = Time::max();
  if (head_only_) {
    gone_.clear();
    phase_ = Phase::finishing;
    return flush();
  }
  phase_ = Phase::streaming;
  ++host_.streams_open;
  ended_ ? close() : flush();
}

void HttpConnection::write(std::uint64_t request, std::string bytes, MemoryCharge charge) {
  if (request != request_ || phase_ != Phase::streaming || bytes.empty()) return;
  largest_write_ = std::max(largest_write_, bytes.size());
  last_write_ = steady_clock::now();
  if (http10_) {
    output_.push(std::move(bytes), std::move(charge));
  } else {
    output_.push(http_chunk_size(bytes.size()));
    output_.push(std::move(bytes));
    output_.push("\r\n", std::move(charge));
  }
  flush();
  if (phase_ != Phase::streaming || output_.pending() == 0) return;
  // One write may be larger than the limit: it is what waits behind it that counts.
  const bool too_much = output_.pending() > host_.limits.pending_bytes + largest_write_;
  const auto* share = output_.share();
  if (too_much || (share != nullptr && !share->within())) shed();
}

void HttpConnection::finish(std::uint64_t request) {
  if (request != request_ || phase_ != Phase::streaming) return;
  gone_.clear();
  --host_.streams_open;
  phase_ = Phase::finishing;
  if (!http10_) output_.push(std::string("0\r\n\r\n"));
  flush();
}

void HttpConnection::on_close(std::uint64_t request, std::function<void()> gone) {
  if (request == request_ && awaits_reply()) gone_.push_back(std::move(gone));
}

// --- writing -----------------------------------------------------------------

void HttpConnection::flush() {
  if (waiting_write_ || phase_ == Phase::closed) return;
  switch (output_.flush(socket_.native_handle())) {
    case HttpOutput::Step::broken: return close();
    case HttpOutput::Step::blocked:
      if (phase_ != Phase::reading) deadline_ = steady_clock::now() + host_.limits.write;
      return wait_writable();
    case HttpOutput::Step::done: break;
  }
  largest_write_ = 0;
  if (phase_ == Phase::streaming) deadline_ = Time::max();
  if (phase_ == Phase::finishing) complete();
}

void HttpConnection::shed() {
  ++host_.readers_shed;
  close();
}

// The response is written: on to the next request, or to the end.
void HttpConnection::complete() {
  if (!keep_alive_ || host_.stopping) return linger();
  phase_ = Phase::reading;
  deadline_ = steady_clock::now() + host_.limits.idle;
  if (in_loop_) return;
  if (input_.empty()) return wait_readable();
  host_.mailbox->later([weak = weak_from_this()] {
    if (auto self = weak.lock()) self->serve_waiting();
  });
}

// --- the end -----------------------------------------------------------------

void HttpConnection::watch_peer() {
  char byte;
  ssize_t got = recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (got < 0) return would_block() ? wait_readable() : close();
  unwatched_ = true;
  if (got == 0) on_peer_end(steady_clock::now());
}

void HttpConnection::poll_peer(Time now) {
  pollfd peer{socket_.native_handle(), POLLRDHUP, 0};
  if (poll(&peer, 1, 0) <= 0) return;
  if ((peer.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return close();
  if (!ended_) on_peer_end(now);
}

void HttpConnection::on_peer_end(Time now) {
  ended_ = true;
  if (phase_ == Phase::streaming) return close();
  deadline_ = now + host_.limits.half_closed;
}

void HttpConnection::tick(Time now) {
  if (unwatched_ && awaits_reply()) poll_peer(now);
  if (phase_ == Phase::streaming && now - last_write_ >= host_.limits.keep_alive) {
    write(request_, std::string(kQuietComment), {});
  }
  if (stalls(now)) return shed();
  if (phase_ != Phase::closed && now >= deadline_) expire();
}

void HttpConnection::expire() {
  if (phase_ == Phase::reading && parser_) {
    ++host_.requests_malformed;
    return refuse(408, "the request did not arrive in time");
  }
  if (output_.pending() > 0) return shed();
  close();
}

// Whether what waits for a client that takes nothing is memory that others need.
bool HttpConnection::stalls(Time now) const {
  if (phase_ == Phase::closed || deadline_ == Time::max()) return false;
  const auto* share = output_.share();
  if (share == nullptr || now < deadline_ - host_.limits.write + host_.limits.stalled) return false;
  return share->pressed();
}

// What was pipelined behind the last request and not parsed yet may hold a whole one.
void HttpConnection::close_if_unasked() {
  if (phase_ == Phase::reading && (parser_ || input_.empty())) close();
}

std::optional<HttpConnection::Worth> HttpConnection::worth() const {
  if (trusted_ || phase_ == Phase::closed) return std::nullopt;
  const bool waits = phase_ == Phase::reading || phase_ == Phase::lingering;
  return Worth{waits ? 0 : (phase_ == Phase::replying ? 2 : 1), active_};
}

std::optional<uid_t> HttpConnection::peer_uid() {
  if (!peer_uid_) peer_uid_ = lode::peer_uid(socket_.native_handle());
  return *peer_uid_;
}

void HttpConnection::linger() {
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  std::string().swap(input_);
  phase_ = Phase::lingering;
  deadline_ = steady_clock::now() + kLinger;
  if (!in_loop_) wait_readable();
}

void HttpConnection::drain() {
  ssize_t got =
      recv(socket_.native_handle(), host_.buffer.data(), host_.buffer.size(), MSG_DONTWAIT);
  if (got > 0) drained_ += static_cast<std::size_t>(got);
  bool more = got > 0 ? drained_ <= kDrained : got < 0 && would_block();
  more ? wait_readable() : close();
}

void HttpConnection::close() {
  if (phase_ == Phase::closed) return;
  auto self = shared_from_this();
  lost_ = awaits_reply();
  if (phase_ == Phase::streaming) --host_.streams_open;
  phase_ = Phase::closed;
  error_code ignored;
  socket_.close(ignored);
  for (auto& callback : std::exchange(gone_, {})) host_.mailbox->later(std::move(callback));
  host_.remove(*this);
}

}  // namespace lode
