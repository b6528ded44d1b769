#include "http_reader.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace lode::bench {
namespace {

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

bool begins(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && same(text.substr(0, with.size()), with);
}

bool number(std::string_view text, int base, std::size_t& out) {
  return std::from_chars(text.data(), text.data() + text.size(), out, base).ec == std::errc{};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

void HttpReader::reset() { *this = HttpReader(); }

bool HttpReader::feed(std::string_view bytes, const OnMessage& on_message) {
  in_ += bytes;
  bool good = true;
  for (bool progress = true; good && progress && !done();) good = step(on_message, progress);
  in_.erase(0, std::exchange(at_, 0));
  return good;
}

// One step of the state machine; progress is false when it needs more bytes.
bool HttpReader::step(const OnMessage& on_message, bool& progress) {
  const std::string_view have = std::string_view(in_).substr(at_);
  progress = false;
  if (state_ == State::head) {
    const auto end = have.find("\r\n\r\n");
    if (end == std::string_view::npos) return true;
    at_ += end + 4;
    progress = true;
    if (!read_head(have.substr(0, end))) return false;
    if (done()) finish(on_message);
    return true;
  }
  if (state_ == State::sized || state_ == State::chunk || state_ == State::until_end) {
    const auto length = state_ == State::until_end ? have.size() : std::min(have.size(), left_);
    if (length == 0) return true;
    at_ += length;
    left_ -= state_ == State::until_end ? 0 : length;
    progress = true;
    take_body(have.substr(0, length), on_message);
    if (left_ > 0 || state_ == State::until_end) return true;
    if (state_ == State::sized) finish(on_message);
    if (state_ == State::chunk) state_ = State::chunk_end;
    return true;
  }
  const auto end = have.find("\r\n");
  if (end == std::string_view::npos) return true;
  at_ += end + 2;
  progress = true;
  const bool good = read_line(have.substr(0, end));
  if (done()) finish(on_message);
  return good;
}

bool HttpReader::read_line(std::string_view line) {
  if (state_ == State::chunk_end) {
    state_ = State::chunk_size;
    return line.empty();
  }
  if (state_ == State::chunk_size) {
    if (!number(line, 16, left_)) return false;
    state_ = left_ > 0 ? State::chunk : State::trailer;
    return true;
  }
  if (line.empty()) state_ = State::done;
  return true;
}

bool HttpReader::read_head(std::string_view head) {
  if (!begins(head, "HTTP/1.1 ") || head.size() < 12) return false;
  std::size_t status = 0;
  number(head.substr(9, 3), 10, status);
  status_ = static_cast<int>(status);
  for (auto at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n")) {
    head.remove_prefix(at + 2);
    const auto line = head.substr(0, head.find("\r\n"));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    read_field(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  }
  if (chunked_) {
    state_ = State::chunk_size;
  } else if (sized_ || status_ == 204) {
    state_ = left_ > 0 ? State::sized : State::done;
  } else {
    state_ = State::until_end;
    closes_ = true;
  }
  return true;
}

void HttpReader::read_field(std::string_view name, std::string_view value) {
  if (same(name, "content-length")) sized_ = number(value, 10, left_);
  if (same(name, "transfer-encoding")) chunked_ = same(value, "chunked");
  if (same(name, "connection")) closes_ = same(value, "close");
  if (same(name, "content-type")) events_ = begins(value, "text/event-stream");
  if (same(name, "mcp-session-id")) session_ = value;
}

void HttpReader::take_body(std::string_view bytes, const OnMessage& on_message) {
  if (!events_) {
    body_ += bytes;
    return;
  }
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    line_ += bytes.substr(0, end);
    if (line_.ends_with('\r')) line_.pop_back();
    take_event_line(line_, on_message);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
  line_ += bytes;
}

void HttpReader::take_event_line(std::string_view line, const OnMessage& on_message) {
  if (line.starts_with("data:")) {
    data_ += trimmed(line.substr(5));
  } else if (line.empty() && !data_.empty()) {
    on_message(std::exchange(data_, {}));
  }
}

void HttpReader::finish(const OnMessage& on_message) {
  state_ = State::done;
  if (!events_ && !body_.empty()) on_message(body_);
}

}  // namespace lode::bench
