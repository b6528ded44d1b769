#include "workspace/path_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "workspace/workspace.h"

namespace lode {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Where the first comma is that stands in no braces, or the end.
std::size_t end_of_glob(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\') {
      ++i;
    } else if (list[i] == '{') {
      ++depth;
    } else if (list[i] == '}') {
      --depth;
    } else if (list[i] == ',' && depth <= 0) {
      return i;
    }
  }
  return list.size();
}

}  // namespace

bool PathChoice::PathGlob::matches(std::string_view path, std::size_t begin) const {
  if (name_only) return glob.matches(last_name(path));
  return glob.matches(path) || (begin > 0 && glob.matches(path.substr(begin)));
}

Result<PathChoice::PathGlob> PathChoice::parse_glob(std::string_view text, bool takes) {
  const bool below = text.size() > 1 && text.ends_with('/');
  if (below) text.remove_suffix(1);
  const bool has_slash = text.find('/') != text.npos;
  if (text.starts_with("./")) text.remove_prefix(2);
  if (text.starts_with('/')) text.remove_prefix(1);
  std::string pattern(text);
  if (below && takes) pattern = (has_slash ? "" : "**/") + pattern + "/**";
  auto glob = Glob::parse(pattern);
  if (!glob) return std::move(glob).error();
  return PathGlob{std::move(*glob), !has_slash && !(below && takes)};
}

Result<PathChoice::Globs> PathChoice::parse_list(std::string_view list, bool takes) {
  Globs globs;
  while (!list.empty()) {
    const auto end = end_of_glob(list);
    const auto one = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    if (one.empty()) continue;
    if (globs.size() == kMostGlobs) return invalid(fmt::format("more than {} globs", kMostGlobs));
    auto glob = parse_glob(one, takes);
    if (!glob) return std::move(glob).error();
    globs.push_back(std::move(*glob));
  }
  return globs;
}

Result<PathChoice> PathChoice::parse(std::string_view pattern, std::string_view exclude) {
  PathChoice choice;
  auto taken = parse_list(pattern, true);
  if (!taken) return std::move(taken).error().in("\"pattern\"");
  auto left_out = parse_list(exclude, false);
  if (!left_out) return std::move(left_out).error().in("\"exclude\"");
  choice.taken_ = std::move(*taken);
  choice.left_out_ = std::move(*left_out);
  return choice;
}

bool PathChoice::any(const Globs& globs, std::string_view path, std::size_t begin) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const PathGlob& glob) { return glob.matches(path, begin); });
}

bool PathChoice::takes(std::string_view path, std::size_t begin) const {
  return taken_.empty() || any(taken_, path, begin);
}

bool PathChoice::leaves_out(std::string_view path, std::size_t begin) const {
  return any(left_out_, path, begin);
}

}  // namespace lode
