// One HTTP request and its response, read as it comes: a body of known length,
// or chunks, and in them server-sent events. A connection for each.
//
// Deliberately not the program's own HTTP code: this is the other side.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "channel.h"

namespace lode::transcripts {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  std::string path;
  Headers headers;
  std::string body;
};

class HttpExchange {
 public:
  // Connects to the port on loopback and sends. Host and Content-Length are
  // added unless they are given.
  static Result<std::unique_ptr<HttpExchange>> start(std::uint16_t port, const Request& request);
  ~HttpExchange() { hang_up(); }
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  // The socket, or -1 when there is nothing more to read.
  int descriptor() const { return fd_; }
  // Reads what is there; blocks if nothing is.
  void receive();
  // The client goes away.
  void hang_up();

  bool has_head() const { return status_ != 0; }
  bool complete() const { return complete_; }
  // False: the server closed the connection before the response was whole.
  bool broken() const { return fd_ < 0 && !complete_; }
  int status() const { return status_; }
  const std::string& body() const { return body_; }
  // Every value of the header of that (lower-case) name.
  std::vector<std::string> headers(std::string_view name) const;
  bool streams() const { return streams_; }

  // Messages that came and were not taken yet. Events without data are among
  // them, with empty text.
  std::deque<Arrived> messages;
  std::string last_event;
  std::optional<int> retry;

 private:
  explicit HttpExchange(int fd) : fd_(fd) {}

  bool parse_head();
  bool parse_body();
  bool parse_chunk();
  void take_body(std::string_view bytes);
  void take_event(std::string_view event);
  void finish();

  int fd_;
  std::string input_;  // not parsed yet
  int status_ = 0;
  std::multimap<std::string, std::string, std::less<>> headers_;
  bool chunked_ = false;
  bool streams_ = false;
  std::size_t left_ = 0;  // of a body of known length
  std::string body_;      // decoded; of a stream, what is no whole event yet
  bool complete_ = false;
};

}  // namespace lode::transcripts
