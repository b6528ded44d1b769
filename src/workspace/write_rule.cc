#include "workspace/write_rule.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "workspace/root.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHooksPath = "hookspath";
constexpr std::string_view kIncludedPath = "path";  // of [include] and [includeIf]
constexpr std::size_t kPointerBytes = 4096;         // of a file that names a directory
constexpr std::size_t kMostLinks = 256;             // that are looked at in one directory
constexpr std::size_t kMostConfigs = 32;            // configurations of one repository

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

// A regular file, wherever its links lead; a pipe, a device or none is as if empty.
// Nothing: it is too long.
std::optional<std::string> text_of(const fs::path& path, std::size_t limit) {
  OpenFile file;
  file.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file.descriptor.is_open() || ::fstat(file.descriptor.get(), &file.info) != 0) return "";
  if (!file.is_regular()) return "";
  auto text = read_all(file, limit);
  return text ? std::optional(std::move(*text)) : std::nullopt;
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
  if (!text || !text->starts_with(prefix)) return {};
  const auto name = trimmed(std::string_view(*text).substr(prefix.size()));
  return name.empty() ? fs::path() : real(from / fs::path(name));
}

// The value behind "key =" in a line of a configuration, whatever its section: what is
// no hooksPath of git's is refused too, which does no harm. The section may stand before
// it in the same line.
std::string value_in(std::string_view line, std::string_view key) {
  line = trimmed(line);
  const auto equals =
      line.find('=', line.starts_with('[') ? std::min(line.find(']'), line.size()) : 0);
  if (equals == std::string_view::npos) return "";
  const auto name = trimmed(line.substr(0, equals));
  if (!lower(name).ends_with(key)) return "";
  const auto before = name.size() - key.size();
  if (before > 0 && name[before - 1] != ']' && name[before - 1] != ' ' &&
      name[before - 1] != '\t') {
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

// What the links in a directory lead to.
void add_links(const fs::path& directory, Places& places) {
  std::error_code failed;
  std::size_t seen = 0;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (++seen > kMostLinks) break;
    if (at->is_symlink(failed)) places.push_back(real(at->path()));
  }
}

// The directory of hooks, and whatever hooks that are links lead to.
void add_hooks(fs::path hooks, Places& places) {
  // husky's: each of its files runs the one of the same name in the directory above.
  if (hooks.filename() == "_") hooks = hooks.parent_path();
  places.push_back(real(hooks));
  add_links(hooks, places);
}

// A configuration of git, and those that it includes.
class GitConfigs {
 public:
  GitConfigs(const fs::path& top, Places& places) : top_(top), places_(places) {}

  void read(const fs::path& config) {
    if (++read_ > kMostConfigs) return;
    auto text = text_of(config, kGitConfigBytes);
    if (!text) {
      places_.push_back(top_);  // it might name any directory of hooks
      return;
    }
    join_lines(*text);
    for (std::string_view rest = *text; !rest.empty();) {
      const auto end = std::min(rest.find('\n'), rest.size());
      take(rest.substr(0, end), config.parent_path());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

 private:
  static void join_lines(std::string& text) {
    for (auto at = text.find("\\\n"); at != text.npos; at = text.find("\\\n", at)) {
      text.erase(at, 2);
    }
  }

  void take(std::string_view line, const fs::path& from) {
    if (const auto hooks = value_in(line, kHooksPath); !hooks.empty()) {
      add_hooks(expanded(hooks, top_), places_);
    }
    const auto included = value_in(line, kIncludedPath);
    if (included.empty()) return;
    const auto path = real(expanded(included, from));
    std::error_code failed;
    if (path.empty() || !fs::is_regular_file(path, failed)) return;
    places_.push_back(path);
    read(path);
  }

  const fs::path& top_;
  Places& places_;
  std::size_t read_ = 0;
};

// Where the user's own configuration is.
Places user_configs() {
  Places configs{"/etc/gitconfig"};
  const char* home = std::getenv("HOME");
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (home != nullptr) configs.push_back(fs::path(home) / ".gitconfig");
  if (config != nullptr && *config != '\0') {
    configs.push_back(fs::path(config) / "git/config");
  } else if (home != nullptr) {
    configs.push_back(fs::path(home) / ".config/git/config");
  }
  return configs;
}

// What belongs to the repository of a work tree whose top has a .git.
Places git_places(const fs::path& top) {
  const auto pointed = named_in(top / ".git", "gitdir:", top);
  const fs::path git = pointed.empty() ? top / ".git" : pointed;
  const auto shared = named_in(git / "commondir", "", git);
  const fs::path common = shared.empty() ? git : shared;
  Places places{real(git), real(common)};
  add_hooks(common / "hooks", places);
  for (const auto& directory : {git, common}) add_links(directory, places);
  GitConfigs configs(top, places);
  configs.read(common / "config");
  configs.read(git / "config.worktree");
  for (const auto& config : user_configs()) configs.read(config);
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
