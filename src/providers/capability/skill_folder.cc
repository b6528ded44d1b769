#include "providers/capability/skill_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

Error no_such_file() { return not_found("no such resource"); }

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace

std::string SkillFolder::below_root(std::string_view path) const {
  return path.empty() ? path_ : join_path(path_, path);
}

Result<OpenFile> SkillFolder::open_linked(const std::string& path) const {
  const Root& root = folder_->root();
  if (!root.open_without_links(parent_of(path))) return no_such_file();
  auto file = root.open_inside(path);
  if (!file || !file->is_regular()) return no_such_file();
  const auto real = root.real_path(*file);
  if (!real || !real->starts_with(path_ + "/")) return no_such_file();
  if (folder_->filter().skips(*real, false)) return no_such_file();
  return file;
}

Result<OpenFile> SkillFolder::open(std::string_view path) const {
  const std::string whole = below_root(path);
  if (!valid_utf8(path)) return no_such_file();
  auto file = folder_->root().open_without_links(whole);
  if (!file) file = open_linked(whole);
  if (!file || folder_->filter().skips(whole, file->is_directory())) return no_such_file();
  return file;
}

Result<SkillFolder::Listing> SkillFolder::list(std::string_view directory, std::string_view after,
                                               std::size_t most) const {
  auto opened = open(directory);
  if (!opened || !opened->is_directory()) return no_such_file();
  auto names = folder_->root().names(below_root(directory));
  if (!names) return no_such_file();
  Listing out;
  for (auto at = std::upper_bound(names->begin(), names->end(), after); at != names->end(); ++at) {
    std::string path = directory.empty() ? *at : join_path(directory, *at);
    auto file = open(path);
    if (!file) continue;
    if (out.members.size() == most) {
      out.more = true;
      break;
    }
    out.members.push_back({std::move(path), file->info});
  }
  return out;
}

Result<std::vector<SkillFolder::Member>> SkillFolder::files(const SkillLimits& limits) const {
  std::vector<Member> out;
  std::vector<std::string> directories{""};
  std::size_t bytes = 0;
  // A directory costs a look too, even if it is empty.
  for (std::size_t seen = 0; seen < directories.size(); ++seen) {
    auto listing = list(directories[seen], "", limits.files + 1);
    if (!listing) continue;  // it has just gone
    for (auto& member : listing->members) {
      if (member.is_directory()) {
        directories.push_back(std::move(member.path));
        continue;
      }
      bytes += static_cast<std::size_t>(member.info.st_size);
      out.push_back(std::move(member));
    }
    if (listing->more || out.size() > limits.files || directories.size() > limits.files) {
      return Error{Code::unsupported,
                   fmt::format("a skill has at most {} files and directories", limits.files),
                   {}};
    }
    if (bytes > limits.bytes) {
      return Error{Code::unsupported,
                   fmt::format("the files of a skill have at most {} bytes", limits.bytes),
                   {}};
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Member& a, const Member& b) { return a.path < b.path; });
  return out;
}

std::uint64_t SkillFolder::stamp(std::string_view path) const {
  return folder_->root().stamp(below_root(path));
}

}  // namespace lode
