#include "workspace/workspace.h"

#include <utility>

namespace lode {

Result<std::unique_ptr<Workspace>> Workspace::open(const std::vector<std::string>& paths,
                                                   SecretRules secrets) {
  std::unique_ptr<Workspace> workspace(new Workspace(std::move(secrets)));
  for (const auto& path : paths) {
    auto root = Root::open(path);
    if (!root) return std::move(root).error().in("opening the workspace");
    workspace->trees_.emplace_back(std::move(*root));
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
    std::string relative(absolute.substr(root == "/" ? 1 : root.size() + 1));
    if (secrets_.hides(relative)) return std::nullopt;
    return Place{&tree, std::move(relative)};
  }
  return std::nullopt;
}

Result<OpenFile> Workspace::open(const Place& place) const {
  auto file = place.tree->root.open_inside(place.relative);
  if (!file) return file;
  const auto real = place.tree->root.real_path(*file);
  if (!real || secrets_.hides(*real)) return not_found("no such file");
  return file;
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
  if (auto opened = open(directory); !opened) return std::move(opened).error();
  auto names = directory.tree->root.names(directory.relative);
  if (!names) return names;
  std::erase_if(*names, [&](const std::string& name) {
    return secrets_.hides_entry(join_path(directory.relative, name));
  });
  return names;
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !path.ends_with('/')) path += '/';
  return path.append(name);
}

}  // namespace lode
