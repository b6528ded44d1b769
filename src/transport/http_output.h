// What goes out on one socket: the head of an HTTP/1.1 response, written by hand into one
// string, and the strings that wait to be written.
#pragma once

#include <cstddef>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http_reply.h"
#include "transport/reply.h"

namespace lode {

// How the client learns where the body ends.
enum class HttpFraming {
  length,       // Content-Length
  chunked,      // Transfer-Encoding: chunked
  until_close,  // HTTP/1.0 streams: the connection ends
  none,         // 204, 304: there is no body
};

struct HttpHead {
  int status = 200;
  const HttpHeaders& headers;
  HttpFraming framing = HttpFraming::length;
  std::size_t length = 0;
  bool keep_alive = true;
  bool http10 = false;  // the client has to be told that the connection stays
  std::string_view date;
};

// Everything up to and including the empty line. Content-Length, Connection,
// Date and Transfer-Encoding among the headers are left out: they are this
// function's. Control characters in values become spaces, so that a value can
// never end its line.
std::string http_head(const HttpHead& head);

// "Not Found"; "Unknown" for a status we have no words for.
std::string_view http_reason(int status);

// True if the response has a "Connection: close" of its own.
bool http_wants_close(const HttpHeaders& headers);

// What goes before the bytes of a chunk: "1f4\r\n". REQUIRES: size > 0.
std::string http_chunk_size(std::size_t size);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::time_t time);

// The date of now, formatted once a second. One thread.
class HttpClock {
 public:
  std::string_view date();

 private:
  std::time_t time_ = 0;
  std::string text_;
};

// What waits to be written to one socket: strings, in order, sent gathered.
//
// Nothing is copied; what the socket does not take at once stays here, and when
// all is sent no memory is held. One thread.
class HttpOutput {
 public:
  enum class Step { done, blocked, broken };

  // The charge lasts until the piece is sent.
  void push(std::string piece, MemoryCharge charge = {});
  void push(Payload payload);

  // Sends as much as the socket takes without waiting. Broken: the peer is gone.
  Step flush(int socket);

  // Bytes not yet sent.
  std::size_t pending() const { return pending_; }
  // Whose memory the last of what waits takes; null: nobody's, or nothing waits.
  const MemoryShare* share() const;

 private:
  struct Piece {
    std::string own;
    std::shared_ptr<const SharedText> shared = nullptr;  // if set, it is this
    MemoryCharge charge = {};

    const std::string& text() const { return shared == nullptr ? own : shared->text; }
  };

  ssize_t send_some(int socket) const;
  void drop(std::size_t sent);

  std::vector<Piece> pieces_;
  std::size_t first_ = 0;   // the piece that is being sent
  std::size_t offset_ = 0;  // how much of it was sent
  std::size_t pending_ = 0;
};

}  // namespace lode
