#include "cli/workspace_choice.h"

#include <cstdlib>
#include <filesystem>

namespace lode {
namespace {

namespace fs = std::filesystem;

bool marked(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / ".lode", error) || fs::exists(directory / ".git", error);
}

bool too_wide(const fs::path& directory) {
  const char* home = std::getenv("HOME");
  return directory == directory.root_path() || (home != nullptr && directory == fs::path(home));
}

}  // namespace

Result<std::string> choose_workspace(const std::string& named) {
  if (!named.empty()) return named;
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error && !at.empty(); at = at.parent_path()) {
    if (marked(at) && !too_wide(at)) return at.string();
    if (at == at.parent_path()) break;
  }
  return invalid(
      "no workspace: neither this directory nor one above it has .lode or .git; "
      "go to a project, or name a directory with --workspace DIR");
}

}  // namespace lode
