#include "base/uri.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/utf8.h"

namespace lode {
namespace {

// What a character may be; a table, since a URI is parsed for every request.
enum : std::uint8_t {
  kUnreserved = 1,
  kSubDelim = 2,
  kPathOnly = 4,   // : @ /
  kQueryOnly = 8,  // ?
  kAlpha = 16,
  kDigit = 32,
};
constexpr std::uint8_t kInPath = kUnreserved | kSubDelim | kPathOnly;
constexpr std::uint8_t kInQuery = kInPath | kQueryOnly;

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  const auto mark = [&](std::string_view members, int bits) {
    for (char c : members) classes[static_cast<std::uint8_t>(c)] |= static_cast<std::uint8_t>(bits);
  };
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", kUnreserved | kAlpha);
  mark("0123456789", kUnreserved | kDigit);
  mark("-._~", kUnreserved);
  mark("!$&'()*+,;=", kSubDelim);
  mark(":@/", kPathOnly);
  mark("?", kQueryOnly);
  return classes;
}

constexpr auto kClasses = make_classes();

bool is(char c, int classes) { return (kClasses[static_cast<std::uint8_t>(c)] & classes) != 0; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// 0 to 15, or -1.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return -1;
}

// REQUIRES: has_encoding_at(text, at).
char encoded_byte(std::string_view text, std::size_t at) {
  return static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
}

void append_encoded(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = static_cast<std::uint8_t>(c);
  out.push_back('%');
  out.push_back(kHex[byte >> 4]);
  out.push_back(kHex[byte & 15]);
}

std::string encode_all_but(int classes, std::string_view exceptions, std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (char c : raw) {
    if (is(c, classes) && exceptions.find(c) == std::string_view::npos) {
      out.push_back(c);
    } else {
      append_encoded(out, c);
    }
  }
  return out;
}

// REQUIRES: every '%' begins an encoding.
std::string decode_checked(std::string_view encoded) {
  std::string out;
  out.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      out.push_back(encoded[i]);
    } else {
      out.push_back(encoded_byte(encoded, i));
      i += 2;
    }
  }
  return out;
}

Status check_encodings(std::string_view text) {
  for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3)) {
    if (!has_encoding_at(text, at)) return invalid("a '%' must be followed by two hex digits");
    if (encoded_byte(text, at) == '\0') return invalid("%00 is not allowed");
  }
  return {};
}

Status check_byte(char c) {
  if (static_cast<std::uint8_t>(c) >= 0x80) {
    return invalid("characters beyond ASCII must be percent-encoded as UTF-8");
  }
  if (c < ' ' || c == '\x7f') return invalid("control characters are not allowed");
  if (c == '\\') return invalid("a backslash must be written as %5C, and a path with slashes");
  if (c == '#')
    return invalid("resources have no fragments: leave out the '#' and what follows it");
  return {};
}

// Each character that the part allows, or else its encoding, in one spelling.
void append_normalised(std::string& out, std::string_view part, int allowed) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool encoded = part[i] == '%';
    const char c = encoded ? encoded_byte(part, i) : part[i];
    if (is(c, encoded ? kUnreserved : allowed)) {
      out.push_back(c);
    } else {
      append_encoded(out, c);
    }
    if (encoded) i += 2;
  }
}

// Calls visit with each piece of text between separators.
template <class Visit>
void split(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const auto at = text.find(separator);
    visit(text.substr(0, at));
    if (at == std::string_view::npos) return;
    text.remove_prefix(at + 1);
  }
}

Result<std::string> without_dot_segments(std::string_view path) {
  std::string out;
  bool climbed = false;
  bool ends_in_dots = false;
  split(path.substr(1), '/', [&](std::string_view segment) {
    ends_in_dots = segment == "." || segment == "..";
    if (!ends_in_dots) out.append("/").append(segment);
    if (segment != "..") return;
    climbed |= out.empty();
    if (!out.empty()) out.erase(out.rfind('/'));
  });
  if (climbed) return invalid("the path climbs above its root with '..'");
  if (ends_in_dots) out.push_back('/');
  return out;
}

// Who decodes a whole path would see these as dot segments.
bool has_hidden_dots(std::string_view path) {
  if (path.find("%2F") == std::string_view::npos) return false;
  const std::string plain = decode_checked(path) + "/";
  return plain.find("/../") != std::string::npos;
}

bool is_host(std::string_view host) {
  if (host.starts_with('[')) {
    if (host.size() < 4 || !host.ends_with(']')) return false;
    return std::all_of(host.begin() + 1, host.end() - 1,
                       [](char c) { return hex_digit(c) >= 0 || c == ':' || c == '.'; });
  }
  return std::all_of(host.begin(), host.end(),
                     [](char c) { return c == '%' || is(c, kUnreserved | kSubDelim); });
}

void append_host(std::string& out, std::string_view host) {
  for (std::size_t i = 0; i < host.size(); ++i) {
    const bool encoded = host[i] == '%';
    const char c = encoded ? encoded_byte(host, i) : host[i];
    if (encoded && !is(c, kUnreserved)) {
      append_encoded(out, c);
    } else {
      out.push_back(lower(c));
    }
    if (encoded) i += 2;
  }
}

}  // namespace

// Takes the text apart from left to right and writes the normal form into a
// Uri. Every byte and every encoding is checked before anything is looked at.
class UriParser {
 public:
  explicit UriParser(std::string_view text) : rest_(text) {}

  Result<Uri> run() {
    using Step = Status (UriParser::*)();
    for (Step step : {&UriParser::check_input, &UriParser::scheme, &UriParser::authority,
                      &UriParser::path, &UriParser::query, &UriParser::check_output}) {
      if (Status done = (this->*step)(); !done) return std::move(done).error();
    }
    return std::move(uri_);
  }

 private:
  Status check_input() {
    if (rest_.size() > Uri::kMaxLength) return too_long();
    for (char c : rest_) {
      if (is(c, kInQuery) || c == ' ') continue;
      if (Status fine = check_byte(c); !fine) return fine;
    }
    return check_encodings(rest_);
  }

  Status scheme() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), [](char c) {
      return is(c, kAlpha | kDigit) || c == '+' || c == '-' || c == '.';
    });
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    if (size == 0 || end == rest_.end() || *end != ':' || !is(rest_.front(), kAlpha)) {
      return invalid("a URI begins with a scheme and a colon, such as file:");
    }
    uri_.text_.reserve(rest_.size());
    for (char c : take(size)) uri_.text_.push_back(lower(c));
    uri_.text_.append(take(1));
    uri_.scheme_end_ = static_cast<std::uint16_t>(size);
    return {};
  }

  Status authority() {
    if (rest_.starts_with("//")) {
      uri_.text_.append(take(2));
      if (Status fine = host_and_port(take(rest_.find_first_of("/?"))); !fine) return fine;
    }
    uri_.path_begin_ = static_cast<std::uint16_t>(uri_.text_.size());
    return {};
  }

  Status host_and_port(std::string_view raw) {
    if (raw.find('@') != std::string_view::npos) {
      return invalid("user information before the host is not allowed");
    }
    const auto bracket = raw.starts_with('[') ? raw.find(']') : 0;
    const auto colon = raw.find(':', bracket);
    const auto host = raw.substr(0, colon);
    const auto port = raw.substr(std::min(colon, raw.size()));
    if (!is_host(host)) return invalid("the host is malformed");
    if (port.find_first_not_of("0123456789", 1) != std::string_view::npos) {
      return invalid("the port is not a number");
    }
    append_host(uri_.text_, host);
    if (port.size() > 1) uri_.text_.append(port);
    return {};
  }

  Status path() {
    append_normalised(uri_.text_, take(rest_.find('?')), kInPath);
    const auto path = std::string_view(uri_.text_).substr(uri_.path_begin_);
    if (path.starts_with('/')) {
      if (path.find("/.") != std::string_view::npos) {
        auto resolved = without_dot_segments(path);
        if (!resolved) return std::move(resolved).error();
        uri_.text_.replace(uri_.path_begin_, std::string::npos, *resolved);
      }
      if (Status fine = check_path(); !fine) return fine;
    }
    uri_.path_end_ = static_cast<std::uint16_t>(uri_.text_.size());
    return {};
  }

  Status check_path() const {
    const auto path = std::string_view(uri_.text_).substr(uri_.path_begin_);
    if (has_hidden_dots(path)) return invalid("'..' beside an encoded slash is not allowed");
    // Written out, it would be read as an authority.
    if (!uri_.has_authority() && path.starts_with("//")) {
      return invalid("a path that begins with '//' needs an authority before it");
    }
    return {};
  }

  Status query() {
    if (rest_.empty()) return {};
    uri_.text_.append(take(1));
    append_normalised(uri_.text_, take(rest_.size()), kInQuery);
    return {};
  }

  Status check_output() {
    if (uri_.text_.size() > Uri::kMaxLength) return too_long();
    if (uri_.text_.find('%') == std::string::npos) return {};
    const std::string decoded = decode_checked(uri_.text_);
    if (valid_utf8(decoded)) return {};
    return invalid("the percent-encoded bytes are not UTF-8");
  }

  static Error too_long() {
    return invalid("the URI is longer than " + std::to_string(Uri::kMaxLength) + " bytes");
  }

  // Removes and returns the first count characters, or all there are.
  std::string_view take(std::size_t count) {
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  Uri uri_;
};

Result<Uri> Uri::parse(std::string_view text) { return UriParser(text).run(); }

std::string_view Uri::authority() const {
  return has_authority() ? part(scheme_end_ + 3U, path_begin_) : std::string_view();
}

std::string_view Uri::query() const {
  return has_query() ? part(path_end_ + 1U, text_.size()) : std::string_view();
}

std::optional<std::string> Uri::query_value(std::string_view name) const {
  if (!has_query()) return std::nullopt;
  auto parameters = parse_query(query());
  assert(parameters.ok());
  for (auto& [key, value] : *parameters) {
    if (key == name) return std::move(value);
  }
  return std::nullopt;
}

std::vector<std::string> Uri::segments() const {
  if (path().empty() || path() == "/") return {};
  if (verbatim_) return {std::string(path())};
  if (opaque()) return {decode_checked(path())};
  std::vector<std::string> segments;
  split(path().substr(1), '/',
        [&](std::string_view segment) { segments.push_back(decode_checked(segment)); });
  return segments;
}

Uri Uri::without_query() const {
  Uri plain = *this;
  plain.text_.resize(path_end_);
  return plain;
}

Result<Uri> Uri::verbatim(std::string_view text) {
  if (text.size() > kMaxLength) return invalid("the URI is too long");
  const auto colon = text.find(':');
  const bool scheme =
      colon != 0 && colon != std::string_view::npos && is(text[0], kAlpha) &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return is(c, kAlpha | kDigit) || c == '+' || c == '-' || c == '.';
      });
  if (!scheme) return invalid("the URI has no scheme");
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; })) {
    return invalid("the URI holds a character that no URI can; it is written %XX");
  }
  Uri uri;
  uri.text_ = text;
  uri.scheme_end_ = static_cast<std::uint16_t>(colon);
  uri.path_begin_ = static_cast<std::uint16_t>(colon + 1);
  uri.path_end_ = static_cast<std::uint16_t>(text.size());
  uri.verbatim_ = true;
  return uri;
}

bool Uri::within(const Uri& base) const {
  if (verbatim_) return text_.starts_with(base.text_);
  if (part(0, path_begin_) != base.part(0, base.path_begin_)) return false;
  if (base.path().empty() || path() == base.path()) return true;
  if (opaque() || base.opaque()) return false;
  std::string_view stem = base.path();
  if (stem.ends_with('/')) stem.remove_suffix(1);
  if (!path().starts_with(stem)) return false;
  return path().size() == stem.size() || path()[stem.size()] == '/';
}

bool plain_path(std::string_view path) {
  char before = ' ';
  for (const char c : path) {
    if (c == '%' || c == '@' || (c == '/' && before == '/')) return false;
    before = c;
  }
  return path.size() > 1 && path.front() == '/' && before != '/';
}

std::optional<std::string> decoded_path(const Uri& uri) {
  if (plain_path(uri.path())) return std::string(uri.path());
  std::string path;
  for (const auto& segment : uri.segments()) {
    if (segment.find('/') != std::string::npos || segment.find('\0') != std::string::npos) {
      return std::nullopt;
    }
    if (!segment.empty()) path.append("/").append(segment);
  }
  return path.empty() ? "/" : path;
}

std::string encode_path(std::string_view raw) { return encode_all_but(kInPath, "@", raw); }

std::string file_uri(std::string_view absolute) { return "file://" + encode_path(absolute); }

std::string encode_component(std::string_view raw) { return encode_all_but(kUnreserved, "", raw); }

Result<std::string> decode(std::string_view encoded) {
  if (Status fine = check_encodings(encoded); !fine) return std::move(fine).error();
  return decode_checked(encoded);
}

Result<QueryParameters> parse_query(std::string_view query) {
  if (Status fine = check_encodings(query); !fine) return std::move(fine).error();
  QueryParameters parameters;
  split(query, '&', [&](std::string_view piece) {
    if (piece.empty()) return;
    const auto equals = std::min(piece.find('='), piece.size());
    const auto value = piece.substr(std::min(equals + 1, piece.size()));
    parameters.emplace_back(decode_checked(piece.substr(0, equals)), decode_checked(value));
  });
  return parameters;
}

bool is_unreserved(char c) { return is(c, kUnreserved); }

bool has_encoding_at(std::string_view text, std::size_t offset) {
  return offset + 2 < text.size() && text[offset] == '%' && hex_digit(text[offset + 1]) >= 0 &&
         hex_digit(text[offset + 2]) >= 0;
}

}  // namespace lode
