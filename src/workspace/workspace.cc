#include "workspace/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/uri.h"

namespace lode {
namespace {

constexpr std::string_view kFileScheme = "file:";

}  // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(const std::vector<std::string>& paths,
                                                   SecretRules secrets) {
  std::unique_ptr<Workspace> workspace(new Workspace(std::move(secrets)));
  for (const auto& path : paths) {
    auto root = Root::open(path);
    if (!root) return std::move(root).error().in("opening the workspace");
    std::string name = workspace->free_name(root->path());
    workspace->trees_.emplace_back(std::move(*root), std::move(name));
  }
  if (workspace->trees_.empty()) return invalid("a workspace needs a directory");
  return workspace;
}

std::optional<Workspace::Place> Workspace::find(std::string_view absolute) const {
  for (auto& tree : trees_) {
    const std::string& root = tree.root.path();
    if (absolute == root) return Place{&tree, ""};
    if (!absolute.starts_with(root)) continue;
    if (root != "/" && absolute[root.size()] != '/') continue;
    return visible(tree, absolute.substr(root == "/" ? 1 : root.size() + 1));
  }
  return std::nullopt;
}

bool Workspace::is_followed(const Place& place) {
  return !place.tree->ignore.ignored(parent_path(place.relative), true);
}

std::optional<Workspace::Place> Workspace::visible(Tree& tree, std::string_view relative) const {
  if (secrets_.hides(relative)) return std::nullopt;
  return Place{&tree, std::string(relative)};
}

std::string Workspace::free_name(std::string_view path) const {
  const std::string name(path.substr(path.rfind('/') + 1));
  const auto taken = [&](const std::string& wanted) {
    return std::any_of(trees_.begin(), trees_.end(),
                       [&](const Tree& tree) { return tree.name == wanted; });
  };
  std::string free = name;
  for (int n = 2; taken(free); ++n) free = fmt::format("{}-{}", name, n);
  return free;
}

std::optional<Workspace::Place> Workspace::find_short(std::string_view path) const {
  if (trees_.size() == 1) return visible(trees_.front(), path == "." ? "" : path);
  const auto name = path.substr(0, path.find('/'));
  for (auto& tree : trees_) {
    if (tree.name == name) {
      return visible(tree, path.substr(std::min(name.size() + 1, path.size())));
    }
  }
  return std::nullopt;
}

std::string Workspace::absolute(const Tree& tree, std::string_view relative) {
  const auto& root = tree.root.path();
  return relative.empty() ? root : join_path(root, relative);
}

std::string Workspace::short_name(const Place& place) const {
  if (trees_.size() == 1) return place.relative;
  return place.relative.empty() ? place.tree->name : join_path(place.tree->name, place.relative);
}

// A file that is replaced by another between the opening and the question where it is
// has no path any more: the other one is opened then.
Result<Workspace::Opened> Workspace::open_real(const Place& place) const {
  constexpr int kReplacements = 8;
  for (int attempt = 0; attempt < kReplacements; ++attempt) {
    auto file = place.tree->root.open_inside(place.relative);
    if (!file) return std::move(file).error();
    auto real = place.tree->root.real_path(*file);
    if (!real && file->is_regular()) continue;
    if (!real || secrets_.hides(*real)) break;
    return Opened{std::move(*file), {place.tree, std::move(*real)}};
  }
  return not_found("no such file");
}

Result<OpenFile> Workspace::open(const Place& place) const {
  auto opened = open_real(place);
  if (!opened) return std::move(opened).error();
  return std::move(opened->file);
}

// A link that leads out of its root is opened by nobody, so where it leads does not
// matter: the name is what it is.
std::string Workspace::real_path(std::string_view absolute) const {
  for (const auto& tree : trees_) {
    const std::string& root = tree.root.path();
    const std::string begin = root.ends_with('/') ? root : root + "/";
    if (!absolute.starts_with(begin)) continue;
    std::string relative(absolute.substr(begin.size()));
    std::string rest;
    while (!relative.empty()) {
      if (const auto file = tree.root.open_inside(relative)) {
        const auto real = tree.root.real_path(*file);
        if (!real) break;
        return rest.empty() ? join_path(root, *real) : join_path(join_path(root, *real), rest);
      }
      const auto name = relative.substr(relative.rfind('/') + 1);
      rest = rest.empty() ? name : join_path(name, rest);
      relative.resize(relative.find('/') == std::string::npos ? 0 : relative.rfind('/'));
    }
    return std::string(absolute);
  }
  std::error_code failed;
  auto real = std::filesystem::weakly_canonical(std::filesystem::path(absolute), failed);
  return failed ? std::string(absolute) : real.string();
}

std::optional<struct stat> Workspace::look(const Place& place) const {
  if (auto info = place.tree->root.look(place.relative)) {
    if (secrets_.hides(place.relative)) return std::nullopt;
    return info;
  }
  const auto file = open(place);
  return file ? std::optional(file->info) : std::nullopt;
}

Result<std::vector<std::string>> Workspace::names(const Place& directory) const {
  auto opened = open_real(directory);
  if (!opened) return std::move(opened).error();
  auto seen = names(*opened);
  if (!seen) return seen;
  std::erase_if(*seen, [&](const std::string& name) {
    return secrets_.hides_entry(join_path(directory.relative, name));
  });
  return seen;
}

Result<std::vector<std::string>> Workspace::names(const Opened& directory) const {
  auto seen = Root::names(directory.file);
  if (!seen) return seen;
  std::erase_if(*seen, [&](const std::string& name) {
    return secrets_.hides_entry(join_path(directory.real.relative, name));
  });
  return seen;
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path.append(name);
}

// ---- paths ----

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
