#include "providers/code/source_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/uri.h"
#include "workspace/sweep.h"

namespace lode {

std::optional<Workspace::Place> SourceFiles::find(const std::string& path) const {
  auto place = workspace_.find_short(path);
  if (!place || hidden_(Workspace::absolute(*place))) return std::nullopt;
  return place;
}

Result<SourceText> SourceFiles::read(const std::string& path) const {
  const auto place = find(path);
  if (!place) return not_found("no such resource");
  const auto opened = workspace_.open_real(*place);
  if (!opened || hidden_(Workspace::absolute(opened->real))) return not_found("no such resource");
  const auto& file = opened->file;
  if (file.is_directory()) {
    return invalid(fmt::format("{} is a directory: read resource://project/{}/structure", path,
                               encode_path(path)));
  }
  auto bytes = read_all(file, file_bytes_);
  if (!bytes) return std::move(bytes).error();
  return SourceText{std::move(*bytes), stamp_of(file.info), modified_of(file.info)};
}

bool SourceFiles::stands(const std::string& path, bool directory) const {
  const auto place = find(path);
  if (!place) return false;
  const auto file = workspace_.open(*place);
  return file && file->is_directory() == directory;
}

Status SourceFiles::add_below(const Workspace::Place& directory, const Exchange& exchange,
                              std::vector<std::string>& names) const {
  auto& tree = *directory.tree;
  const auto seen = sweep(tree.root, PathFilter{tree.ignore, workspace_.secrets()}, exchange.stop,
                          {}, {}, directory.relative);
  if (!seen) return seen.error();
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if (!S_ISREG(seen->state(i).mode)) continue;
    const Workspace::Place place{&tree, std::string(seen->path(i))};
    if (!hidden_(Workspace::absolute(place))) names.push_back(workspace_.short_name(place));
  }
  return {};
}

Result<std::vector<std::string>> SourceFiles::below(const std::string& directory,
                                                    const Exchange& exchange) const {
  std::vector<std::string> names;
  if (directory.empty() || directory == ".") {
    for (auto& tree : workspace_.trees()) {
      if (auto added = add_below({&tree, ""}, exchange, names); !added) {
        return std::move(added).error();
      }
    }
  } else {
    const auto place = find(directory);
    if (!place) return not_found(fmt::format("no such directory: {}", directory));
    if (auto added = add_below(*place, exchange, names); !added) {
      if (added.error().code != Code::not_found) return std::move(added).error();
      return not_found(fmt::format("no such directory: {}", directory));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lode
