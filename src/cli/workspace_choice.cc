#include "cli/workspace_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "cli/workspace_files.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarks[] = {".lode", ".git"};

bool is_marked(const fs::path& directory) {
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return is_own(directory / mark); });
}

// The mark that is there, and is another user's.
std::string foreign_mark(const fs::path& directory) {
  std::error_code error;
  for (const char* mark : kMarks) {
    const auto path = directory / mark;
    if (fs::symlink_status(path, error).type() != fs::file_type::not_found && !is_own(path)) {
      return path.string();
    }
  }
  return "";
}

bool too_wide(const fs::path& directory) {
  const char* home = std::getenv("HOME");
  return directory == directory.root_path() || (home != nullptr && directory == fs::path(home));
}

}  // namespace

Result<std::string> choose_workspace(const std::string& named) {
  if (!named.empty()) return named;
  std::error_code error;
  std::string foreign;
  for (fs::path at = fs::current_path(error); !error && !at.empty(); at = at.parent_path()) {
    if (is_marked(at) && !too_wide(at)) return at.string();
    if (foreign.empty()) foreign = foreign_mark(at);
    if (at == at.parent_path()) break;
  }
  if (!foreign.empty()) {
    return invalid(fmt::format(
        "no workspace: {} belongs to another user; if you want that directory served, name it "
        "with --workspace DIR",
        foreign));
  }
  return invalid(
      "no workspace: neither this directory nor one above it has .lode or .git; "
      "go to a project, or name a directory with --workspace DIR");
}

}  // namespace lode
