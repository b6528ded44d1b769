// Base64 (RFC 4648), for blobs on the wire, cursors and signed links.
//
// Decoding is strict, so that one sequence of bytes has exactly one spelling:
// no white space, no character of the other alphabet, no bits left over that
// are not zero. Anything else is nullopt.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lode {

// The standard alphabet (+ and /), always padded with '='.
std::string base64_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);

// The URL-safe alphabet (- and _), never padded.
std::string base64url_encode(std::string_view bytes);
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace lode
