#include "providers/backlog/manage_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/uri.h"
#include "providers/backlog/layout.h"
#include "workspace/changes.h"

namespace lode {
namespace {

constexpr std::string_view kFile = "file://";
constexpr std::array<std::string_view, 6> kMachinePaths{"file://", "/home/", "/Users/",
                                                        "/root/",  "~/",     "/tmp/"};

// C:\… or C:/…
bool is_drive_path(std::string_view text) {
  const char c = text.empty() ? '\0' : static_cast<char>(text[0] | 32);
  return text.size() > 2 && c >= 'a' && c <= 'z' && text[1] == ':' &&
         (text[2] == '\\' || (text[2] == '/' && (text.size() == 3 || text[3] != '/')));
}

// The absolute path that it names; nothing: it names none.
std::optional<std::string> path_in(const std::string& url) {
  if (url.starts_with('/')) return url;
  if (!url.starts_with(kFile)) return std::nullopt;
  const auto uri = Uri::parse(url);
  return uri ? decoded_path(*uri) : std::nullopt;
}

}  // namespace

std::string TaskLinks::portable(const std::string& url) const {
  const auto hash = url.find('#');
  const auto fragment = hash == url.npos ? std::string() : url.substr(hash);
  const auto path = path_in(url.substr(0, hash));
  if (!path) return url;
  if (is_within(*path, backlog_) && path->size() > backlog_.size()) {
    constexpr std::string_view kArtifacts = "artifacts/";
    const auto below = path->substr(backlog_.size() + 1);
    if (type_of_task_file(below)) return task_uri(id_of_task_file(below)) + fragment;
    if (below.starts_with(kArtifacts)) {
      return "mcp://backlog/artifacts/" + encode_path(below.substr(kArtifacts.size())) + fragment;
    }
  }
  const auto inside = resource_path_ ? resource_path_(*path) : std::nullopt;
  if (!inside || inside->empty()) return url;
  return "mcp://backlog/resources/" + encode_path(*inside) + fragment;
}

bool TaskLinks::is_machine_specific(std::string_view url) {
  return url.starts_with('/') || is_drive_path(url) ||
         std::any_of(kMachinePaths.begin(), kMachinePaths.end(),
                     [&](std::string_view begin) { return url.starts_with(begin); });
}

std::vector<std::string> TaskLinks::machine_specific_in(std::string_view text) const {
  constexpr std::size_t kMost = 5;
  constexpr std::size_t kBytes = 300;
  constexpr std::string_view kEnds = " \t\r\n\"'<>()[]`|";
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size() && out.size() < kMost;) {
    const auto begin = text.find_first_not_of(kEnds, at);
    if (begin == text.npos) break;
    const auto end = std::min(text.find_first_of(kEnds, begin), text.size());
    auto word = text.substr(begin, end - begin);
    at = end;
    while (!word.empty() &&
           std::string_view(".,;:!?").find(word.back()) != std::string_view::npos) {
      word.remove_suffix(1);
    }
    const bool specific =
        is_drive_path(word) ||
        std::any_of(kMachinePaths.begin(), kMachinePaths.end(), [&](std::string_view prefix) {
          return word.starts_with(prefix) && word.size() > prefix.size();
        });
    if (!specific || word.size() > kBytes) continue;
    const std::string found(word);
    const auto right = portable(found);
    auto line = right == found ? found : fmt::format("{} (write {})", found, right);
    if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
  }
  return out;
}

}  // namespace lode
