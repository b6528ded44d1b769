// Loads a server over HTTP with connections that stay open.
#pragma once

#include <netinet/in.h>

#include <memory>

#include "driver.h"
#include "http_reader.h"

namespace lode::bench {

// http://127.0.0.1:7345/mcp; an address, not a name.
struct Url {
  sockaddr_in address{};
  std::string authority;
  std::string path;

  static Url parse(const std::string& text);
};

// The request line and the headers that all requests share.
std::string head_of(const Url& url);
// The whole request.
std::string post(const std::string& head, std::string_view method, Era era,
                 const std::string& session, const std::optional<std::string>& name,
                 std::string_view body);
// A socket that is connecting, or -1.
int begin_connect(const Url& url);

class HttpDriver : public Driver {
 public:
  HttpDriver(Process& process, const ServerSpec& spec, Era era);
  ~HttpDriver() override;
  HttpDriver(const HttpDriver&) = delete;
  HttpDriver& operator=(const HttpDriver&) = delete;

  Nanoseconds greet() override;
  void run(Round& round) override;
  void rest() override;

 private:
  struct Connection {
    int fd = -1;
    std::string out;
    bool answered = false;
    bool busy = false;
    std::uint64_t id = 0;
    Nanoseconds sent = 0;
    HttpReader reader;
  };

  // Blocks until the answer has come.
  Nanoseconds call(std::string_view method, std::string_view body);
  void await_listener();
  void clear();
  void open(Connection& connection);
  void close(Connection& connection);
  void issue(Connection& connection, Round& round, Nanoseconds at);
  void transmit(Connection& connection);
  void push(Connection& connection);
  void step();
  void receive(Connection& connection);
  void lost(Connection& connection);
  void finished(Connection& connection);

  Process& process_;
  const Url url_;
  const Era era_;
  const std::string head_;
  std::string session_;
  int epoll_ = -1;
  std::string buffer_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Round* round_ = nullptr;
  std::size_t busy_ = 0;
  std::string answer_;  // to a call
};

}  // namespace lode::bench
