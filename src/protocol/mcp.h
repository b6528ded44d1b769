// The protocol's own words: keys, headers, names of levels.
#pragma once

#include <array>
#include <string_view>

namespace lode::mcp {

// Keys of a request's `_meta` in the modern era.
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";
// Keys of a result's or notification's `_meta`.
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";

// HTTP headers, in lower case as our requests keep them.
inline constexpr std::string_view kHeaderVersion = "mcp-protocol-version";
inline constexpr std::string_view kHeaderMethod = "mcp-method";
inline constexpr std::string_view kHeaderName = "mcp-name";
inline constexpr std::string_view kHeaderParam = "mcp-param-";
inline constexpr std::string_view kHeaderSession = "mcp-session-id";
inline constexpr std::string_view kHeaderLastEvent = "last-event-id";

// By rising severity.
inline constexpr std::array<std::string_view, 8> kLogLevels = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

}  // namespace lode::mcp
