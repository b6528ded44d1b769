// A server on a thread of its own and a client that sends raw bytes, for tests.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "transport/http_server.h"

namespace lode {

// Far more than anything here takes; only a failing test waits so long.
inline constexpr std::chrono::seconds kPatience{30};

// True once the condition holds; false if it does not within kPatience.
inline bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// Something that happens once, on another thread.
class Signal {
 public:
  void set() { promise_.set_value(); }
  bool wait() { return future_.wait_for(kPatience) == std::future_status::ready; }
  bool is_set() const {
    return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

 private:
  std::promise<void> promise_;
  std::future<void> future_ = promise_.get_future();
};

class TestServer {
 public:
  explicit TestServer(HttpHandler handler, HttpLimits limits = {}, HttpPayer payer = {})
      : server_(std::in_place, io_, limits, std::move(handler), std::move(payer)) {
    auto port = server_->listen("127.0.0.1:0");
    if (port) port_ = *port;
    thread_ = std::thread([this] { io_.run(); });
  }
  ~TestServer() {
    io_.stop();
    thread_.join();
    server_.reset();
  }

  HttpServer& operator*() { return *server_; }
  HttpServer* operator->() { return &*server_; }
  std::uint16_t port() const { return port_; }

  // Returns when the server has done what there was to do: its thread has asked the
  // kernel at least once for what arrived, and dealt with it.
  void catch_up() {
    for (int turn = 0; turn < 3; ++turn) {
      Signal done;
      boost::asio::post(io_, [&] { done.set(); });
      done.wait();
    }
  }

 private:
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      io_.get_executor()};
  std::optional<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

struct ClientResponse {
  int status = 0;
  std::string head;
  std::string body;

  bool has(std::string_view header) const { return head.find(header) != std::string::npos; }
};

class TestClient {
 public:
  explicit TestClient(std::uint16_t port, int receive_buffer = 0) : TestClient() {
    if (receive_buffer > 0) {
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    connect_to(port);
  }
  TestClient() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    timeval patience{kPatience.count(), 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~TestClient() { close(); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool connect_to(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }

  // False if the server did not take all of it.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void end_sending() { shutdown(socket_, SHUT_WR); }

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  // Closes with RST.
  void reset() {
    linger hard{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
  }

  // Reads until the text has come; answers all up to its end.
  std::string read_past(std::string_view text) {
    std::size_t at;
    while ((at = input_.find(text)) == std::string::npos) {
      if (!receive()) return {};
    }
    return take(at + text.size());
  }

  std::string read_bytes(std::size_t count) {
    while (input_.size() < count) {
      if (!receive()) return {};
    }
    return take(count);
  }

  // Everything until the server closes.
  std::string read_all() {
    while (receive()) {
    }
    return take(input_.size());
  }

  // One chunk's bytes; empty for the last chunk.
  std::string read_chunk() {
    std::string size = read_past("\r\n");
    std::string bytes = read_bytes(std::strtoul(size.c_str(), nullptr, 16) + 2);
    return bytes.substr(0, bytes.size() < 2 ? 0 : bytes.size() - 2);
  }

  // A head only: of a stream, or the answer to HEAD.
  ClientResponse read_head() {
    ClientResponse response;
    response.head = read_past("\r\n\r\n");
    if (response.head.size() > 12) response.status = std::atoi(response.head.c_str() + 9);
    return response;
  }

  // A head and the body that its Content-Length announces.
  ClientResponse read_response() {
    constexpr std::string_view kLength = "Content-Length: ";
    ClientResponse response = read_head();
    std::size_t at = response.head.find(kLength);
    if (at == std::string::npos) return response;
    response.body =
        read_bytes(std::strtoul(response.head.c_str() + at + kLength.size(), nullptr, 10));
    return response;
  }

  ClientResponse get(std::string_view path) {
    send("GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n\r\n");
    return read_response();
  }

 private:
  bool receive() {
    char buffer[16 * 1024];
    ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    input_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }

  std::string take(std::size_t count) {
    std::string out = input_.substr(0, count);
    input_.erase(0, count);
    return out;
  }

  int socket_;
  std::string input_;
};

// Answers "METHOD path?query body".
inline void echo(HttpRequest request, HttpReply reply) {
  std::string text = request.method + " " + request.path;
  if (!request.query.empty()) text += "?" + request.query;
  if (!request.body.empty()) text += " " + request.body;
  reply.send({200, {{"Content-Type", "text/plain"}}, std::move(text)});
}

}  // namespace lode
