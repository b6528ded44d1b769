#include "http_driver.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace lode::bench {
namespace {

constexpr std::size_t kBuffer = 1 << 18;
constexpr useconds_t kProbePause = 250;  // microseconds between looks for a listener

}  // namespace

Url Url::parse(const std::string& text) {
  const std::string scheme = "http://";
  const auto slash = text.find('/', scheme.size());
  const auto colon = text.find(':', scheme.size());
  if (!text.starts_with(scheme) || slash == std::string::npos || colon > slash) {
    die(text + " is not such a URL as http://127.0.0.1:7345/mcp");
  }
  Url url;
  url.authority = text.substr(scheme.size(), slash - scheme.size());
  url.path = text.substr(slash);
  url.address.sin_family = AF_INET;
  url.address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(text.c_str() + colon + 1)));
  ::inet_pton(AF_INET, text.substr(scheme.size(), colon - scheme.size()).c_str(),
              &url.address.sin_addr);
  return url;
}

std::string head_of(const Url& url) {
  return "POST " + url.path + " HTTP/1.1\r\nHost: " + url.authority +
         "\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\n";
}

std::string post(const std::string& head, std::string_view method, Era era,
                 const std::string& session, const std::optional<std::string>& name,
                 std::string_view body) {
  std::string out = head;
  if (method != "initialize") {
    out.append("MCP-Protocol-Version: ").append(protocol_version(era)).append("\r\n");
  }
  if (era == Era::modern) out.append("Mcp-Method: ").append(method).append("\r\n");
  if (era == Era::modern && name) out.append("Mcp-Name: ").append(*name).append("\r\n");
  if (!session.empty()) out.append("Mcp-Session-Id: ").append(session).append("\r\n");
  out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return out.append(body);
}

int begin_connect(const Url& url) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die(std::string("socket: ") + std::strerror(errno));
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* address = reinterpret_cast<const sockaddr*>(&url.address);
  if (::connect(fd, address, sizeof url.address) == 0 || errno == EINPROGRESS) return fd;
  ::close(fd);
  return -1;
}

HttpDriver::HttpDriver(Process& process, const ServerSpec& spec, Era era)
    : process_(process),
      url_(Url::parse(spec.url)),
      era_(era),
      head_(head_of(url_)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      buffer_(kBuffer, '\0') {}

HttpDriver::~HttpDriver() {
  clear();
  ::close(epoll_);
}

void HttpDriver::await_listener() {
  const auto until = now() + static_cast<Nanoseconds>(kPatience * 1e9);
  while (now() < until) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool open =
        ::connect(fd, reinterpret_cast<const sockaddr*>(&url_.address), sizeof url_.address) == 0;
    ::close(fd);
    if (open) return;
    if (process_.ended()) die(process_.name() + " ended while it started");
    ::usleep(kProbePause);
  }
  die(process_.name() + " does not listen on " + url_.authority);
}

Nanoseconds HttpDriver::greet() {
  await_listener();
  const Nanoseconds at = call(hello_method(era_), hello(era_));
  if (!read_answer(answer_).result) die(process_.name() + " refused: " + answer_);
  session_ = connections_[0]->reader.session();
  if (!after_hello(era_).empty()) call("notifications/initialized", after_hello(era_));
  return at;
}

Nanoseconds HttpDriver::call(std::string_view method, std::string_view body) {
  if (connections_.empty()) connections_.push_back(std::make_unique<Connection>());
  auto& connection = *connections_[0];
  answer_.clear();
  connection.out = post(head_, method, era_, session_, std::nullopt, body);
  connection.id = kFirstId;
  transmit(connection);
  while (connection.busy) step();
  return now();
}

void HttpDriver::run(Round& round) {
  round_ = &round;
  while (connections_.size() < round.phase().connections) {
    connections_.push_back(std::make_unique<Connection>());
  }
  const Nanoseconds at = now();
  for (std::size_t i = 0; i < round.phase().connections; ++i) issue(*connections_[i], round, at);
  while (busy_ > 0) step();
  round_ = nullptr;
}

void HttpDriver::rest() { clear(); }

void HttpDriver::clear() {
  for (auto& connection : connections_) close(*connection);
  connections_.clear();
}

void HttpDriver::open(Connection& connection) {
  connection.fd = begin_connect(url_);
  if (connection.fd < 0) die(process_.name() + ": " + std::strerror(errno));
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLET;
  event.data.ptr = &connection;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd, &event);
}

void HttpDriver::close(Connection& connection) {
  if (connection.fd >= 0) ::close(connection.fd);
  connection.fd = -1;
}

void HttpDriver::issue(Connection& connection, Round& round, Nanoseconds at) {
  if (!round.open(at)) return;
  const auto next = round.next();
  const auto& request = round.request();
  connection.id = next.id;
  connection.out = post(head_, request.method(), era_, session_, request.name(next.n),
                        request.body(next.id, next.n));
  connection.sent = at;
  transmit(connection);
}

void HttpDriver::transmit(Connection& connection) {
  connection.reader.reset();
  connection.answered = false;
  connection.busy = true;
  ++busy_;
  if (connection.fd < 0) return open(connection);  // sent when it is connected
  push(connection);
}

void HttpDriver::push(Connection& connection) {
  while (!connection.out.empty()) {
    const ssize_t sent =
        ::send(connection.fd, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == ENOTCONN)) return;
    if (sent < 0) return lost(connection);
    connection.out.erase(0, static_cast<std::size_t>(sent));
  }
}

void HttpDriver::step() {
  epoll_event events[64];
  const int count = ::epoll_wait(epoll_, events, 64, static_cast<int>(kPatience * 1000));
  if (count == 0) die(process_.name() + " does not answer");
  for (int i = 0; i < count; ++i) {
    auto& connection = *static_cast<Connection*>(events[i].data.ptr);
    if (connection.fd >= 0 && (events[i].events & EPOLLOUT) != 0) push(connection);
    if (connection.fd >= 0 && (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
      receive(connection);
    }
  }
}

void HttpDriver::receive(Connection& connection) {
  while (connection.fd >= 0) {
    const ssize_t length = ::recv(connection.fd, buffer_.data(), buffer_.size(), 0);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length <= 0) return lost(connection);
    const Nanoseconds at = now();
    const auto on_message = [&](std::string_view text) {
      if (connection.answered || !read_answer(text).method.empty()) return;
      connection.answered = true;
      if (round_ == nullptr) {
        answer_ = text;
      } else {
        round_->take(text, connection.id, connection.sent, at);
      }
    };
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(length));
    if (!connection.reader.feed(bytes, on_message)) die(process_.name() + " answers no HTTP");
    if (connection.reader.done()) return finished(connection);
    if (bytes.size() < buffer_.size()) return;
  }
}

void HttpDriver::lost(Connection& connection) {
  close(connection);
  if (connection.busy) die(process_.name() + " closed a connection without an answer");
}

void HttpDriver::finished(Connection& connection) {
  connection.busy = false;
  --busy_;
  if (connection.reader.closes()) close(connection);
  if (round_ == nullptr) return;
  if (!connection.answered) {
    round_->fail("status " + std::to_string(connection.reader.status()) + " " +
                 connection.reader.body().substr(0, 200));
  }
  issue(connection, *round_, now());
}

}  // namespace lode::bench
