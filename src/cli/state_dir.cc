#include "cli/state_dir.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/hash.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSlug = 40;
constexpr std::size_t kHashDigits = 16;

std::string slug_of(const fs::path& workspace) {
  std::string slug;
  for (char c : workspace.filename().string()) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool plain = letter || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (slug.size() == kLongestSlug) break;
    if (plain && !(slug.empty() && c == '.')) slug += c;
    if (!plain && !slug.empty() && slug.back() != '-') slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "workspace" : slug;
}

Result<fs::path> state_home(const Environment& environment) {
  // The specification: a relative path here is not to be used.
  const auto named = environment.find("XDG_STATE_HOME");
  if (named != environment.end() && named->second.starts_with('/')) return fs::path(named->second);
  const auto home = environment.find("HOME");
  if (home != environment.end() && home->second.starts_with('/')) {
    return fs::path(home->second) / ".local/state";
  }
  return invalid("no place for the state: neither XDG_STATE_HOME nor HOME is set");
}

std::string name_in(const fs::path& home, const std::string& slug, const fs::path& real) {
  const auto hash = content_hash(real.string()).substr(0, kHashDigits);
  return (home / "lode" / (slug + "-" + hash)).string();
}

Error failed(const std::string& path, std::string_view what) {
  return invalid(fmt::format("{}: {}", path, what));
}

// Ours alone, also if it was made by hand and is open to others.
Status claim(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return failed(path, std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) return failed(path, "is no directory");
  if (info.st_uid != ::geteuid()) return failed(path, "belongs to another user");
  if ((info.st_mode & 0077) == 0) return {};
  if (::chmod(path.c_str(), 0700) != 0) return failed(path, std::strerror(errno));
  return {};
}

}  // namespace

Result<std::string> state_dir(const Environment& environment, const std::string& workspace) {
  auto home = state_home(environment);
  if (!home) return std::move(home).error();
  std::error_code error;
  const auto real = fs::canonical(workspace, error);
  if (error) return failed(workspace, error.message());
  return name_in(*home, slug_of(real), real);
}

Result<std::string> backlog_state_dir(const Environment& environment, const std::string& backlog) {
  auto home = state_home(environment);
  if (!home) return std::move(home).error();
  std::error_code error;
  const auto real = fs::weakly_canonical(backlog, error);
  if (error) return failed(backlog, error.message());
  return name_in(*home, "tasks", real);
}

Status make_state_dir(const std::string& path) {
  const fs::path whole(path);
  fs::path at;
  for (const auto& part : whole) {
    at /= part;
    if (at == at.root_path()) continue;
    if (::mkdir(at.c_str(), 0700) != 0 && errno != EEXIST) return failed(at, std::strerror(errno));
  }
  return claim(path);
}

}  // namespace lode
