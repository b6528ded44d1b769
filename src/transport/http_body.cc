#include "transport/http_body.h"

#include <algorithm>
#include <charconv>

namespace lode {

namespace {

// A client that announces a large body gets no memory before it sends it.
constexpr std::uint64_t kReserved = 64 * 1024;

bool is_token_char(char c) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  bool digit = c >= '0' && c <= '9';
  return letter || digit || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Nothing, or ";name=value" with or without space before it.
bool is_extension(std::string_view text) {
  if (text.empty()) return true;
  std::size_t start = text.find_first_not_of(" \t");
  return start != std::string_view::npos && text[start] == ';';
}

bool is_field(std::string_view line) {
  std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     is_token_char);
}

}  // namespace

bool is_http_control(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

void HttpBody::expect_length(std::uint64_t length) {
  left_ = length;
  part_ = length > 0 ? Part::counted : Part::whole;
  if (length > limit_) state_ = Step::too_long;
}

HttpBody::Step HttpBody::feed(std::string_view input, std::size_t& used, std::string& body) {
  std::size_t before = input.size();
  while (state_ == Step::more && step(input, body)) {
  }
  used += before - input.size();
  return state_;
}

// True if there may be more to take from this input.
bool HttpBody::step(std::string_view& input, std::string& body) {
  switch (part_) {
    case Part::counted:
    case Part::data: return take_data(input, body);
    case Part::size: return take_size(input, body);
    case Part::data_end: return take_data_end(input);
    case Part::trailers: return take_trailer(input);
    case Part::whole: state_ = Step::done; return false;
  }
  return false;
}

bool HttpBody::take_data(std::string_view& input, std::string& body) {
  if (input.empty()) return false;
  if (body.empty()) body.reserve(std::min(left_, kReserved));
  std::size_t count = std::min<std::uint64_t>(left_, input.size());
  body.append(input.substr(0, count));
  input.remove_prefix(count);
  left_ -= count;
  if (left_ == 0) part_ = part_ == Part::counted ? Part::whole : Part::data_end;
  return true;
}

bool HttpBody::take_size(std::string_view& input, const std::string& body) {
  std::string_view line;
  if (!take_line(input, line)) return false;
  const char* end = line.data() + line.size();
  auto [rest, failed] = std::from_chars(line.data(), end, left_, 16);
  std::string_view extension(rest, static_cast<std::size_t>(end - rest));
  if (failed != std::errc() || !is_extension(extension)) {
    return bad("a chunk does not begin with its size");
  }
  if (extension.size() > extra_) return bad("the chunk extensions are too long");
  extra_ -= extension.size();
  if (left_ > limit_ - body.size()) {
    state_ = Step::too_long;
    return false;
  }
  part_ = left_ > 0 ? Part::data : Part::trailers;
  return true;
}

bool HttpBody::take_data_end(std::string_view& input) {
  if (input.empty()) return false;
  if (!std::string_view("\r\n").starts_with(input.substr(0, 2))) {
    return bad("a chunk is longer than its size");
  }
  if (input.size() < 2) return false;
  input.remove_prefix(2);
  part_ = Part::size;
  return true;
}

bool HttpBody::take_trailer(std::string_view& input) {
  std::string_view line;
  if (!take_line(input, line)) return false;
  if (line.empty()) {
    part_ = Part::whole;
    return true;
  }
  if (!is_field(line)) return bad("a trailer is malformed");
  extra_ -= line.size();
  return true;
}

// A whole line without its CR LF; false while it is incomplete, or bad.
bool HttpBody::take_line(std::string_view& input, std::string_view& line) {
  std::size_t end = input.find('\n');
  line = input.substr(0, end);
  bool carriage = line.ends_with('\r');
  if (carriage) line.remove_suffix(1);
  bool whole = end != std::string_view::npos;
  if ((whole && !carriage) || std::any_of(line.begin(), line.end(), is_http_control)) {
    return bad("a chunk has a control character, or a line that does not end in CR LF");
  }
  // Room for the digits of the size beside its extension.
  constexpr std::size_t kDigits = 16;
  if (line.size() > extra_ + (part_ == Part::size ? kDigits : 0)) {
    return bad("the chunk extensions or trailers are too long");
  }
  if (whole) input.remove_prefix(end + 1);
  return whole;
}

bool HttpBody::bad(std::string_view why) {
  why_ = why;
  state_ = Step::bad;
  return false;
}

}  // namespace lode
