#include "server/header_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <vector>

#include "base/base64.h"
#include "protocol/mcp.h"
#include "transport/http.h"

namespace lode {
namespace {

bool token(std::string_view text) {
  constexpr std::string_view kMore = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMore.find(c) != std::string_view::npos;
  });
}

std::string_view text_of(const Json& value) {
  return value.is_string() ? std::string_view(value.get_string().data(), value.get_string().size())
                           : std::string_view();
}

// Visits every mark: the header's name, the marked schema, and the argument
// there (null: absent).
using Visit =
    std::function<std::optional<std::string>(std::string_view, const JsonObject&, const Json*)>;

std::optional<std::string> each_mark(const Json& schema, const Json* value, const Visit& visit) {
  const auto* object = schema.if_object();
  const auto* properties = object == nullptr ? nullptr : object->if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return std::nullopt;
  for (const auto& [name, sub] : properties->get_object()) {
    const auto* members = value == nullptr ? nullptr : value->if_object();
    const Json* argument = members == nullptr ? nullptr : members->if_contains(name);
    const auto* marked = sub.if_object();
    const auto* mark = marked == nullptr ? nullptr : marked->if_contains("x-mcp-header");
    if (mark != nullptr) {
      if (auto problem = visit(text_of(*mark), *marked, argument)) return problem;
    }
    if (auto problem = each_mark(sub, argument, visit)) return problem;
  }
  return std::nullopt;
}

// The decimal digits say the same number: "007" is 7, "7.0" is not an integer.
bool same_integer(std::string_view text, std::int64_t number) {
  std::int64_t parsed = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  return error == std::errc() && end == text.data() + text.size() && parsed == number;
}

bool same(const std::string& header, const Json& value) {
  if (value.is_bool()) return header == (value.get_bool() ? "true" : "false");
  if (value.is_int64()) return same_integer(header, value.get_int64());
  if (value.is_string()) return header == text_of(value);
  return header == to_text(value);
}

// The values of all headers of that name.
std::vector<const std::string*> find_headers(const HttpHeaders& headers, std::string_view name) {
  std::vector<const std::string*> found;
  for (const auto& [key, value] : headers) {
    if (key == name) found.push_back(&value);
  }
  return found;
}

}  // namespace

std::optional<std::string> decode_header_value(std::string_view value) {
  constexpr std::string_view kPrefix = "=?base64?";
  constexpr std::string_view kSuffix = "?=";
  const auto visible = [](unsigned char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); };
  if (!std::all_of(value.begin(), value.end(), visible)) return std::nullopt;
  if (!value.starts_with(kPrefix) || !value.ends_with(kSuffix) ||
      value.size() < kPrefix.size() + kSuffix.size()) {
    return std::string(value);
  }
  return base64_decode(
      value.substr(kPrefix.size(), value.size() - kPrefix.size() - kSuffix.size()));
}

std::optional<std::string> check_param_headers(const HttpHeaders& headers, const Json& schema,
                                               const Json& arguments) {
  return each_mark(schema, &arguments,
                   [&](std::string_view name, const JsonObject&,
                       const Json* argument) -> std::optional<std::string> {
                     const std::string full = std::string(mcp::kHeaderParam) + lower_case(name);
                     const auto found = find_headers(headers, full);
                     if (found.size() > 1)
                       return fmt::format("the header {} stands more than once", full);
                     const std::string* header = found.empty() ? nullptr : found.front();
                     if (argument == nullptr || argument->is_null()) {
                       if (header == nullptr) return std::nullopt;
                       return fmt::format("the header {} has no argument that it repeats", full);
                     }
                     if (header == nullptr) return fmt::format("the header {} is missing", full);
                     const auto value = decode_header_value(*header);
                     if (!value) return fmt::format("the header {} is malformed", full);
                     if (!same(*value, *argument)) {
                       return fmt::format("the header {} and the argument in the body differ",
                                          full);
                     }
                     return std::nullopt;
                   });
}

Status check_header_marks(const Json& schema) {
  std::set<std::string> seen;
  auto problem = each_mark(
      schema, nullptr,
      [&](std::string_view name, const JsonObject& marked,
          const Json*) -> std::optional<std::string> {
        if (!token(name)) return "an x-mcp-header is no header token";
        if (!seen.insert(lower_case(name)).second) {
          return fmt::format("the x-mcp-header {} stands twice", name);
        }
        const auto* type = marked.if_contains("type");
        const auto kind = type == nullptr ? std::string_view() : text_of(*type);
        if (kind != "string" && kind != "integer" && kind != "boolean") {
          return fmt::format("the x-mcp-header {} marks no string, integer or boolean", name);
        }
        return std::nullopt;
      });
  if (problem) return invalid(std::move(*problem));
  return {};
}

}  // namespace lode
