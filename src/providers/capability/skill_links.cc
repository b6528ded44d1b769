#include "providers/capability/skill_links.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;
constexpr std::string_view kOut =
    "a link that leads out of the workspace or the home, or nowhere, is not followed: put the "
    "skill's folder there instead";
constexpr std::string_view kSheet =
    "SKILL.md is a link, which is not followed: put the file there, or link the whole folder";
constexpr std::string_view kNone =
    "the folder that the link leads to has no SKILL.md, and is not followed";
constexpr std::string_view kMany = "there are more links than are followed";

// Without links; empty: nothing is there, or not within.
std::string real_directory(const fs::path& path, const std::string& within) {
  std::error_code failed;
  const auto real = fs::canonical(path, failed);
  if (failed || !fs::is_directory(real, failed)) return "";
  if (within.empty()) return real.string();
  const auto outer = fs::canonical(within, failed);
  if (failed) return "";
  const auto begin = outer == "/" ? outer.string() : outer.string() + "/";
  return real.string().starts_with(begin) ? real.string() : "";
}

}  // namespace

std::vector<SkillLink> skill_links(const std::string& folder, const std::string& within) {
  std::vector<SkillLink> out;
  std::error_code failed;
  if (folder.empty() || !fs::exists(fs::symlink_status(folder, failed))) return out;
  const auto here = real_directory(folder, within);
  if (here.empty()) return {{"", "", std::string(kOut)}};
  std::size_t seen = 0;
  for (fs::directory_iterator at(here, failed), end; !failed && at != end; at.increment(failed)) {
    if (++seen > kMostEntries) break;
    const auto name = at->path().filename().string();
    std::error_code ignored;
    if (!at->is_symlink(ignored)) {
      const bool linked = fs::is_symlink(fs::symlink_status(at->path() / "SKILL.md", ignored));
      if (linked) out.push_back({name, "", std::string(kSheet)});
      continue;
    }
    auto directory = real_directory(at->path(), within);
    if (directory.empty()) {
      out.push_back({name, "", std::string(kOut)});
    } else if (!fs::exists(fs::symlink_status(directory + "/SKILL.md", ignored))) {
      out.push_back({name, "", std::string(kNone)});
    } else if (fs::path(directory).parent_path() != here) {
      out.push_back({name, std::move(directory)});
    }
  }
  std::ranges::sort(out, {}, &SkillLink::name);
  std::size_t followed = 0;
  for (auto& link : out) {
    if (link.directory.empty() || ++followed <= SkillLink::kMostFollowed) continue;
    link.directory.clear();
    link.problem = kMany;
  }
  return out;
}

}  // namespace lode
