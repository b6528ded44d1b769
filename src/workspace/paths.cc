#include "workspace/paths.h"

#include <algorithm>
#include <vector>

#include "base/uri.h"

namespace lode {
namespace {

constexpr std::string_view kFileScheme = "file:";

}  // namespace

std::optional<std::string> resolve_dots(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (segment == "..") {
      if (segments.empty()) return std::nullopt;
      segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  std::string out;
  for (const auto segment : segments) out.append(out.empty() ? "" : "/").append(segment);
  return out;
}

std::optional<Workspace::Place> find_place(const Workspace& workspace, std::string_view argument) {
  if (argument.starts_with(kFileScheme)) {
    const auto uri = Uri::parse(argument);
    const auto path = uri && uri->authority().empty() ? decoded_path(*uri) : std::nullopt;
    return path ? workspace.find(*path) : std::nullopt;
  }
  const auto path = resolve_dots(argument);
  if (!path) return std::nullopt;
  return argument.starts_with('/') ? workspace.find("/" + *path) : workspace.find_short(*path);
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view parent_path(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace lode
