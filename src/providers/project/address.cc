#include "providers/project/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/nearest.h"

namespace lode {
namespace {

constexpr std::string_view kBase = "resource://project/";
constexpr std::string_view kCursorMark = "p1:";  // what is in a cursor before the path

std::string_view name_of(ProjectAspect aspect) {
  return kProjectAspects[static_cast<std::size_t>(aspect)];
}

std::span<const std::string_view> parameters_of(ProjectAspect aspect) {
  static constexpr std::array<std::string_view, 4> kParameters{"pattern", "exclude", "max_depth",
                                                               "cursor"};
  const std::span all(kParameters);
  return aspect == ProjectAspect::files ? all
                                        : all.first(aspect == ProjectAspect::structure ? 3 : 2);
}

std::string in_words(std::span<const std::string_view> words) {
  std::string text;
  for (const auto word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

Error unknown_aspect(std::string_view word) {
  return invalid(fmt::format("\"{}\" is no aspect{}: end the address with one of {}", word,
                             did_you_mean(word, kProjectAspects), in_words(kProjectAspects)));
}

Result<std::size_t> depth_of(std::string_view text) {
  std::size_t depth = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, depth);
  if (read.ec != std::errc() || read.ptr != end || depth < 1 ||
      depth > ProjectAddress::kMostDepth) {
    return invalid(
        fmt::format("max_depth is a whole number from 1 to {}", ProjectAddress::kMostDepth));
  }
  return depth;
}

Result<std::string> path_in(std::string_view cursor) {
  auto text = base64url_decode(cursor);
  if (!text || !text->starts_with(kCursorMark)) {
    return invalid("the cursor is none that was given out: read without it");
  }
  return text->substr(kCursorMark.size());
}

// One parameter's value.
Status set(ProjectAddress& address, std::string_view name, const std::string& value) {
  if (name == "pattern") {
    address.pattern = value;
  } else if (name == "exclude") {
    address.exclude = value;
  } else if (name == "max_depth") {
    auto depth = depth_of(value);
    if (!depth) return std::move(depth).error();
    address.max_depth = *depth;
  } else {
    auto path = path_in(value);
    if (!path) return std::move(path).error();
    address.after = std::move(*path);
  }
  return {};
}

Status read_query(const Address& from, ProjectAddress& address) {
  const auto known = parameters_of(address.aspect);
  const auto unknown = [&](std::string_view name) {
    return invalid(fmt::format("{} has no parameter \"{}\"{}: it has {}", name_of(address.aspect),
                               name, did_you_mean(name, known), in_words(known)));
  };
  for (const auto& name : from.extra()) {
    if (from.find(name) == nullptr) return unknown(name);
    return invalid(fmt::format("the parameter \"{}\" is given twice", name));
  }
  for (const auto name : parameters_of(ProjectAspect::files)) {
    const auto* value = from.find(name);
    if (value == nullptr) continue;
    if (std::ranges::find(known, name) == known.end()) return unknown(name);
    if (auto done = set(address, name, *value); !done) return done;
  }
  return {};
}

}  // namespace

Result<ProjectAddress> ProjectAddress::parse(const Address& from) {
  if (!decoded_path(from.uri())) return not_found("no such resource");  // a slash as %2F
  ProjectAddress address;
  address.path = from.value("path");
  const auto& word = from.value("aspect");
  const auto* aspect = std::ranges::find(kProjectAspects, word);
  if (aspect == kProjectAspects.end()) return unknown_aspect(word);
  address.aspect = static_cast<ProjectAspect>(aspect - kProjectAspects.begin());
  if (auto read = read_query(from, address); !read) return std::move(read).error();
  return address;
}

// Empty segments mean nothing, and no directory's name has a slash in it.
Result<ProjectAddress> ProjectAddress::parse(const Uri& uri) {
  static const auto kPatterns = std::array{UriTemplate::parse(kProjectTemplate).value(),
                                           UriTemplate::parse(kRootTemplate).value()};
  const auto path = decoded_path(uri);
  if (!path) return not_found("no such resource");
  auto plain = std::string(kBase) + encode_path(std::string_view(*path).substr(1));
  if (uri.has_query()) plain.append("?").append(uri.query());
  for (const auto& pattern : kPatterns) {
    if (auto match = pattern.match(plain)) return parse(Address(uri, std::move(*match)));
  }
  return unknown_aspect(std::string_view(*path).substr(path->rfind('/') + 1));
}

std::string ProjectAddress::uri() const {
  std::string text = project_uri(path, aspect);
  char before = '?';
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    text += fmt::format("{}{}={}", std::exchange(before, '&'), name, encode_component(value));
  };
  add("pattern", pattern);
  add("exclude", exclude);
  add("max_depth", max_depth ? std::to_string(*max_depth) : "");
  add("cursor", after.empty() ? "" : base64url_encode(std::string(kCursorMark) + after));
  return text;
}

std::string project_uri(std::string_view path, ProjectAspect aspect) {
  return fmt::format("{}{}{}{}", kBase, encode_path(path), path.empty() ? "" : "/",
                     name_of(aspect));
}

}  // namespace lode
