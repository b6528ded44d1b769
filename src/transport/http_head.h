// The head of an HTTP/1.1 response, written by hand into one string.
#pragma once

#include <cstddef>
#include <ctime>
#include <string>
#include <string_view>

#include "transport/http_server.h"

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

}  // namespace lode
