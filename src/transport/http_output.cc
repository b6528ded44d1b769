#include "transport/http_output.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <utility>

namespace lode {

namespace {

using boost::beast::iequals;

bool is_ours(std::string_view name) {
  return iequals(name, "content-length") || iequals(name, "connection") || iequals(name, "date") ||
         iequals(name, "transfer-encoding");
}

void append_value(std::string& out, std::string_view value) {
  for (char c : value) {
    bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out.push_back(control && c != '\t' ? ' ' : c);
  }
}

void append_number(std::string& out, std::size_t number, int base = 10) {
  std::array<char, 24> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), end);
}

void append_framing(std::string& out, const HttpHead& head) {
  if (head.framing == HttpFraming::length) {
    out += "Content-Length: ";
    append_number(out, head.length);
    out += "\r\n";
  } else if (head.framing == HttpFraming::chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  }
  if (!head.keep_alive) {
    out += "Connection: close\r\n";
  } else if (head.http10) {
    out += "Connection: keep-alive\r\n";
  }
}

constexpr std::size_t kGathered = 64;
// Sent pieces are erased in lots, so that a long queue costs no more a piece.
constexpr std::size_t kSentKept = 64;

}  // namespace

// --- the head ----------------------------------------------------------------

std::string http_head(const HttpHead& head) {
  std::size_t size = 160;
  for (const auto& [name, value] : head.headers) size += name.size() + value.size() + 4;
  std::string out;
  out.reserve(size);
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::size_t>(head.status));
  out += ' ';
  out += http_reason(head.status);
  out += "\r\nDate: ";
  out += head.date;
  out += "\r\n";
  append_framing(out, head);
  for (const auto& [name, value] : head.headers) {
    if (is_ours(name)) continue;
    out += name;
    out += ": ";
    append_value(out, value);
    out += "\r\n";
  }
  out += "\r\n";
  return out;
}

std::string_view http_reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

bool http_wants_close(const HttpHeaders& headers) {
  for (const auto& [name, value] : headers) {
    if (iequals(name, "connection") && iequals(value, "close")) return true;
  }
  return false;
}

std::string http_chunk_size(std::size_t size) {
  assert(size > 0);
  std::string out;
  append_number(out, size, 16);
  out += "\r\n";
  return out;
}

std::string http_date(std::time_t time) {
  // Not strftime: the names must not follow the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm tm{};
  gmtime_r(&time, &tm);
  std::array<char, 64> text;
  int length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                             kDays[tm.tm_wday], tm.tm_mday, kMonths[tm.tm_mon], tm.tm_year + 1900,
                             tm.tm_hour, tm.tm_min, tm.tm_sec);
  return std::string(text.data(), static_cast<std::size_t>(length));
}

std::string_view HttpClock::date() {
  std::time_t now = std::time(nullptr);
  if (now != time_) {
    time_ = now;
    text_ = http_date(now);
  }
  return text_;
}

// --- the queue ---------------------------------------------------------------

void HttpOutput::push(std::string piece, MemoryCharge charge) {
  if (piece.empty()) return;
  pending_ += piece.size();
  pieces_.push_back({std::move(piece), nullptr, std::move(charge)});
}

void HttpOutput::push(Payload payload) {
  const std::size_t before = pieces_.size();
  push(std::move(payload.head));
  if (payload.shared != nullptr && !payload.shared->text.empty()) {
    pending_ += payload.shared->text.size();
    pieces_.push_back({"", std::move(payload.shared)});
  }
  push(std::move(payload.tail));
  if (pieces_.size() > before) pieces_.back().charge = std::move(payload.charge);
  for (Payload& part : payload.more) push(std::move(part));
}

const MemoryShare* HttpOutput::share() const {
  return pending_ == 0 ? nullptr : pieces_.back().charge.share();
}

HttpOutput::Step HttpOutput::flush(int socket) {
  while (pending_ > 0) {
    ssize_t sent = send_some(socket);
    if (sent >= 0) {
      drop(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return Step::blocked;
    } else if (errno != EINTR) {
      return Step::broken;
    }
  }
  std::vector<Piece>().swap(pieces_);
  first_ = 0;
  return Step::done;
}

ssize_t HttpOutput::send_some(int socket) const {
  std::array<iovec, kGathered> parts;
  std::size_t count = std::min(pieces_.size() - first_, parts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& piece = pieces_[first_ + i].text();
    std::size_t skip = i == 0 ? offset_ : 0;
    parts[i] = {const_cast<char*>(piece.data()) + skip, piece.size() - skip};
  }
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void HttpOutput::drop(std::size_t sent) {
  pending_ -= sent;
  while (sent > 0) {
    std::size_t left = pieces_[first_].text().size() - offset_;
    if (sent < left) {
      offset_ += sent;
      break;
    }
    sent -= left;
    offset_ = 0;
    pieces_[first_++] = {};
  }
  if (first_ < kSentKept) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace lode
