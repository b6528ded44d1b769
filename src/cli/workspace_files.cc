#include "cli/workspace_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "workspace/root.h"
#include "workspace/secrets.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

namespace fs = std::filesystem;
using State = WorkspaceFile::State;

constexpr const char* kDirectory = ".lode";

// What a name itself is; false: there is nothing, and errno says why.
bool look(const std::string& path, struct stat& info) { return ::lstat(path.c_str(), &info) == 0; }

WorkspaceFile unreadable(WorkspaceFile file, std::string problem) {
  file.state = State::unreadable;
  file.problem = std::move(problem);
  return file;
}

// Why open_without_links() did not open what is there.
std::string why_not_opened(const std::string& directory, const struct stat& info) {
  struct stat above {};
  if (look(directory, above) && S_ISLNK(above.st_mode)) return "its directory is a link";
  if (S_ISLNK(info.st_mode)) return "a link";
  return S_ISREG(info.st_mode) ? "cannot be opened" : "no regular file";
}

WorkspaceFile read_one(const Root& root, const char* name) {
  const std::string relative = std::string(kDirectory) + "/" + name;
  const std::string directory = join_path(root.path(), kDirectory);
  WorkspaceFile file;
  file.path = join_path(root.path(), relative);
  struct stat info {};
  if (!look(file.path, info)) {
    if (errno == ENOENT || errno == ENOTDIR) return file;
    return unreadable(std::move(file), std::strerror(errno));
  }
  if (!is_own(directory) || info.st_uid != ::geteuid()) {
    file.state = State::foreign;
    file.problem = "belongs to another user";
    return file;
  }
  auto opened = root.open_without_links(relative);
  if (!opened || !opened->is_regular()) {
    return unreadable(std::move(file), why_not_opened(directory, info));
  }
  // What was opened may be another file than the one that was looked at.
  if (opened->info.st_uid != ::geteuid()) return unreadable(std::move(file), "was replaced");
  auto text = read_all(*opened, kWorkspaceFileBytes);
  if (!text) return unreadable(std::move(file), text.error().message);
  file.state = State::read;
  file.text = std::move(*text);
  return file;
}

}  // namespace

WorkspaceFiles read_workspace_files(const std::string& workspace) {
  const auto root = Root::open(workspace);
  if (!root) return {};
  return {read_one(*root, "lode.toml"), read_one(*root, "policy.toml")};
}

bool is_own(const std::string& path) {
  struct stat info {};
  return look(path, info) && info.st_uid == ::geteuid();
}

Status check_stays_inside(const std::string& workspace, const std::string& path) {
  const auto root = Root::open(workspace);
  if (!root) return root.error();
  fs::path below(path);
  if (below.is_absolute()) below = below.lexically_relative(root->path());
  if (below.empty() || below == ".") return invalid("it is not below the workspace");
  fs::path at(root->path());
  for (const auto& part : below) {
    if (part == "..") return invalid("it is not below the workspace");
    at /= part;
    struct stat info {};
    if (look(at.string(), info) && S_ISLNK(info.st_mode)) {
      return invalid(fmt::format("{} is a link", at.string()));
    }
  }
  if (secret_path(below.generic_string())) return invalid("what stands there is hidden");
  return {};
}

}  // namespace lode
