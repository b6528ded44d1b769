#include "workspace/write_rule.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "workspace/root.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHooksPath = "hookspath";
constexpr std::size_t kPointerBytes = 4096;  // of a file that names a directory
constexpr std::size_t kMostHooks = 256;      // that are looked at in one directory

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

bool is_reserved(std::string_view segment) {
  auto name = lower(segment);
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  return name == ".git" || name == "git~1" || name == ".lode" || name == "lode~1";
}

bool has_reserved_name(std::string_view path) {
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (is_reserved(path.substr(0, end))) return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

bool is_there(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

// A regular file, wherever its links lead; a pipe or device is as if empty.
std::string text_of(const fs::path& path, std::size_t limit) {
  OpenFile file;
  file.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.descriptor.is_open() || ::fstat(file.descriptor.get(), &file.info) != 0) return "";
  if (!file.is_regular()) return "";
  auto text = read_all(file, limit);
  return text ? std::move(*text) : "";
}

// Without links, as far as it exists. Empty: it cannot be told.
fs::path real(const fs::path& path) {
  std::error_code failed;
  auto found = fs::weakly_canonical(path, failed);
  if (failed) return {};
  return found.has_filename() ? found : found.parent_path();
}

// What one line of a file in the repository names, from there.
fs::path named_in(const fs::path& file, std::string_view prefix, const fs::path& from) {
  const auto text = text_of(file, kPointerBytes);
  if (!text.starts_with(prefix)) return {};
  const auto name = trimmed(std::string_view(text).substr(prefix.size()));
  return name.empty() ? fs::path() : real(from / fs::path(name));
}

// The value behind "hooksPath =" in a line of a configuration, whatever its section:
// what is no hooksPath of git's is refused too, which does no harm.
std::string hooks_path_in(std::string_view line) {
  const auto at = lower(line).find(kHooksPath);
  const auto equals = at == std::string::npos ? at : line.find('=', at);
  if (equals == std::string_view::npos) return "";
  if (!trimmed(line.substr(at + kHooksPath.size(), equals - at - kHooksPath.size())).empty()) {
    return "";
  }
  std::string value;
  bool quoted = false;
  for (const char c : trimmed(line.substr(equals + 1))) {
    if (!quoted && (c == '#' || c == ';')) break;
    if (c == '"') quoted = !quoted;
    if (c != '"' && c != '\\') value += c;
  }
  return std::string(trimmed(value));
}

fs::path expanded(const std::string& value, const fs::path& top) {
  const char* home = std::getenv("HOME");
  if (value.starts_with("~/") && home != nullptr) return fs::path(home) / value.substr(2);
  return top / value;
}

using Places = std::vector<fs::path>;

void add_hooks_paths(const fs::path& config, const fs::path& top, Places& places) {
  const auto text = text_of(config, kGitConfigBytes);
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto value = hooks_path_in(rest.substr(0, end));
    if (!value.empty()) places.push_back(real(expanded(value, top)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// The directory of hooks, and whatever hooks that are links lead to.
void add_hooks(const fs::path& hooks, Places& places) {
  places.push_back(real(hooks));
  std::error_code failed;
  std::size_t seen = 0;
  for (fs::directory_iterator at(hooks, failed), end; !failed && at != end; at.increment(failed)) {
    if (++seen > kMostHooks) break;
    if (at->is_symlink(failed)) places.push_back(real(at->path()));
  }
}

// What belongs to the repository of a work tree whose top has a .git.
Places git_places(const fs::path& top) {
  const auto pointed = named_in(top / ".git", "gitdir:", top);
  const fs::path git = pointed.empty() ? top / ".git" : pointed;
  const auto shared = named_in(git / "commondir", "", git);
  const fs::path common = shared.empty() ? git : shared;
  Places places{real(git), real(common)};
  add_hooks(common / "hooks", places);
  for (const auto& config : {common / "config", git / "config.worktree"}) {
    add_hooks_paths(config, top, places);
  }
  return places;
}

bool is_bare_repository(const fs::path& directory) {
  if (!is_there(directory / "HEAD")) return false;
  return is_there(directory / "commondir") ||
         (is_there(directory / "objects") && is_there(directory / "refs"));
}

bool lies_in(const fs::path& path, const fs::path& place) {
  if (place.empty() || place == place.root_path()) return false;
  return std::mismatch(place.begin(), place.end(), path.begin(), path.end()).first == place.end();
}

Error refused(std::string_view relative, std::string_view why) {
  return {Code::denied, fmt::format("{}: {}; no tool writes there", relative, why), {}};
}

}  // namespace

Status check_write(const std::string& root, const std::string& relative) {
  if (has_reserved_name(relative)) return refused(relative, "belongs to git or to Lode");
  const fs::path path = join_path(root, relative);
  bool in_work_tree = false;
  for (fs::path at = path.parent_path();; at = at.parent_path()) {
    if (is_there(at / ".git")) {
      in_work_tree = true;
      for (const auto& place : git_places(at)) {
        if (lies_in(path, place)) return refused(relative, "belongs to git or is one of its hooks");
      }
    }
    // A work tree may stand inside the repository that it belongs to.
    if (!in_work_tree && (root == "/" || lies_in(at, root)) && is_bare_repository(at)) {
      return refused(relative, "belongs to a git repository");
    }
    if (at == at.root_path()) return {};
  }
}

}  // namespace lode
