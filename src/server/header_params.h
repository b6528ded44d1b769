// Headers that repeat the arguments of a tool (modern HTTP).
//
// A gateway in between may route by headers without parsing the body, so both
// must say the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "transport/http_server.h"

namespace lode {

// The text that a value stands for: what HTTP cannot carry is written as "=?base64?…?=".
// Nothing: it is malformed.
std::optional<std::string> decode_header_value(std::string_view value);

// Holds Mcp-Param-* headers against a tool's arguments, as the `x-mcp-header`
// marks of its schema demand. Nothing: all is well; else what is wrong.
std::optional<std::string> check_param_headers(const HttpHeaders& headers, const Json& schema,
                                               const Json& arguments);

// Whether the marks in a schema are well-formed: tokens, unique, and only on
// strings, integers and booleans reached through `properties` alone.
Status check_header_marks(const Json& schema);

}  // namespace lode
