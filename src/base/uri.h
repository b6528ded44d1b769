// An absolute URI, the name of everything that Lode serves.
//
//   resource://file/src/a.ts/symbols?compact=true
//   \______/   \__/\_______________/ \__________/
//    scheme  authority    path          query
//
// A Uri is parsed and normalised once and never changes: one buffer and three
// offsets, cheap to copy, safe to share between threads. Two spellings that
// RFC 3986 calls equivalent are equal, so a Uri is a key for policy, cache and
// subscriptions:
//
//   - scheme and host are in lower case, an empty port is gone;
//   - percent-encodings are in upper case, those of unreserved characters are
//     decoded (%61 is a); no other is ever decoded: %2F is not a slash and %40
//     is not an @;
//   - characters that a URI may not hold (a space, "<>[]^`{|}) are encoded in path
//     and query, since people and clients write app/[slug]/a b.tsx as it stands;
//   - dot segments are removed; empty segments stay (a//b has three).
//
// Refused, with a message for the client: what is longer than kMaxLength,
// before or after normalisation; spaces before the path; control characters, backslashes,
// bytes beyond ASCII, malformed percent-encodings, %00; text that decodes to
// invalid UTF-8; a missing scheme; a fragment; user information before the
// host; a `..` that climbs above the root, however it is spelled, or that
// hides behind an encoded slash.
//
// A URI whose path does not begin with a slash and that has no authority
// (urn:x:y, mailto:a) is opaque: its path is one segment and is not resolved.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace lode {

class Uri {
 public:
  static constexpr std::size_t kMaxLength = 8192;

  // Code::invalid says what is wrong; the message does not repeat the text.
  static Result<Uri> parse(std::string_view text);

  // The text as it stands, for families of addresses whose bytes are nobody's affair
  // but their provider's: its path is all that follows the scheme, in one segment, and
  // it has neither authority nor query. Code::invalid: it has no scheme, is too long,
  // or holds a byte that no URI can (a space, a control character, one beyond ASCII).
  static Result<Uri> verbatim(std::string_view text);
  bool is_verbatim() const { return verbatim_; }

  // The parts, normalised and still encoded; valid as long as this Uri.
  std::string_view text() const { return text_; }
  std::string_view scheme() const { return part(0, scheme_end_); }
  // Host and port. Empty both in file:///x and in mailto:x; has_authority()
  // tells them apart.
  std::string_view authority() const;
  bool has_authority() const { return path_begin_ > scheme_end_ + 1U; }
  std::string_view path() const { return part(path_begin_, path_end_); }
  // Without the '?'. Empty both in x://a and in x://a?; has_query() tells.
  std::string_view query() const;
  bool has_query() const { return path_end_ < text_.size(); }

  // The value of the first parameter of that (decoded) name, decoded once;
  // empty for a name without '='. A '+' is a plus sign, not a space: RFC 6570
  // writes %20, and a space sent as '+' cannot be told from a plus.
  std::optional<std::string> query_value(std::string_view name) const;

  // The path between its slashes, each segment decoded once: /a//b/ is
  // {"a", "", "b", ""}; no path and "/" have none; an opaque path is one.
  // A segment may hold a '/' that was written as %2F: who makes a file name of
  // a segment refuses that.
  std::vector<std::string> segments() const;

  Uri without_query() const;
  // The same, as text; valid as long as this Uri.
  std::string_view text_without_query() const { return part(0, path_end_); }

  // True if this is base or lies below it: same scheme and authority, and the
  // segments of base's path begin ours. By segment, never by prefix: x://h/ab
  // is not within x://h/a. A slash at the end of base's path means nothing, so
  // a base without path (or "/") holds all of its authority. Queries are
  // ignored. An opaque URI is within its equal, and within its bare scheme
  // ("urn:"). A verbatim one is within what it begins with, byte for byte.
  bool within(const Uri& base) const;

  friend bool operator==(const Uri& a, const Uri& b) { return a.text_ == b.text_; }
  friend std::strong_ordering operator<=>(const Uri& a, const Uri& b) {
    return a.text_ <=> b.text_;
  }

 private:
  friend class UriParser;
  Uri() = default;

  bool opaque() const { return verbatim_ || (!has_authority() && !path().starts_with('/')); }
  std::string_view part(std::size_t begin, std::size_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }

  std::string text_;
  std::uint16_t scheme_end_ = 0;  // the ':'
  std::uint16_t path_begin_ = 0;  // just after the ':' if there is no authority
  std::uint16_t path_end_ = 0;    // the '?', or the end of the text
  bool verbatim_ = false;
};

// Whether the path of a URI is what it decodes to, and encode_path() would write it
// like this: as nearly all are.
bool plain_path(std::string_view path);

// The path of a URI as file systems have it: decoded, begun by a slash, without empty
// segments. Nothing if no file can have that name.
std::optional<std::string> decoded_path(const Uri& uri);

// Percent-encodes a path (of a file, say), so that it can stand in a URI after
// the authority: all but unreserved characters and "/:!$&'()*+,;=". An '@' is
// encoded, since a literal one begins a revision.
std::string encode_path(std::string_view raw);

// The address of a file by its absolute path: file:///… No Uri can be made of it if
// the path is no UTF-8 or too long.
std::string file_uri(std::string_view absolute);

// Percent-encodes all but unreserved characters (letters, digits, "-._~").
std::string encode_component(std::string_view raw);

// Decodes every percent-encoding, once. Code::invalid for a '%' that two hex
// digits do not follow, and for %00. Does not look at UTF-8; what comes out of
// a Uri is valid.
Result<std::string> decode(std::string_view encoded);

// The parameters of a query (without the '?') in their order, names and values
// decoded once as by Uri::query_value(); empty pieces (a&&b) are skipped.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;
Result<QueryParameters> parse_query(std::string_view query);

// Letters, digits and "-._~".
bool is_unreserved(char c);

// Whether text has a '%' and two hex digits at that offset.
bool has_encoding_at(std::string_view text, std::size_t offset);

}  // namespace lode

template <>
struct std::hash<lode::Uri> {
  std::size_t operator()(const lode::Uri& uri) const noexcept {
    return std::hash<std::string_view>()(uri.text());
  }
};
