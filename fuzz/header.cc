// Header values. Input: the schema of a tool; on the next line its arguments; then
// a value.
//
//  - Any text, encoded as a client must, reaches the server as it was.
//  - What is decoded has one encoding only, or stands for itself.
//  - The headers of a client that mirrors its arguments are accepted, and refused
//    when one is missing or another.
//  - No value ends its line in the head of a response.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/base64.h"
#include "fuzz.h"
#include "protocol/mcp.h"
#include "server/header_params.h"
#include "transport/http.h"
#include "transport/http_output.h"
#include "transport/http_parse.h"

namespace lode::fuzz {
namespace {

constexpr std::string_view kPrefix = "=?base64?";
constexpr std::string_view kSuffix = "?=";

bool is_sentinel(std::string_view text) {
  return text.starts_with(kPrefix) && text.ends_with(kSuffix) &&
         text.size() >= kPrefix.size() + kSuffix.size();
}

// As the specification tells clients: as it is where HTTP can carry it.
std::string encoded(std::string_view text) {
  const bool visible =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
  const bool edges = text.starts_with(' ') || text.ends_with(' ');
  if (visible && !edges && !is_sentinel(text)) return std::string(text);
  return std::string(kPrefix) + base64_encode(text) + std::string(kSuffix);
}

std::optional<std::string> through_http(const std::string& value) {
  const HttpLimits limits{.head_bytes = 64UL * 1024};
  HttpParser parser(limits);
  std::size_t used = 0;
  const auto step = parser.feed("GET / HTTP/1.1\r\nHost: h\r\nX: " + value + "\r\n\r\n", used);
  if (step != HttpParser::Step::done) return std::nullopt;
  const auto* header = parser.request().header("x");
  return header == nullptr ? std::nullopt : std::optional(*header);
}

void check_any_text(std::string_view text) {
  const auto value = encoded(text);
  check(through_http(value) == value, "HTTP carries what a client encodes");
  check(decode_header_value(value) == text, "and the server decodes it");
}

void check_any_value(std::string_view value) {
  const auto decoded = decode_header_value(value);
  if (!decoded) return;
  if (!is_sentinel(value)) {
    check(*decoded == value, "what is not encoded stands for itself");
  } else {
    check(std::string(kPrefix) + base64_encode(*decoded) + std::string(kSuffix) == value,
          "a text has one encoding");
  }
}

void check_base64url(std::string_view text) {
  check(base64url_decode(base64url_encode(text)) == text, "base64url comes back too");
  const auto decoded = base64url_decode(text);
  check(!decoded || base64url_encode(*decoded) == text, "and has one spelling");
}

void check_response(std::string_view value) {
  const HttpHeaders headers{{"X", std::string(value)}};
  const auto head = http_head({.headers = headers, .date = "now"});
  check(std::count(head.begin(), head.end(), '\n') == 5, "a value does not end its line");
  check(std::count(head.begin(), head.end(), '\r') == 5, "with neither of its characters");
  check(head.ends_with("\r\n\r\n"), "and the head ends once");
}

// The headers by which a client mirrors what is marked.
void mirror(const Json& schema, const Json& arguments, HttpHeaders& headers) {
  const auto* object = schema.if_object();
  const auto* properties = object == nullptr ? nullptr : object->if_contains("properties");
  const auto* members = arguments.if_object();
  if (properties == nullptr || !properties->is_object() || members == nullptr) return;
  for (const auto& [name, sub] : properties->get_object()) {
    const auto* argument = members->if_contains(name);
    if (argument == nullptr || argument->is_null()) continue;
    const auto* marked = sub.if_object();
    const auto* mark = marked == nullptr ? nullptr : marked->if_contains("x-mcp-header");
    if (mark != nullptr) {
      const auto* text = argument->if_string();
      const auto value =
          text == nullptr ? to_text(*argument) : std::string(text->c_str(), text->size());
      std::string header(mcp::kHeaderParam);
      for (const char c : mark->get_string()) {
        header += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      }
      headers.emplace_back(std::move(header), encoded(value));
    }
    mirror(sub, *argument, headers);
  }
}

void check_mirrored(const Json& schema, const Json& arguments) {
  if (!check_header_marks(schema)) return;
  HttpHeaders headers;
  mirror(schema, arguments, headers);
  check(!check_param_headers(headers, schema, arguments), "mirrored arguments are accepted");
  if (headers.empty()) return;
  headers.push_back(headers.back());
  check(check_param_headers(headers, schema, arguments).has_value(), "a repeated one is refused");
  headers.pop_back();
  auto& last = headers.back().second;
  last = is_sentinel(last) ? "x" : last + "x";
  check(check_param_headers(headers, schema, arguments).has_value(), "so is another value");
  headers.pop_back();
  check(check_param_headers(headers, schema, arguments).has_value(), "and a missing one");
}

}  // namespace

void run(std::string_view input) {
  auto rest = input;
  const auto schema = parse_json(take_until(rest, '\n'));
  const auto arguments = parse_json(take_until(rest, '\n'));
  if (schema && arguments) check_mirrored(*schema, *arguments);
  for (const auto text : {input, rest}) {
    check_any_text(text);
    check_any_value(text);
    check_base64url(text);
    check_response(text);
  }
}

}  // namespace lode::fuzz
