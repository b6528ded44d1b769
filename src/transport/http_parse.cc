#include "transport/http_parse.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <limits>
#include <utility>

namespace lode {

namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool is_host_char(char c) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || is_decimal(c) ||
         std::string_view("-._~:[]%!$&'()*+;=").find(c) != std::string_view::npos;
}

// Visible ASCII; a fragment is never sent.
bool is_target_char(char c) { return c > 0x20 && c < 0x7f && c != '#'; }

// "GET / HTTP/2.0": a version of HTTP, but not one of ours.
bool names_other_version(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\r'));
  if (line.size() < 9) return false;
  std::string_view tail = line.substr(line.size() - 9);
  return tail.starts_with(" HTTP/") && is_decimal(tail[6]) && tail[7] == '.' && is_decimal(tail[8]);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

}  // namespace

const std::string* HttpRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      headers.begin(), headers.end(), [&](const auto& header) { return header.first == name; }));
}

HeadScan::Step HeadScan::bad(std::string_view why) {
  why_ = why;
  return Step::bad;
}

HeadScan::Step HeadScan::scan(std::string_view input) {
  while (at_ < input.size()) {
    std::size_t stop = std::min(input.find('\r', at_), input.size());
    std::string_view fresh = input.substr(at_, stop - at_);
    if (!fresh.empty() && at_ == line_ && (fresh[0] == ' ' || fresh[0] == '\t')) {
      return bad(
          "a line of the head begins with a space (folded lines are not "
          "accepted)");
    }
    if (std::any_of(fresh.begin(), fresh.end(), is_http_control)) {
      return bad(
          "the head has a control character, or a line that does not "
          "end in CR LF");
    }
    at_ = stop;
    if (stop + 1 >= input.size()) return Step::more;
    if (input[stop + 1] != '\n') return bad("the head has a CR without LF");
    if (end_line()) return Step::done;
  }
  return Step::more;
}

// Steps over the CR LF at at_; true at the empty line that ends the head. One
// empty line before the request line is skipped, as RFC 9112 asks.
bool HeadScan::end_line() {
  bool empty = at_ == line_;
  at_ += 2;
  if (empty && line_ == 0) {
    begin_ = at_;
  } else if (empty) {
    return true;
  }
  line_ = at_;
  return false;
}

HttpParser::HttpParser(const HttpLimits& limits)
    : limits_(limits), body_(limits.body_bytes, limits.head_bytes) {
  skip(true);
  header_limit(std::numeric_limits<std::uint32_t>::max());
}

HttpParser::Step HttpParser::feed(std::string_view input, std::size_t& used) {
  return head_done_ ? feed_body(input, used) : feed_head(input, used);
}

HttpParser::Step HttpParser::feed_head(std::string_view input, std::size_t& used) {
  // What lies past the limit is not looked at, so that the verdict does not
  // depend on how much of it has come.
  HeadScan::Step step = scan_.scan(input.substr(0, limits_.head_bytes));
  if (step == HeadScan::Step::bad) return refuse(400, std::string(scan_.why()));
  if (step == HeadScan::Step::more && input.size() > limits_.head_bytes) {
    return refuse(431, "the head is longer than " + std::to_string(limits_.head_bytes) + " bytes");
  }
  if (step == HeadScan::Step::more) return Step::more;
  std::string_view head = input.substr(scan_.begin(), scan_.end() - scan_.begin());
  ErrorCode ec;
  put({head.data(), head.size()}, ec);
  used += scan_.end();
  if (ec == http::error::bad_version && names_other_version(head)) {
    return refuse(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
  }
  if (ec) return refuse(ec);
  head_done_ = true;
  return feed_body(input.substr(scan_.end()), used);
}

HttpParser::Step HttpParser::feed_body(std::string_view input, std::size_t& used) {
  switch (body_.feed(input, used, request_.body)) {
    case HttpBody::Step::more: return Step::more;
    case HttpBody::Step::done: return Step::done;
    case HttpBody::Step::bad: return refuse(400, std::string(body_.why()));
    case HttpBody::Step::too_long: break;
  }
  return refuse(413, "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes");
}

bool HttpParser::take_continue() {
  return head_done_ && std::exchange(expects_, false) && request_.body.empty();
}

HttpParser::Step HttpParser::refuse(int status, std::string why) {
  refused_ = true;
  refusal_ = {status, std::move(why)};
  return Step::refused;
}

HttpParser::Step HttpParser::refuse(const ErrorCode& ec) {
  if (refused_) return Step::refused;
  return refuse(400, "the request is malformed: " + ec.message());
}

// For the callbacks: makes put() stop; the first reason stays.
void HttpParser::fail(int status, std::string why, ErrorCode& ec) {
  if (!refused_) refuse(status, std::move(why));
  ec = http::error::bad_value;
}

void HttpParser::on_request_impl(http::verb, View method, View target, int version, ErrorCode& ec) {
  request_.method = std::string(method);
  http10_ = version == 10;
  check_target(target, ec);
}

void HttpParser::check_target(std::string_view target, ErrorCode& ec) {
  // An absolute target would carry a second host beside the Host header.
  if (!target.starts_with('/')) {
    return fail(400, "the request target must begin with '/'", ec);
  }
  if (!std::all_of(target.begin(), target.end(), is_target_char)) {
    return fail(400, "the request target has a character that must be percent-encoded", ec);
  }
  std::size_t mark = target.find('?');
  request_.path = std::string(target.substr(0, mark));
  if (mark != std::string_view::npos) request_.query = std::string(target.substr(mark + 1));
}

void HttpParser::on_field_impl(http::field, View name, View value, ErrorCode&) {
  request_.headers.emplace_back(lower(name), std::string(value));
}

void HttpParser::on_header_impl(ErrorCode& ec) {
  check_framing(ec);
  if (!ec) check_host(ec);
  if (!ec) check_expect(ec);
  keep_alive_ = Base::keep_alive();
}

void HttpParser::check_framing(ErrorCode& ec) {
  std::size_t lengths = request_.count("content-length");
  std::size_t codings = request_.count("transfer-encoding");
  if (lengths + codings > 1) {
    return fail(400,
                "Content-Length and Transfer-Encoding may appear once, and not "
                "together",
                ec);
  }
  if (codings == 1) {
    if (http10_ || !iequals(*request_.header("transfer-encoding"), "chunked")) {
      return fail(400, "Transfer-Encoding must be exactly 'chunked', in HTTP/1.1", ec);
    }
    body_.expect_chunks();
  }
  if (lengths == 1) check_length(*request_.header("content-length"), ec);
}

void HttpParser::check_length(const std::string& length, ErrorCode& ec) {
  const char* end = length.data() + length.size();
  std::uint64_t bytes = 0;
  auto [rest, failed] = std::from_chars(length.data(), end, bytes);
  if (failed != std::errc() || rest != end) {
    return fail(400, "Content-Length must be one number", ec);
  }
  body_.expect_length(bytes);
}

void HttpParser::check_host(ErrorCode& ec) {
  std::size_t hosts = request_.count("host");
  if (hosts == 0 && http10_) return;
  if (hosts != 1) return fail(400, "a request needs exactly one Host header", ec);
  const std::string& host = *request_.header("host");
  if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_char)) {
    return fail(400, "the Host header must be one host, with or without a port", ec);
  }
}

void HttpParser::check_expect(ErrorCode& ec) {
  const std::string* expect = request_.header("expect");
  if (expect == nullptr || http10_) return;
  if (!iequals(*expect, "100-continue")) {
    return fail(417, "the only expectation known here is 100-continue", ec);
  }
  expects_ = true;
}

}  // namespace lode
