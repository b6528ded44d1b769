#include "protocol/wire_error.h"

#include <fmt/format.h>

#include <utility>

#include "base/credentials.h"
#include "base/json.h"
#include "base/utf8.h"

namespace lode {
namespace {

constexpr std::size_t kShownMethod = 80;  // bytes of an unknown method that the error repeats

int code_of(Code code, Revision revision, bool resource) {
  switch (code) {
    case Code::not_found:
      return resource && !modern(revision) ? wire::kResourceNotFound : wire::kInvalidParams;
    case Code::invalid:
    case Code::conflict:
    case Code::unsupported: return wire::kInvalidParams;
    case Code::denied: return wire::kDenied;
    case Code::cancelled:
    case Code::timeout:
    case Code::unavailable:
    case Code::internal: return wire::kInternal;
  }
  return wire::kInternal;
}

}  // namespace

WireError wire_error(const Error& error, Revision revision, std::string_view uri) {
  WireError out;
  out.code = code_of(error.code, revision, !uri.empty());
  out.message = error.message;
  const bool retry = error.code == Code::unavailable && error.retry_after.count() > 0;
  if (!uri.empty() || retry) {
    JsonWriter w(out.data);
    w.begin_object().member_if("uri", without_credentials(uri));
    if (retry) w.member("retryAfterMs", std::int64_t{error.retry_after.count()});
    w.end_object();
  }
  return out;
}

WireError parse_error(std::string message) {
  return {wire::kParseError, std::move(message), "", 400};
}

WireError invalid_request(std::string message) {
  return {wire::kInvalidRequest, std::move(message), "", 400};
}

WireError invalid_envelope(std::string message) {
  return {wire::kInvalidParams, std::move(message), "", 400};
}

WireError invalid_params(std::string message) {
  return {wire::kInvalidParams, std::move(message), "", 200};
}

WireError method_not_found(std::string_view method, Revision revision) {
  return {wire::kMethodNotFound,
          fmt::format("no method \"{}\" here", cut_text(method, kShownMethod)), "",
          modern(revision) ? 404 : 200};
}

WireError header_mismatch(std::string message) {
  return {wire::kHeaderMismatch, std::move(message), "", 400};
}

WireError unsupported_version(std::string_view requested) {
  WireError out{wire::kUnsupportedVersion, "this protocol version is not served here", "", 400};
  JsonWriter w(out.data);
  w.begin_object().key("supported").begin_array().value(to_string(kNewest)).end_array();
  w.member("requested", requested).end_object();
  return out;
}

WireError missing_capability(const std::string& required, Revision revision) {
  std::string message = "the client lacks a capability that this request needs: " + required;
  if (!modern(revision)) return {wire::kInternal, std::move(message), "", 200};
  WireError out{wire::kMissingCapability, std::move(message), "", 400};
  JsonWriter(out.data).begin_object().raw_member("requiredCapabilities", required).end_object();
  return out;
}

}  // namespace lode
