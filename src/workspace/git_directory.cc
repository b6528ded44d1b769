#include "workspace/git_directory.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

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

// A repository of which all lies below its own directory.
Status check_own(const Root& root, const std::string& git) {
  if (root.stamp(join_path(git, "commondir")) != 0) return no_repository();
  for (const char* name : {"objects", "refs"}) {
    if (!is_directory(root, join_path(git, name))) {
      return invalid(fmt::format("the repository has no directory \"{}\" of its own", name));
    }
  }
  if (!is_file(root, join_path(git, "HEAD"))) return invalid("the repository has no HEAD");
  for (const char* name : {"config", "packed-refs", "shallow", "refs/heads", "objects/info",
                           "objects/pack", "objects/info/alternates"}) {
    if (!is_plain(root, join_path(git, name))) {
      return invalid(fmt::format("the repository's \"{}\" is a link", name));
    }
  }
  return {};
}

std::string first_line(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  return text;
}

// Of a file outside of the root; empty: there is none.
std::string line_of(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || failed) return "";
  std::array<char, kMaxPointer> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  return first_line(std::string(bytes.data(), static_cast<std::size_t>(file.gcount())));
}

// Empty: there is no such thing.
fs::path real(const fs::path& base, const std::string& path) {
  std::error_code failed;
  auto found = path.empty() ? fs::path() : fs::canonical(base / path, failed);
  return failed ? fs::path() : found;
}

// `git worktree add` leaves a file in each that names the other. The repository
// must hold the directory that stands for this work tree, or any directory could
// claim any repository.
Status check_linked(const Root& root, const std::string& directory, const OpenFile& pointer) {
  auto text = read_all(pointer, kMaxPointer);
  constexpr std::string_view kPrefix = "gitdir: ";
  if (!text || !text->starts_with(kPrefix)) return no_repository();
  const fs::path top = join_path(root.path(), directory);
  const auto git = real(top, first_line(text->substr(kPrefix.size())));
  if (git.empty()) return no_repository();
  if (real(git, line_of(git / "gitdir")) != top / ".git") return no_repository();
  const auto common = real(git, line_of(git / "commondir"));
  if (common.empty() || common / "worktrees" / git.filename() != git) return no_repository();
  return {};
}

}  // namespace

Result<GitKind> check_git_directory(const Root& root, const std::string& directory) {
  const std::string git = join_path(directory, ".git");
  const auto opened = root.open_without_links(git);
  const auto judged = [](const Status& status, GitKind kind) -> Result<GitKind> {
    if (!status) return status.error();
    return kind;
  };
  if (!opened) {
    if (root.stamp(git) != 0) return no_repository();
    const bool bare = is_file(root, join_path(directory, "HEAD")) &&
                      is_directory(root, join_path(directory, "objects")) &&
                      is_directory(root, join_path(directory, "refs"));
    if (!bare) return no_repository();
    return judged(check_own(root, directory), GitKind::bare);
  }
  if (opened->is_directory()) return judged(check_own(root, git), GitKind::own);
  return judged(check_linked(root, directory, *opened), GitKind::linked);
}

}  // namespace lode
