// URIs. Input: a URI; after a line end, another one.
//
//  - The normal form is its own normal form, and its parts are parts of it.
//  - It is a URI by another parser (Boost.URL), with the same parts.
//  - No dot segment is left, neither as it stands nor decoded once, and none led
//    above the root.
//  - Segments and parameters are decoded once: encoded again, they come back.
//  - Below a base is what begins with its segments.
#include "base/uri.h"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "fuzz.h"

namespace lode::fuzz {
namespace {

std::string_view view(const auto& text) { return {text.data(), text.size()}; }

void check_normal(const Uri& uri) {
  const auto again = Uri::parse(uri.text());
  check(again.ok(), "a normal form is a URI");
  check(*again == uri && again->path() == uri.path() && again->query() == uri.query() &&
            again->authority() == uri.authority() && again->scheme() == uri.scheme(),
        "and its own normal form");
  std::string joined(uri.scheme());
  joined += ':';
  if (uri.has_authority()) joined.append("//").append(uri.authority());
  joined += uri.path();
  if (uri.has_query()) joined.append("?").append(uri.query());
  check(joined == uri.text(), "the parts make up the whole");
  check(uri.text().size() <= Uri::kMaxLength, "its length is bounded");
}

void check_by_another_parser(const Uri& uri) {
  // We do not look into an address in brackets; the other does.
  if (uri.authority().starts_with('[')) return;
  const auto other = boost::urls::parse_uri({uri.text().data(), uri.text().size()});
  check(other.has_value(), "another parser takes it for a URI");
  check(view(other->scheme()) == uri.scheme() && view(other->encoded_path()) == uri.path() &&
            view(other->encoded_query()) == uri.query() &&
            view(other->encoded_authority()) == uri.authority(),
        "with the same parts");
}

void check_dots(const Uri& uri) {
  if (!uri.path().starts_with('/')) return;
  for (const auto& segment : uri.segments()) {
    check(segment != "." && segment != "..", "no segment is a dot segment");
    check(segment.find('\0') == std::string::npos, "nor has a NUL");
    check(valid_utf8(segment), "nor is anything but UTF-8");
  }
  const auto decoded = decode(uri.path());
  check(decoded.ok(), "a path can be decoded");
  check((*decoded + "/").find("/../") == std::string::npos, "no dots come out of decoding");
}

// A path that climbs above its root, with dots as they are or encoded, is not
// taken for another that does not.
void check_climb(std::string_view text, const Uri& uri) {
  if (!uri.path().starts_with('/')) return;
  text.remove_prefix(text.find(':') + 1);
  if (text.starts_with("//"))
    text.remove_prefix(std::min(text.find_first_of("/?", 2), text.size()));
  text = text.substr(0, text.find('?'));
  int depth = 0;
  while (!text.empty()) {
    text.remove_prefix(1);
    const auto segment = decode(text.substr(0, text.find('/')));
    text.remove_prefix(std::min(text.find('/'), text.size()));
    depth += *segment == ".." ? -1 : (*segment == "." ? 0 : 1);
    check(depth >= 0, "what climbs above its root is refused");
  }
}

void check_encoded_again(const Uri& uri) {
  if (!uri.path().starts_with('/')) return;
  std::string text(uri.scheme());
  text += ':';
  if (uri.has_authority()) text.append("//").append(uri.authority());
  for (const auto& segment : uri.segments()) text.append("/").append(encode_component(segment));
  if (text.size() > Uri::kMaxLength) return;
  const auto again = Uri::parse(text);
  check(again.ok(), "encoded segments make a URI");
  check(again->segments() == uri.segments(), "with the same segments");
}

void check_query(const Uri& uri) {
  const auto parameters = parse_query(uri.query());
  check(parameters.ok(), "a query can be read");
  for (const auto& [name, value] : *parameters) {
    const auto first =
        std::find_if(parameters->begin(), parameters->end(),
                     [&name = name](const auto& pair) { return pair.first == name; });
    check(uri.query_value(name) == first->second, "the first of a name is its value");
  }
  check(!uri.without_query().has_query(), "a query can be left out");
  check(uri.without_query().path() == uri.path(), "and nothing else goes with it");
}

// What stands behind each slash; all of an opaque path.
std::vector<std::string> split(std::string_view path) {
  if (!path.starts_with('/')) return {std::string(path)};
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    segments.emplace_back(path.substr(0, path.find('/')));
    path.remove_prefix(segments.back().size());
  }
  return segments;
}

void check_within(const Uri& uri, const Uri& base) {
  check(uri.within(uri) && uri.within(uri.without_query()), "a URI is within itself");
  if (!uri.within(base)) return;
  check(uri.scheme() == base.scheme() && uri.authority() == base.authority(),
        "what is within has the scheme and authority");
  const auto ours = split(uri.path());
  auto theirs = split(base.path());
  if (theirs.back().empty()) theirs.pop_back();  // a slash at the end means nothing
  check(ours.size() >= theirs.size() && std::equal(theirs.begin(), theirs.end(), ours.begin()),
        "and begins with the segments of the base");
}

void check_encoding(std::string_view raw) {
  if (raw.find('\0') != std::string_view::npos) return;
  for (const auto& encoded : {encode_component(raw), encode_path(raw)}) {
    const auto decoded = decode(encoded);
    check(decoded.ok() && *decoded == raw, "what is encoded is decoded by one decoding");
  }
}

}  // namespace

void run(std::string_view input) {
  check_encoding(input);
  const auto first = take_until(input, '\n');
  const auto uri = Uri::parse(first);
  if (!uri) {
    check(uri.error().code == Code::invalid && !uri.error().message.empty(), "a refusal says why");
    return;
  }
  check_normal(*uri);
  check_by_another_parser(*uri);
  check_dots(*uri);
  check_climb(first, *uri);
  check_encoded_again(*uri);
  check_query(*uri);
  if (const auto base = Uri::parse(input)) {
    check_within(*uri, *base);
    check((*uri == *base) == (uri->text() == base->text()), "equality is that of the normal form");
  }
}

}  // namespace lode::fuzz
