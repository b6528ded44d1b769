// One HTTP/1.x request from bytes: Beast's parser behind stricter rules.
//
// Beast reads the grammar of the head; what it lets pass is refused here,
// because a proxy in front of us may read it differently. HeadScan walks the raw
// bytes as they arrive, so that only a whole and clean head (no control
// characters, no bare CR or LF, no folded line) reaches Beast, and its length is
// bounded however slowly it comes; then the headers and the framing they announce
// are checked before HttpBody takes the first byte of the body. (Beast's own
// reading of chunks asserts on input that a client may send.)
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "transport/http_body.h"
#include "transport/http_server.h"

namespace lode {

// Why a request is refused: the status and one sentence for the client.
struct HttpRefusal {
  int status = 400;
  std::string why;
};

// Finds the end of a head in bytes that arrive piece by piece.
class HeadScan {
 public:
  enum class Step { more, done, bad };

  // Looks at what was not yet looked at. input begins with the same bytes in
  // each call.
  Step scan(std::string_view input);

  // After done: where the request line begins and where the body begins.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return at_; }
  // After bad: what is wrong.
  std::string_view why() const { return why_; }

 private:
  Step bad(std::string_view why);
  bool end_line();

  std::size_t begin_ = 0;
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // where the current line begins
  std::string_view why_;
};

class HttpParser : private boost::beast::http::basic_parser<true> {
 public:
  enum class Step { more, done, refused };

  explicit HttpParser(const HttpLimits& limits);

  // Takes bytes from the front of input and adds to used how many; the rest
  // must be the front of the next call's input. After done it is the next
  // request's. REQUIRES: the last step was more.
  Step feed(std::string_view input, std::size_t& used);

  // True, once, when the client waits for "100 Continue" before it sends the body.
  bool take_continue();

  // Whole after done; before, what has come of it.
  HttpRequest& request() { return request_; }
  bool keep_alive() const { return keep_alive_; }
  bool http10() const { return http10_; }

  // After refused.
  const HttpRefusal& refusal() const { return refusal_; }

 private:
  using Base = boost::beast::http::basic_parser<true>;
  using ErrorCode = boost::beast::error_code;
  using View = boost::beast::string_view;

  Step feed_head(std::string_view input, std::size_t& used);
  Step feed_body(std::string_view input, std::size_t& used);
  Step refuse(int status, std::string why);
  Step refuse(const ErrorCode& ec);
  void fail(int status, std::string why, ErrorCode& ec);
  void check_target(std::string_view target, ErrorCode& ec);
  void check_framing(ErrorCode& ec);
  void check_length(const std::string& length, ErrorCode& ec);
  void check_host(ErrorCode& ec);
  void check_expect(ErrorCode& ec);

  void on_request_impl(boost::beast::http::verb, View method, View target, int version,
                       ErrorCode& ec) override;
  void on_response_impl(int, View, int, ErrorCode&) override {}
  void on_field_impl(boost::beast::http::field, View name, View value, ErrorCode& ec) override;
  void on_header_impl(ErrorCode& ec) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(View, ErrorCode&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, View, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View, ErrorCode&) override { return 0; }
  void on_finish_impl(ErrorCode&) override {}

  const HttpLimits& limits_;
  HeadScan scan_;
  HttpBody body_;
  HttpRequest request_;
  HttpRefusal refusal_;
  bool refused_ = false;
  bool head_done_ = false;
  bool keep_alive_ = false;
  bool http10_ = false;
  bool expects_ = false;
};

}  // namespace lode
