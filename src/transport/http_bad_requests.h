// Requests that must be refused, for the tests of the parser and of the server.
#pragma once

#include <string>
#include <vector>

namespace lode {

struct BadHttpRequest {
  const char* what;
  std::string bytes;
  int status = 400;
};

inline std::vector<BadHttpRequest> bad_http_requests() {
  using namespace std::string_literals;
  std::string get = "GET / HTTP/1.1\r\nHost: h\r\n";
  std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
  std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  return {
      {"obs-fold", get + "X: a\r\n b\r\n\r\n"},
      {"obs-fold with a tab", get + "X: a\r\n\tb\r\n\r\n"},
      {"bare LF", "GET / HTTP/1.1\nHost: h\n\n"},
      {"bare LF in a header", get + "X: a\nY: b\r\n\r\n"},
      {"bare CR in a header", get + "X: a\rY: b\r\n\r\n"},
      {"CR before the last LF missing", get + "\n\r\n"},
      {"NUL", get + "X: a\0b\r\n\r\n"s},
      {"space before the colon", get + "X : a\r\n\r\n"},
      {"no header name", get + ": a\r\n\r\n"},
      {"no colon", get + "X\r\n\r\n"},
      {"no Host", "GET / HTTP/1.1\r\n\r\n"},
      {"two Hosts", get + "Host: h\r\n\r\n"},
      {"two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
      {"list of Hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"},
      {"Host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"},
      {"two Content-Lengths", post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"},
      {"differing Content-Lengths", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"},
      {"list of Content-Lengths", post + "Content-Length: 5, 5\r\n\r\nhello"},
      {"Content-Length +5", post + "Content-Length: +5\r\n\r\nhello"},
      {"Content-Length -5", post + "Content-Length: -5\r\n\r\nhello"},
      {"Content-Length 0x5", post + "Content-Length: 0x5\r\n\r\nhello"},
      {"Content-Length 5 5", post + "Content-Length: 5 5\r\n\r\nhello"},
      {"Content-Length 5,", post + "Content-Length: 5,\r\n\r\nhello"},
      {"empty Content-Length", post + "Content-Length:\r\n\r\nhello"},
      {"huge Content-Length", post + "Content-Length: 99999999999999999999999\r\n\r\n"},
      {"xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
      {"chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
      {"identity, chunked", post + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"},
      {"identity", post + "Transfer-Encoding: identity\r\n\r\n"},
      {"empty Transfer-Encoding", post + "Transfer-Encoding:\r\n\r\n"},
      {"two Transfer-Encodings",
       post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"hidden second Transfer-Encoding",
       post + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunked and a length",
       post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"},
      {"a length and chunked",
       post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"a length and xchunked",
       post + "Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n\r\nhello"},
      {"chunked in HTTP/1.0",
       "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"chunk size overflow", chunked + "10000000000000000\r\n"},
      {"negative chunk size", chunked + "-1\r\nx\r\n0\r\n\r\n"},
      {"chunk size 0x1", chunked + "0x1\r\nx\r\n0\r\n\r\n"},
      {"no chunk size", chunked + "\r\nx\r\n0\r\n\r\n"},
      {"chunk longer than its size", chunked + "1\r\nxy\r\n0\r\n\r\n"},
      {"chunk line ends in LF", chunked + "1\nx\r\n0\r\n\r\n"},
      {"line end in a chunk extension", chunked + "1;a=\"\n\"\r\nx\r\n0\r\n\r\n"},
      {"bad trailer", chunked + "0\r\nX : a\r\n\r\n"},
      {"trailer without a name", chunked + "0\r\n: a\r\n\r\n"},
      {"trailer that ends in LF", chunked + "0\r\nX: a\n\r\n"},
      {"space after a chunk size", chunked + "1 \r\nx\r\n0\r\n\r\n"},
      {"extension that spans lines", chunked + "1;a=\"b\r\nx\r\nc\"\r\n0\r\n\r\n"},
      {"HTTP/2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505},
      {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", 505},
      {"HTTP/0.9", "GET / HTTP/0.9\r\nHost: h\r\n\r\n", 505},
      {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"no version", "GET /\r\nHost: h\r\n\r\n"},
      {"garbage version", "GET / HTXP/1.1\r\nHost: h\r\n\r\n"},
      {"long version", "GET / HTTP/1.10\r\nHost: h\r\n\r\n"},
      {"lower-case version", "GET / http/1.1\r\nHost: h\r\n\r\n"},
      {"two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"space after the version", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n"},
      {"space before the method", " GET / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"bad method", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"absolute target", "GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"asterisk target", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"authority target", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"fragment", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"raw UTF-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: h\r\n\r\n"},
      {"unknown expectation", post + "Expect: tea\r\nContent-Length: 1\r\n\r\nx", 417},
      {"TLS", "\x16\x03\x01\x02\x00"},
  };
}

}  // namespace lode
