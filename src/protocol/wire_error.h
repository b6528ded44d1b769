// Errors as a client sees them: a JSON-RPC code, and over HTTP a status.
//
// The one place where Code becomes a number. Codes of the 2026-07-28 revision
// that older clients do not know are never sent to them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "protocol/revision.h"

namespace lode {

namespace wire {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternal = -32603;
inline constexpr int kResourceNotFound = -32002;    // legacy only
inline constexpr int kHeaderMismatch = -32020;      // modern only
inline constexpr int kMissingCapability = -32021;   // modern only
inline constexpr int kUnsupportedVersion = -32022;  // modern only
inline constexpr int kDenied = -31403;              // ours, outside the reserved ranges
}  // namespace wire

struct WireError {
  int code = wire::kInternal;
  std::string message;
  std::string data;  // JSON text, or empty
  int status = 200;  // over HTTP
};

// What the engine reported. With a uri, it goes into the data where the
// protocol wants it.
WireError wire_error(const Error& error, Revision revision, std::string_view uri = {});

WireError parse_error(std::string message);
// Not a JSON-RPC message.
WireError invalid_request(std::string message);
// The request's own envelope is incomplete (modern) or its parameters are wrong.
WireError invalid_envelope(std::string message);
WireError invalid_params(std::string message);
WireError method_not_found(std::string_view method, Revision revision);
WireError header_mismatch(std::string message);
WireError unsupported_version(std::string_view requested);
// required: the client capabilities that are missing, as a JSON object.
WireError missing_capability(const std::string& required, Revision revision);

}  // namespace lode
