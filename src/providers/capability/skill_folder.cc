#include "providers/capability/skill_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

Error no_such_file() { return not_found("no such resource"); }

// One that leads down, and nowhere else.
bool is_plain(std::string_view path) {
  if (path.empty()) return true;
  while (true) {
    const auto segment = path.substr(0, path.find('/'));
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (segment.size() == path.size()) return true;
    path.remove_prefix(segment.size() + 1);
  }
}

Error over_limit(std::string message) { return {Code::unsupported, std::move(message), {}}; }

}  // namespace

std::string SkillFolder::below_root(std::string_view path) const {
  if (path.empty()) return spot_.folder;
  return spot_.alone ? spot_.file : join_path(spot_.folder, path);
}

std::uint64_t SkillFolder::stamp(std::string_view path) const {
  return folder_->root().stamp(below_root(path));
}

std::string SkillFolder::local_path(std::string_view path) const {
  return join_path(folder_->root().path(), below_root(path));
}

Result<OpenFile> SkillFolder::open_linked(const std::string& below_root) const {
  const Root& root = folder_->root();
  if (!root.open_without_links(below_root.substr(0, below_root.rfind('/')))) return no_such_file();
  auto file = root.open_inside(below_root);
  if (!file || !file->is_regular()) return no_such_file();
  const auto real = root.real_path(*file);
  if (!real || !real->starts_with(spot_.folder + "/")) return no_such_file();
  if (folder_->filter().skips(*real, false)) return no_such_file();
  return file;
}

Result<OpenFile> SkillFolder::open(std::string_view path) const {
  if (spot_.alone && !path.empty() && path != kSheet) return no_such_file();
  if (!is_plain(path) || !valid_utf8(path)) return no_such_file();
  const std::string below = below_root(path);
  auto file = folder_->root().open_without_links(below);
  if (!file) file = open_linked(below);
  if (!file || folder_->filter().skips(below, file->is_directory())) return no_such_file();
  return file;
}

Result<SkillFolder::Listing> SkillFolder::list(std::string_view directory, std::string_view after,
                                               std::size_t most, const Wanted& wanted) const {
  auto opened = open(directory);
  if (!opened || !opened->is_directory()) return no_such_file();
  Result<std::vector<std::string>> names = std::vector{std::string(kSheet)};
  if (!spot_.alone) names = folder_->root().names(below_root(directory));
  if (!names) return no_such_file();
  Listing out;
  for (auto at = std::upper_bound(names->begin(), names->end(), after); at != names->end(); ++at) {
    std::string path = join_path(directory, *at);
    if (wanted && !wanted(path)) continue;
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
  for (std::size_t seen = 0; seen < directories.size(); ++seen) {
    auto listing = list(directories[seen], "", 2 * limits.files);
    if (!listing) continue;  // it has just gone
    for (auto& member : listing->members) {
      if (member.is_directory()) {
        directories.push_back(std::move(member.path));
        continue;
      }
      bytes += static_cast<std::size_t>(member.info.st_size);
      out.push_back(std::move(member));
    }
    // Empty directories are no files, but each costs a look.
    if (listing->more || out.size() > limits.files || directories.size() > limits.files) {
      return over_limit(fmt::format("a skill has at most {} files", limits.files));
    }
    if (bytes > limits.bytes) {
      return over_limit(fmt::format("the files of a skill have at most {} bytes", limits.bytes));
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Member& a, const Member& b) { return a.path < b.path; });
  return out;
}

}  // namespace lode
