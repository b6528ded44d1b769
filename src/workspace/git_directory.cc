#include "workspace/git_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

#include "workspace/directory_reader.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPointer = 4096;  // bytes of a file that names a directory

Error no_repository() { return not_found("not the top of a git repository"); }

bool is_directory(const Root& root, const std::string& path) {
  const auto opened = root.open_without_links(path);
  return opened && opened->is_directory();
}

bool is_file(const Root& root, const std::string& path) {
  const auto opened = root.open_without_links(path);
  return opened && opened->is_regular();
}

// Absent, or itself and no link.
bool is_plain(const Root& root, const std::string& path) {
  return root.stamp(path) == 0 || root.open_without_links(path).ok();
}

// What is common to all work trees lies below its own directory.
Status check_parts(const Root& root, const std::string& git) {
  for (const char* name : {"objects", "refs"}) {
    if (!is_directory(root, join_path(git, name))) {
      return invalid(fmt::format("the repository has no directory \"{}\" of its own", name));
    }
  }
  for (const char* name : {"packed-refs", "refs/heads", "objects/info", "objects/pack"}) {
    if (!is_plain(root, join_path(git, name))) {
      return invalid(fmt::format("the repository's \"{}\" is a link", name));
    }
  }
  return {};
}

Result<GitPlace> check_own(const Root& root, const std::string& git, GitKind kind) {
  if (root.stamp(join_path(git, "commondir")) != 0) return no_repository();
  if (auto checked = check_parts(root, git); !checked) return std::move(checked).error();
  if (!is_file(root, join_path(git, "HEAD"))) return invalid("the repository has no HEAD");
  return GitPlace{kind, git, git};
}

std::string first_line(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  return text;
}

// The first line of a file; empty: there is no such file.
std::string line_of(const Root& root, const std::string& path) {
  const auto file = root.open_without_links(path);
  if (!file || !file->is_regular()) return "";
  auto text = read_all(*file, kMaxPointer);
  return text ? first_line(std::move(*text)) : "";
}

// What a path means, absolute or seen from a directory, behind all links. Empty: it does
// not exist.
fs::path real(const fs::path& from, const std::string& path) {
  std::error_code failed;
  auto found = path.empty() ? fs::path() : fs::canonical(from / path, failed);
  return failed ? fs::path() : found;
}

// `git worktree add` leaves a file in each that names the other. The repository must
// hold the directory that stands for this work tree, or any directory could claim any
// repository.
Result<GitPlace> check_linked(const Root& root, const std::string& directory,
                              const OpenFile& pointer) {
  auto text = read_all(pointer, kMaxPointer);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!text || !text->starts_with(kPrefix)) return no_repository();
  const fs::path top = join_path(root.path(), directory);
  const auto git = real(top, first_line(text->substr(kPrefix.size())));
  const auto own = Root::open(git.string());
  if (git.empty() || !own) return no_repository();
  if (real(git, line_of(*own, "gitdir")) != top / ".git") return no_repository();
  const auto common = real(git, line_of(*own, "commondir"));
  if (common.empty() || common / "worktrees" / git.filename() != git) return no_repository();
  auto repository = Root::open(common.string());
  if (!repository) return no_repository();
  GitPlace place{GitKind::linked, join_path("worktrees", git.filename().string()), "",
                 std::make_shared<const Root>(std::move(*repository))};
  if (auto checked = check_parts(*place.repository, ""); !checked)
    return std::move(checked).error();
  if (!is_file(*place.repository, join_path(place.head, "HEAD"))) {
    return invalid("the repository has no HEAD");
  }
  return place;
}

}  // namespace

Result<GitPlace> check_git_directory(const Root& root, const std::string& directory) {
  const std::string git = join_path(directory, ".git");
  const auto opened = root.open_without_links(git);
  if (!opened) {
    if (root.stamp(git) != 0) return no_repository();
    const bool bare = is_file(root, join_path(directory, "HEAD")) &&
                      is_directory(root, join_path(directory, "objects")) &&
                      is_directory(root, join_path(directory, "refs"));
    if (!bare) return no_repository();
    return check_own(root, directory, GitKind::bare);
  }
  if (opened->is_directory()) return check_own(root, git, GitKind::own);
  return check_linked(root, directory, *opened);
}

Status check_git_packs(const Root& root, const GitPlace& place) {
  const auto path = join_path(join_path(place.common, "objects"), "pack");
  const auto directory = root.open_without_links(path);
  if (!directory && root.stamp(path) == 0) return {};
  DirectoryReader reader;
  const auto entries =
      directory ? reader.read(directory->descriptor.get()) : std::span<const DirectoryEntry>();
  const auto is_file = [](const DirectoryEntry& entry) {
    return entry.kind == DirectoryEntry::Kind::regular;
  };
  if (directory && entries.size() <= kMostGitPacks && std::ranges::all_of(entries, is_file)) {
    return {};
  }
  return invalid("the repository's packs are not all files, or too many");
}

}  // namespace lode
