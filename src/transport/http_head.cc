#include "transport/http_head.h"

#include <array>
#include <boost/beast/core/string.hpp>
#include <cassert>
#include <charconv>
#include <cstdio>

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

}  // namespace

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

}  // namespace lode
