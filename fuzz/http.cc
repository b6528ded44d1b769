// HTTP requests. Input: what a client writes to its connection.
//
//  - The requests, and the refusal that ends them, are the same however the bytes
//    are cut into pieces.
//  - A request has one meaning: one host, a body within its limit, nothing in its
//    head that could end a line.
//  - Written out plainly, it reads as the same request.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "transport/http_parse.h"

namespace lode::fuzz {
namespace {

const HttpLimits kLimits{.head_bytes = 512, .body_bytes = 256};
// Written plainly, a head may grow by the spaces after its colons.
const HttpLimits kRewritten{.head_bytes = 1024, .body_bytes = 256};

struct Request {
  HttpRequest content;
  bool keep_alive = false;
  bool http10 = false;

  bool operator==(const Request& other) const {
    const auto& a = content;
    const auto& b = other.content;
    return keep_alive == other.keep_alive && http10 == other.http10 && a.method == b.method &&
           a.path == b.path && a.query == b.query && a.headers == b.headers && a.body == b.body;
  }
};

struct Conversation {
  std::vector<Request> requests;
  int refused = 0;  // the status
  bool operator==(const Conversation&) const = default;
};

// Reads as HttpConnection does.
class Reader {
 public:
  explicit Reader(const HttpLimits& limits) : limits_(limits) {}

  void take(std::string_view piece) {
    waiting_ += piece;
    while (read_.refused == 0 && !waiting_.empty() && next()) continue;
  }
  Conversation& read() { return read_; }

 private:
  // False: it needs more bytes.
  bool next() {
    if (!parser_) parser_.emplace(limits_);
    std::size_t used = 0;
    const auto step = parser_->feed(waiting_, used);
    check(used <= waiting_.size(), "no more is used than there is");
    waiting_.erase(0, used);
    if (step == HttpParser::Step::more) {
      continued_ += parser_->take_continue() ? 1 : 0;
      check(continued_ <= 1, "a client is told to continue once");
      return false;
    }
    if (step == HttpParser::Step::refused) {
      read_.refused = parser_->refusal().status;
      check(!parser_->refusal().why.empty(), "a refusal has a reason");
    } else {
      read_.requests.push_back(
          {std::move(parser_->request()), parser_->keep_alive(), parser_->http10()});
    }
    parser_.reset();
    continued_ = 0;
    return true;
  }

  const HttpLimits& limits_;
  std::string waiting_;
  std::optional<HttpParser> parser_;
  int continued_ = 0;
  Conversation read_;
};

Conversation read(std::string_view bytes, Pieces pieces, const HttpLimits& limits = kLimits) {
  Reader reader(limits);
  in_pieces(bytes, pieces, [&](std::string_view piece) { reader.take(piece); });
  return std::move(reader.read());
}

bool is_framing(const std::pair<std::string, std::string>& header) {
  return header.first == "content-length" || header.first == "transfer-encoding";
}

std::string written(const Request& request) {
  const auto& content = request.content;
  std::string out = content.method + " " + content.path;
  if (!content.query.empty()) out += "?" + content.query;
  out += request.http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n";
  for (const auto& [name, value] : content.headers) out += name + ": " + value + "\r\n";
  if (!content.body.empty())
    out += "content-length: " + std::to_string(content.body.size()) + "\r\n";
  return out + "\r\n" + content.body;
}

void check_meaning(const HttpRequest& request) {
  const auto control = [](char c) { return is_http_control(c); };
  const auto clean = [&](const std::string& text) {
    return std::none_of(text.begin(), text.end(), control);
  };
  check(!request.method.empty() && clean(request.method), "a request has a method");
  check(request.path.starts_with('/') && clean(request.path) && clean(request.query),
        "a path begins with a slash");
  check(request.body.size() <= kLimits.body_bytes, "a body is bounded");
  check(request.count("host") <= 1, "there is one host at most");
  check(request.count("content-length") + request.count("transfer-encoding") <= 1,
        "there is one framing at most");
  for (const auto& [name, value] : request.headers) {
    check(!name.empty() && clean(name) && clean(value), "a header is a name and a clean value");
    check(name.find_first_of(" \t:") == std::string::npos, "a name is a token");
    check(std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }),
          "names are in lower case");
  }
}

// The request loses its framing.
void check_rewritten(Request& request) {
  std::erase_if(request.content.headers, is_framing);
  auto again = read(written(request), Pieces::whole, kRewritten);
  check(again.refused == 0 && again.requests.size() == 1, "written plainly, it is one request");
  std::erase_if(again.requests[0].content.headers, is_framing);
  check(again.requests[0] == request, "and the same");
}

}  // namespace

void run(std::string_view input) {
  auto conversation = read(input, Pieces::whole);
  check(conversation == read(input, Pieces::single_bytes), "requests are the same byte by byte");
  check(conversation == read(input, Pieces::drawn), "requests are the same piece by piece");
  for (auto& request : conversation.requests) {
    check_meaning(request.content);
    check_rewritten(request);
  }
}

}  // namespace lode::fuzz
