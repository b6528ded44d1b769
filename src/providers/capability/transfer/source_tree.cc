#include "providers/capability/transfer/source_tree.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workspace/workspace.h"

namespace lode {
namespace {

Error too_many(const std::string& what) { return {Code::unsupported, what, {}}; }

struct Directory {
  std::string path;
  std::size_t depth = 0;
};

}  // namespace

Result<SourceTree> SourceTree::open(const std::string& root, std::string below) {
  auto opened = Root::open(root);
  if (!opened) return std::move(opened).error();
  auto directory = opened->open_without_links(below);
  if (!directory || !directory->is_directory()) {
    return not_found(fmt::format("no such directory: {}", below));
  }
  return SourceTree(std::move(*opened), std::move(below));
}

std::string SourceTree::path_of(std::string_view path) const {
  if (path.empty()) return below_;
  return below_.empty() ? std::string(path) : join_path(below_, path);
}

std::string SourceTree::name() const {
  const std::string_view path = below_.empty() ? std::string_view(root_.path()) : below_;
  return std::string(path.substr(path.rfind('/') + 1));
}

Result<std::vector<SourceFile>> SourceTree::files(const SourceLimits& limits) const {
  std::vector<SourceFile> out;
  std::vector<Directory> pending{{"", 0}};
  while (!pending.empty()) {
    const auto here = std::move(pending.back());
    pending.pop_back();
    auto directory = root_.open_without_links(path_of(here.path));
    auto names = directory ? root_.names(path_of(here.path)) : not_found("");
    if (!names) continue;  // it has just gone, or may not be read
    for (const auto& name : *names) {
      if (name == ".git") continue;
      auto path = here.path.empty() ? name : join_path(here.path, name);
      struct stat info {};
      if (::fstatat(directory->descriptor.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
        continue;
      }
      if (S_ISDIR(info.st_mode)) {
        if (here.depth == limits.depth) {
          out.push_back({std::move(path), 0, true, false,
                         fmt::format("directories are nested deeper than {}", limits.depth)});
          continue;
        }
        pending.push_back({std::move(path), here.depth + 1});
        continue;
      }
      if (out.size() == limits.files) {
        return too_many(fmt::format("there are more than {} files", limits.files));
      }
      out.push_back({std::move(path), static_cast<std::size_t>(info.st_size),
                     !S_ISREG(info.st_mode), (info.st_mode & S_IXUSR) != 0});
    }
  }
  std::sort(out.begin(), out.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return out;
}

Result<std::string> SourceTree::read(const std::string& path, std::size_t most) const {
  auto file = root_.open_without_links(path_of(path));
  if (!file || !file->is_regular()) return not_found("it cannot be read");
  return read_all(*file, most);
}

std::chrono::system_clock::time_point SourceTree::modified(const std::string& path) const {
  auto file = root_.open_without_links(path_of(path));
  return file ? modified_of(file->info) : std::chrono::system_clock::time_point{};
}

}  // namespace lode
