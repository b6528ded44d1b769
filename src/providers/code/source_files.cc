#include "providers/code/source_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/uri.h"
#include "workspace/sweep.h"

namespace lode {

bool SourceFiles::permits(Action action, const Workspace::Place& place) const {
  return exchange_.may(action, file_uri(Workspace::absolute(place)), FileBehind{});
}

std::optional<Workspace::Place> SourceFiles::find(const std::string& path) const {
  auto place = workspace_.find_short(path);
  if (!place || !permits(Action::read, *place)) return std::nullopt;
  return place;
}

std::optional<Workspace::Opened> SourceFiles::open(const std::string& path) const {
  const auto place = find(path);
  if (!place) return std::nullopt;
  auto opened = workspace_.open_real(*place);
  if (!opened || !permits(Action::read, opened->real)) return std::nullopt;
  return std::move(*opened);
}

Result<SourceText> SourceFiles::read(const std::string& path) const {
  const auto opened = open(path);
  if (!opened) return not_found("no such resource");
  const auto& file = opened->file;
  if (file.is_directory()) {
    return invalid(fmt::format("{} is a directory: read resource://project/{}/structure", path,
                               encode_path(path)));
  }
  auto bytes = read_all(file, file_bytes_);
  if (!bytes) return std::move(bytes).error();
  return SourceText{std::move(*bytes), stamp_of(file.info), modified_of(file.info),
                    Workspace::absolute(opened->real)};
}

bool SourceFiles::stands(const std::string& path, bool directory) const {
  const auto place = workspace_.find_short(path);
  const auto opened = open(path);
  return opened && opened->file.is_directory() == directory && permits(Action::list, *place) &&
         permits(Action::list, opened->real);
}

Status SourceFiles::add_below(const Workspace::Place& directory,
                              std::vector<std::string>& names) const {
  auto& tree = *directory.tree;
  // What was moved away is not read from where it is now.
  if (!workspace_.open(directory)) return not_found("no such directory");
  const auto seen = sweep(tree.root, PathFilter{tree.ignore, workspace_.secrets()}, exchange_.stop,
                          {}, {}, directory.relative);
  if (!seen) return seen.error();
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if (!S_ISREG(seen->state(i).mode)) continue;
    const Workspace::Place place{&tree, std::string(seen->path(i))};
    if (permits(Action::read, place) && permits(Action::list, place)) {
      names.push_back(workspace_.short_name(place));
    }
  }
  return {};
}

Result<std::vector<std::string>> SourceFiles::below(const std::string& directory) const {
  std::vector<std::string> names;
  if (directory.empty() || directory == ".") {
    for (auto& tree : workspace_.trees()) {
      if (auto added = add_below({&tree, ""}, names); !added) {
        return std::move(added).error();
      }
    }
  } else {
    const auto place = find(directory);
    if (!place) return not_found(fmt::format("no such directory: {}", directory));
    if (auto added = add_below(*place, names); !added) {
      if (added.error().code != Code::not_found) return std::move(added).error();
      return not_found(fmt::format("no such directory: {}", directory));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lode
