#include "server/modern.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "protocol/mcp.h"
#include "server/header_params.h"
#include "server/methods.h"
#include "transport/http.h"

namespace lode {
namespace {

std::optional<WireError> check_meta(JsonView meta) {
  if (!meta.is_object()) return invalid_envelope("\"params._meta\" is missing or no object");
  if (!meta[mcp::kMetaVersion].string()) {
    return invalid_envelope(fmt::format("\"_meta\" lacks \"{}\", a string", mcp::kMetaVersion));
  }
  if (!meta[mcp::kMetaCapabilities].is_object()) {
    return invalid_envelope(
        fmt::format("\"_meta\" lacks \"{}\", an object", mcp::kMetaCapabilities));
  }
  return std::nullopt;
}

// The header must be there once, well-formed, and say what the body says.
std::optional<WireError> check_header(const HttpRequest& http, std::string_view name,
                                      std::string_view body) {
  const auto* header = http.header(name);
  if (header == nullptr) return header_mismatch(fmt::format("the header {} is missing", name));
  if (http.count(name) > 1) {
    return header_mismatch(fmt::format("the header {} stands more than once", name));
  }
  const auto value = decode_header_value(*header);
  if (!value) return header_mismatch(fmt::format("the header {} is malformed", name));
  if (*value != body) {
    return header_mismatch(fmt::format("the header {} and the body differ", name));
  }
  return std::nullopt;
}

std::optional<WireError> check_names(const HttpRequest& http, const Message& message,
                                     const Method* method) {
  if (auto error = check_header(http, mcp::kHeaderMethod, message.method)) return error;
  if (method == nullptr || method->subject.empty()) return std::nullopt;
  const auto subject = message.params[method->subject].string();
  // Without it the parameters are wrong, and the method will say so.
  return subject ? check_header(http, mcp::kHeaderName, *subject) : std::nullopt;
}

// Those that repeat arguments; the tool's schema says which must be there.
HttpHeaders param_headers(const HttpRequest& http) {
  HttpHeaders found;
  for (const auto& header : http.headers) {
    if (header.first.starts_with(mcp::kHeaderParam)) found.push_back(header);
  }
  return found;
}

const std::string_view* find_level(JsonView meta) {
  const auto level = meta[mcp::kMetaLogLevel].string().value_or("");
  const auto* found = std::find(mcp::kLogLevels.begin(), mcp::kLogLevels.end(), level);
  return found == mcp::kLogLevels.end() ? nullptr : found;
}

std::optional<WireError> check_envelope(const Message& message, const Method* method,
                                        const HttpRequest* http) {
  const JsonView meta = message.params["_meta"];
  if (auto error = check_meta(meta)) return error;
  const auto version = *meta[mcp::kMetaVersion].string();
  if (http != nullptr) {
    if (auto error = check_header(*http, mcp::kHeaderVersion, version)) return error;
  }
  if (version != to_string(kNewest)) return unsupported_version(version);
  if (http != nullptr) {
    if (auto error = check_names(*http, message, method)) return error;
  }
  if (meta[mcp::kMetaLogLevel] && find_level(meta) == nullptr) {
    return invalid_envelope(fmt::format("\"{}\" is no level of RFC 5424", mcp::kMetaLogLevel));
  }
  return std::nullopt;
}

}  // namespace

bool claims_version(JsonView message) {
  return message["params"]["_meta"][mcp::kMetaVersion].present();
}

void read_progress_token(Call& call) {
  const JsonView token = call.params()["_meta"]["progressToken"];
  if (token.integer() || token.string()) call.progress_token = token.text();
}

std::variant<std::shared_ptr<Call>, WireError> open_modern(
    std::shared_ptr<const JsonDocument> document, Message message, const Principal& who,
    std::shared_ptr<Outlet> outlet, const HttpRequest* http) {
  const Method* method = find_method(message.method, kNewest);
  if (auto error = check_envelope(message, method, http)) return std::move(*error);
  const JsonView meta = message.params["_meta"];
  auto call = std::make_shared<Call>(std::move(document), std::move(message), kNewest, who,
                                     std::move(outlet));
  call->method = method;
  call->trace = meta["traceparent"].string().value_or("");
  call->abilities = read_abilities(meta[mcp::kMetaCapabilities]);
  read_progress_token(*call);
  if (const auto* level = find_level(meta)) {
    call->log_from = static_cast<Severity>(level - mcp::kLogLevels.begin());
  }
  if (http != nullptr) call->headers = param_headers(*http);
  return call;
}

}  // namespace lode
