#include "workspace/path_choice.h"

#include <algorithm>
#include <string>
#include <utility>

#include "workspace/paths.h"

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
  const bool has_slash = text.find('/') < text.size() - 1;
  if (text.starts_with("./")) text.remove_prefix(2);
  if (text.starts_with('/')) text.remove_prefix(1);
  std::string pattern(text);
  const bool below = pattern.ends_with('/');
  if (below) pattern = takes ? pattern + "**" : pattern.substr(0, pattern.size() - 1);
  auto glob = Glob::parse(pattern);
  if (!glob) return std::move(glob).error();
  return PathGlob{std::move(*glob), !has_slash && !(below && takes)};
}

Result<PathChoice> PathChoice::parse(std::string_view pattern, std::string_view exclude) {
  PathChoice choice;
  if (!pattern.empty()) {
    auto glob = parse_glob(pattern, true);
    if (!glob) return std::move(glob).error().in("\"pattern\"");
    choice.taken_ = std::move(*glob);
  }
  while (!exclude.empty()) {
    const auto end = end_of_glob(exclude);
    const auto one = trimmed(exclude.substr(0, end));
    exclude.remove_prefix(std::min(end + 1, exclude.size()));
    if (one.empty()) continue;
    auto glob = parse_glob(one, false);
    if (!glob) return std::move(glob).error().in("\"exclude\"");
    choice.left_out_.push_back(std::move(*glob));
  }
  return choice;
}

bool PathChoice::takes(std::string_view path, std::size_t begin) const {
  return !taken_ || taken_->matches(path, begin);
}

bool PathChoice::leaves_out(std::string_view path, std::size_t begin) const {
  return std::any_of(left_out_.begin(), left_out_.end(),
                     [&](const PathGlob& glob) { return glob.matches(path, begin); });
}

}  // namespace lode
