#include "providers/files/edit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/backup_name.h"
#include "base/unfinished.h"
#include "providers/files/diff.h"
#include "providers/files/readable.h"
#include "store/durable_file.h"
#include "workspace/directory_reader.h"
#include "workspace/write_rule.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenTries = 5ms;
constexpr int kBackups = 1000;

Error no_such_file(std::string_view path) {
  return not_found(fmt::format("no such file: {}", path));
}

Error denied(std::string message) { return {Code::denied, std::move(message), {}}; }

Error not_permitted(std::string_view path) {
  return denied(fmt::format("not permitted: {} {}", to_string(Action::write), path));
}

Status lock_directory(const OpenFile& directory, const Exchange& exchange,
                      std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(directory.descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    // Where there are no locks, the stamps alone must do.
    if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return {};
    if (exchange.stop.stop_requested()) return Error{Code::cancelled, "the edit was stopped", {}};
    if (std::chrono::steady_clock::now() > until) {
      return Error{Code::unavailable, "others are editing in the same directory; try again", 1s};
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  return {};
}

// Of a name in a directory; nothing if it is not there.
std::optional<struct stat> look(const OpenFile& directory, const std::string& name) {
  struct stat info {};
  if (::fstatat(directory.descriptor.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return info;
}

bool writable(const OpenFile& directory, const std::string& name, const struct stat& info) {
  return (info.st_mode & S_IWUSR) != 0 &&
         ::faccessat(directory.descriptor.get(), name.c_str(), W_OK, AT_EACCESS) == 0;
}

// A walk of the workspace does not come to directories that git ignores.
void remove_abandoned(const OpenFile& directory) {
  const Descriptor own(
      ::openat(directory.descriptor.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own.is_open()) return;
  DirectoryReader reader;
  for (const auto& entry : reader.read(own.get())) {
    if (is_unfinished_write(entry.name)) remove_if_abandoned(own.get(), std::string(entry.name));
  }
}

// The permissions of the other file; those of the group only if it is the same.
Status inherit(const OpenFile& directory, const std::string& name, const struct stat& other) {
  const Descriptor file(
      ::openat(directory.descriptor.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  auto mode = other.st_mode & 0777U;
  if (::fchown(file.get(), static_cast<uid_t>(-1), other.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);
  }
  if (::fchmod(file.get(), mode) != 0 || ::fsync(file.get()) != 0) {
    return denied(fmt::format("setting permissions of {}: {}", name, std::strerror(errno)));
  }
  return {};
}

}  // namespace

// Both names must be permitted: the one that the caller used, and the one behind links.
Result<Workspace::Place> FileEditor::admitted(const FileGate& gate, const FileEdit& edit) const {
  const auto place = find_place(workspace_, edit.path);
  const auto opened = place ? workspace_.open_real(*place) : no_such_file(edit.path);
  if (!opened) return no_such_file(edit.path);
  const std::string names[] = {Workspace::absolute(*place), Workspace::absolute(opened->real)};
  for (const auto& name : names) {
    if (!gate.permits(Action::read, name)) return no_such_file(edit.path);
  }
  if (opened->file.is_directory()) return invalid(fmt::format("{} is a directory", edit.path));
  for (const auto& name : names) {
    if (!gate.permits(Action::write, name)) return not_permitted(edit.path);
  }
  return opened->real;
}

// The file is opened again once nobody else edits beside it.
Result<FileEditor::Target> FileEditor::open(const Exchange& exchange,
                                            const Workspace::Place& place) const {
  const auto path = workspace_.short_name(place);
  const auto& root = place.tree->root;
  auto directory = root.open_without_links(std::string(parent_path(place.relative)));
  if (!directory) return no_such_file(path);
  if (auto locked = lock_directory(*directory, exchange, limits_.patience); !locked) {
    return std::move(locked).error();
  }
  remove_abandoned(*directory);
  const auto file = root.open_without_links(place.relative);
  if (!file || !file->is_regular()) return no_such_file(path);
  // Where it is now that it is open and nobody moves it.
  const auto real = root.real_path(*file);
  if (!real) return no_such_file(path);
  if (auto may = check_write(root.path(), *real); !may) return std::move(may).error();
  if (!writable(*directory, std::string(last_name(path)), file->info)) {
    return denied(fmt::format("{} is read-only", path));
  }
  auto text = read_all(*file, limits_.file_bytes);
  if (!text) return std::move(text).error().in(path);
  if (is_binary(*text)) return Error{Code::unsupported, path + " is binary", {}};
  return Target{place, std::move(*directory), std::move(*text), file->info};
}

bool FileEditor::is_as_read(const Target& target) {
  const auto now = look(target.directory, std::string(last_name(target.place.relative)));
  return now && stamp_of(*now) == stamp_of(target.info);
}

Status FileEditor::write(const Target& target, const std::string& text) const {
  const auto path = workspace_.short_name(target.place);
  const std::string name(last_name(path));
  const auto unchanged = [&]() -> Status {
    if (is_as_read(target)) return {};
    return Error{Code::conflict,
                 fmt::format("{} was changed while it was being edited; nothing was written", path),
                 {}};
  };
  auto written = write_durably(target.directory.descriptor.get(), name, text, 0600, unchanged);
  if (!written && written.error().code != Code::conflict) {
    return std::move(written).error().in(fmt::format("writing {}", path));
  }
  if (written) wrote_(Workspace::absolute(target.place));
  return written;
}

// Returns the short name of the file with the old bytes.
Result<std::string> FileEditor::back_up(const FileGate& gate, const Target& target) const {
  const auto& directory = target.directory;
  for (int n = 1; n <= kBackups; ++n) {
    Workspace::Place place = target.place;
    place.relative = backup_name(target.place.relative, n);
    const auto path = workspace_.short_name(place);
    const std::string name(last_name(path));
    if (look(directory, name)) continue;
    const auto absolute = Workspace::absolute(place);
    if (!gate.permits(Action::write, absolute)) return not_permitted(path);
    if (auto may = check_write(place.tree->root.path(), place.relative); !may) {
      return std::move(may).error();
    }
    const auto free = [&]() -> Status {
      if (!look(directory, name)) return {};
      return Error{Code::conflict, fmt::format("{} is there already", path), {}};
    };
    auto written = write_durably(directory.descriptor.get(), name, target.text, 0600, free);
    if (written) written = inherit(directory, name, target.info);
    if (!written) return std::move(written).error().in(fmt::format("writing {}", path));
    wrote_(absolute);
    return path;
  }
  return Error{Code::conflict, "there are too many backups of the file", {}};
}

Result<std::string> FileEditor::replace(const Exchange& exchange, const FileGate& gate,
                                        const FileEdit& edit) const {
  auto place = admitted(gate, edit);
  if (!place) return std::move(place).error();
  auto target = open(exchange, *place);
  if (!target) return std::move(target).error();
  const auto path = workspace_.short_name(*place);
  auto replacement = find_replacement(target->text, edit.old, edit.fresh, edit.whitespace);
  if (!replacement) return std::move(replacement).error().in(path);
  const auto diff = unified_diff(path, target->text, *replacement, limits_.answer_bytes);
  if (edit.dry_run) return "dry run, nothing was written\n" + diff;

  std::string backup;
  if (edit.backup) {
    auto made = back_up(gate, *target);
    if (!made) return std::move(made).error();
    backup = std::move(*made);
  }
  if (auto written = write(*target, replaced(target->text, *replacement)); !written) {
    const bool untouched = written.error().code == Code::conflict || is_as_read(*target);
    if (!backup.empty() && untouched) {
      const std::string name(last_name(backup));
      ::unlinkat(target->directory.descriptor.get(), name.c_str(), 0);
    }
    return std::move(written).error();
  }
  const auto kept = backup.empty() ? "" : fmt::format(", the old text is in {}", backup);
  return fmt::format("written{}\n{}", kept, diff);
}

}  // namespace lode
