#include "http_exchange.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace lode::transcripts {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return out;
}

bool given(const Headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return lower(header.first) == name; });
}

std::string text_of(std::uint16_t port, const Request& request) {
  std::string out = fmt::format("{} {} HTTP/1.1\r\n", request.method, request.path);
  if (!given(request.headers, "host")) out += fmt::format("Host: 127.0.0.1:{}\r\n", port);
  for (const auto& [name, value] : request.headers) out += fmt::format("{}: {}\r\n", name, value);
  if (!request.body.empty() || request.method == "POST") {
    out += fmt::format("Content-Length: {}\r\n", request.body.size());
  }
  return out + "\r\n" + request.body;
}

// False: the server does not take it all, as it does when it refuses early.
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::size_t number(std::string_view text, int base) {
  std::size_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out, base);
  return out;
}

}  // namespace

Result<std::unique_ptr<HttpExchange>> HttpExchange::start(std::uint16_t port,
                                                          const Request& request) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::unique_ptr<HttpExchange> exchange(new HttpExchange(fd));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return internal(fmt::format("cannot connect to port {}: {}", port, std::strerror(errno)));
  }
  write_all(fd, text_of(port, request));
  return exchange;
}

void HttpExchange::hang_up() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void HttpExchange::receive() {
  std::array<char, 65536> buffer{};
  const auto n = ::recv(fd_, buffer.data(), buffer.size(), 0);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) return hang_up();
  input_.append(buffer.data(), static_cast<std::size_t>(n));
  if (!has_head() && !parse_head()) return;
  while (!complete_ && parse_body()) {
  }
}

bool HttpExchange::parse_head() {
  const auto end = input_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const std::string head = input_.substr(0, end + 2);
  input_.erase(0, end + 4);
  status_ = static_cast<int>(number(std::string_view(head).substr(9, 3), 10));
  std::size_t at = head.find("\r\n") + 2;
  while (at < head.size()) {
    const auto line = std::string_view(head).substr(at, head.find("\r\n", at) - at);
    const auto colon = line.find(": ");
    headers_.emplace(lower(line.substr(0, colon)), line.substr(colon + 2));
    at += line.size() + 2;
  }
  chunked_ = headers("transfer-encoding") == std::vector<std::string>{"chunked"};
  const auto type = headers("content-type");
  streams_ = !type.empty() && type.front() == "text/event-stream";
  const auto length = headers("content-length");
  if (!length.empty()) left_ = number(length.front(), 10);
  if (!chunked_ && left_ == 0) finish();
  return true;
}

bool HttpExchange::parse_body() {
  if (chunked_) return parse_chunk();
  const auto part = std::min(left_, input_.size());
  left_ -= part;
  take_body(input_.substr(0, part));
  input_.erase(0, part);
  if (left_ == 0) finish();
  return false;
}

// True: one chunk was there whole.
bool HttpExchange::parse_chunk() {
  const auto line = input_.find("\r\n");
  if (line == std::string::npos) return false;
  const auto size = number(std::string_view(input_).substr(0, line), 16);
  if (input_.size() < line + 2 + size + 2) return false;
  take_body(std::string_view(input_).substr(line + 2, size));
  input_.erase(0, line + 2 + size + 2);
  if (size == 0) finish();
  return true;
}

void HttpExchange::take_body(std::string_view bytes) {
  body_.append(bytes);
  if (!streams_) return;
  for (auto end = body_.find("\n\n"); end != std::string::npos; end = body_.find("\n\n")) {
    take_event(body_.substr(0, end + 1));
    body_.erase(0, end + 2);
  }
}

void HttpExchange::take_event(std::string_view event) {
  Arrived arrived;
  arrived.status = status_;
  bool comment = true;
  while (!event.empty()) {
    const auto line = event.substr(0, event.find('\n'));
    event.remove_prefix(line.size() + 1);
    if (line.starts_with("data: ")) arrived.text += line.substr(6);
    if (line.starts_with("id: ")) last_event = arrived.event_id = line.substr(4);
    if (line.starts_with("retry: ")) {
      retry = arrived.retry = static_cast<int>(number(line.substr(7), 10));
    }
    comment &= line.starts_with(':');
  }
  if (!comment) messages.push_back(std::move(arrived));
}

void HttpExchange::finish() {
  complete_ = true;
  const auto type = headers("content-type");
  if (!body_.empty() && !type.empty() && type.front() == "application/json") {
    messages.push_back({body_, status_, "", {}});
  }
  hang_up();
}

std::vector<std::string> HttpExchange::headers(std::string_view name) const {
  std::vector<std::string> out;
  const auto [first, last] = headers_.equal_range(name);
  for (auto at = first; at != last; ++at) out.push_back(at->second);
  return out;
}

}  // namespace lode::transcripts
