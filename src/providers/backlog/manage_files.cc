#include "providers/backlog/manage_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/unfinished.h"
#include "follow/open_folder.h"
#include "store/durable_file.h"
#include "store/private_directory.h"
#include "workspace/changes.h"
#include "workspace/workspace.h"
#include "workspace/write_rule.h"

namespace lode {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{5};

Error denied(std::string message) { return {Code::denied, std::move(message), {}}; }

std::string last_segment(std::string_view path) { return std::string(last_name(path)); }

Error has_gone(const std::string& file) {
  return {Code::conflict, fmt::format("{} has gone", file), {}};
}

Error busy() {
  return {Code::unavailable, "another process is changing the backlog; try again",
          std::chrono::milliseconds(1000)};
}

}  // namespace

Result<TaskFiles> TaskFiles::open(const Place& place, std::chrono::milliseconds patience) {
  if (place.directory.empty()) {
    return Error{Code::unsupported, "there is no backlog without a workspace", {}};
  }
  const bool inside = !place.within.empty();
  if (inside && !is_within(place.directory, place.within)) {
    return denied("the backlog's directory leads out of the workspace");
  }
  if (!inside) {
    if (auto made = open_private_directory(place.directory); !made) return std::move(made).error();
  }
  auto base = Root::open(inside ? place.within : place.directory);
  if (!base) return std::move(base).error();
  auto prefix = inside && place.directory.size() > place.within.size()
                    ? place.directory.substr(place.within.size() + 1)
                    : std::string();
  while (prefix.ends_with('/')) prefix.pop_back();
  TaskFiles files(place, std::move(*base), std::move(prefix));
  if (auto locked = files.lock(patience); !locked) return std::move(locked).error();
  if (auto finished = files.finish_journal(); !finished) return std::move(finished).error();
  return files;
}

// The directory may be replaced while we wait for it, as by a checkout.
Status TaskFiles::lock(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto opened = open_folder(base_, prefix_, true);
    if (!opened) return std::move(opened).error();
    folder_ = std::move(*opened);
    while (::flock(folder_.descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
      // Where there are no locks, the attributes of files alone must do.
      if (errno != EWOULDBLOCK && errno != EINTR) return {};
      if (std::chrono::steady_clock::now() > until) return busy();
      std::this_thread::sleep_for(kBetweenTries);
    }
    const auto now = base_.open_without_links(prefix_);
    if (now && now->info.st_ino == folder_.info.st_ino && now->info.st_dev == folder_.info.st_dev) {
      return {};
    }
    if (std::chrono::steady_clock::now() > until) return busy();
  }
}

std::string TaskFiles::below_base(std::string_view file) const {
  if (prefix_.empty()) return std::string(file);
  return file.empty() ? prefix_ : fmt::format("{}/{}", prefix_, file);
}

Result<OpenFile> TaskFiles::directory_of(const std::string& file, bool make) const {
  return open_folder(base_, below_base(parent_path(file)), make);
}

Result<TaskFiles::Snapshot> TaskFiles::read(const std::string& file, std::size_t most) const {
  const auto opened = base_.open_without_links(below_base(file));
  if (!opened || !opened->is_regular()) {
    return not_found(fmt::format("{} has gone, or is behind a link", file));
  }
  auto text = read_all(*opened, most);
  if (!text) return std::move(text).error().in(file);
  return Snapshot{std::move(*text), opened->info};
}

bool TaskFiles::has_folder(const std::string& folder) const {
  const auto opened = base_.open_without_links(below_base(folder));
  return opened && opened->is_directory();
}

std::vector<std::string> TaskFiles::names(const std::string& folder) const {
  const auto opened = base_.open_without_links(below_base(folder));
  if (!opened || !opened->is_directory()) return {};
  auto names = Root::names(*opened);
  return names ? std::move(*names) : std::vector<std::string>();
}

// ---- writing ----

// The folder of the backlog may itself be in .lode; nothing else there is written.
Status TaskFiles::check_file(const std::string& file) const {
  constexpr std::string_view kOwn = ".lode/";
  if (prefix_.empty()) return check_write(base_.path(), file);
  if (!prefix_.starts_with(kOwn)) return check_write(base_.path(), below_base(file));
  return check_write(join_path(base_.path(), prefix_), file);
}

Status TaskFiles::apply(const Change& change) const {
  if (auto may = check_file(change.file); !may) return may;
  if (!change.after) return move_to_trash(change);
  auto directory = directory_of(change.file, !change.before);
  if (!directory) return std::move(directory).error();
  const auto name = last_segment(change.file);
  const int at = directory->descriptor.get();
  auto done = change.before ? replace_durably(at, name, *change.after, change.before->info)
                            : create_durably(at, name, *change.after);
  if (!done) return std::move(done).error().in(change.file);
  return {};
}

// Only what is still as apply() left it.
Status TaskFiles::undo(const Change& change) const {
  if (!change.after) {
    auto kept = read_entry(change.entry);
    if (!kept) return std::move(kept).error();
    auto back = apply({change.file, {}, std::move(kept->text)});
    if (back) drop_entry(change.entry, change.file);
    return back;
  }
  auto now = read(change.file, kMostBytes);
  if (!now) return std::move(now).error();
  if (now->text != *change.after) return Error{Code::conflict, "it was changed since", {}};
  if (change.before) return apply({change.file, std::move(*now), change.before->text});
  auto directory = directory_of(change.file, false);
  if (!directory) return std::move(directory).error();
  if (::unlinkat(directory->descriptor.get(), last_segment(change.file).c_str(), 0) != 0) {
    return internal(std::strerror(errno));
  }
  return sync_directory(directory->descriptor.get());
}

Status TaskFiles::write(const std::vector<Change>& changes) const {
  for (const auto& change : changes) {
    if (auto may = check_file(change.file); !may) return may;
  }
  const bool several = changes.size() > 1;
  if (several) {
    if (auto noted = write_journal(changes); !noted) return noted;
  }
  Status done;
  std::size_t count = 0;
  for (; count < changes.size() && done; ++count) done = apply(changes[count]);
  std::string stays;
  if (!done) {
    for (--count; count > 0; --count) {
      const auto& change = changes[count - 1];
      if (auto undone = undo(change); !undone) {
        stays += fmt::format("; {} stays changed ({})", change.file, undone.error().message);
      }
    }
  }
  if (several) remove_journal();
  if (done) return {};
  Error error = done.error();
  error.message += stays;
  return error;
}

// ---- the trash ----

std::string TaskFiles::new_entry(std::string_view id,
                                 std::chrono::system_clock::time_point now) const {
  using std::chrono::microseconds;
  std::string shown(id);
  for (char& c : shown) c = c == '/' || c == '~' || static_cast<unsigned char>(c) >= 0x80 ? '_' : c;
  for (;; now += microseconds(1)) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(now);
    const auto time = static_cast<time_t>(whole.time_since_epoch().count());
    struct tm parts {};
    ::gmtime_r(&time, &parts);
    auto name =
        fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}.{:06}Z~{}", parts.tm_year + 1900,
                    parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                    std::chrono::duration_cast<microseconds>(now - whole).count(), shown);
    struct stat info {};
    if (::lstat(fmt::format("{}/{}", trash(), name).c_str(), &info) != 0) return name;
  }
}

std::vector<std::string> TaskFiles::entries() const {
  if (place_.state.empty()) return {};
  const auto root = Root::open(trash());
  auto names = root ? root->names("") : not_found("");
  return names ? std::move(*names) : std::vector<std::string>();
}

// The file itself moves, so that what an editor wrote a moment ago moves too.
Status TaskFiles::move_to_trash(const Change& change) const {
  if (place_.state.empty()) {
    return Error{Code::unsupported, "there is no state directory for the trash", {}};
  }
  const auto inside = fmt::format("{}/{}/{}", trash(), change.entry, parent_path(change.file));
  auto to = open_private_directory(inside);
  if (!to) return std::move(to).error();
  auto from = directory_of(change.file, false);
  if (!from) return std::move(from).error();
  const auto name = last_segment(change.file);
  const int source = from->descriptor.get();
  if (::renameat2(source, name.c_str(), to->get(), name.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == ENOENT) return has_gone(change.file);
    if (auto copied = copy_to_trash(change.file, source, to->get()); !copied) return copied;
  }
  if (auto synced = sync_directory(to->get()); !synced) return synced;
  return sync_directory(source);
}

// To another file system, or where there is no such rename. The copy comes first, so that a crash
// leaves the file in one of the two. Then the file gets a name that no editor knows: what was
// saved since it was copied is copied again, and nothing is saved between that and the end.
Status TaskFiles::copy_to_trash(const std::string& file, int source, int trash) const {
  const auto name = last_segment(file);
  const auto before = read_held(file);
  if (!before) return before.error();
  if (auto copied = write_durably(trash, name, before->text, 0600); !copied) return copied;
  const auto aside = new_unfinished_name();
  if (::renameat(source, name.c_str(), source, aside.c_str()) != 0) {
    if (errno == ENOENT) return has_gone(file);
    return internal(fmt::format("removing {}: {}", file, std::strerror(errno)));
  }
  const auto now = read_held(join_path(parent_path(file), aside));
  auto copied = now ? Status() : Status(now.error());
  if (now && now->text != before->text) copied = write_durably(trash, name, now->text, 0600);
  if (copied && ::unlinkat(source, aside.c_str(), 0) == 0) return {};
  // Back to where it was, unless somebody has made another.
  const auto why = copied ? std::string(std::strerror(errno)) : copied.error().message;
  const bool back = ::renameat2(source, aside.c_str(), source, name.c_str(), RENAME_NOREPLACE) == 0;
  return internal(fmt::format("removing {}: {}{}", file, why,
                              back ? "" : fmt::format("; it is called {} now", aside)));
}

// For as long as it is held nobody takes it for one that a killed process left.
Result<TaskFiles::Held> TaskFiles::read_held(const std::string& file) const {
  auto opened = base_.open_without_links(below_base(file));
  if (!opened || !opened->is_regular()) return has_gone(file);
  hold_unfinished(opened->descriptor.get());
  auto text = read_all(*opened, kMostBytes);
  if (!text) return std::move(text).error().in(file);
  return Held{std::move(*text), std::move(*opened)};
}

Result<TaskFiles::Kept> TaskFiles::read_entry(const std::string& entry) const {
  const auto absent = [&] { return not_found(fmt::format("the trash has no entry {}", entry)); };
  if (place_.state.empty() || entry.find('/') != entry.npos || entry.find('~') == entry.npos) {
    return absent();
  }
  const auto root = Root::open(fmt::format("{}/{}", trash(), entry));
  if (!root) return absent();
  std::string path;
  constexpr int kMostDepth = 4;
  for (int depth = 0; depth < kMostDepth; ++depth) {
    const auto names = root->names(path);
    if (!names || names->empty()) return absent();
    path = join_path(path, names->front());
    const auto file = root->open_without_links(path);
    if (!file) return absent();
    if (file->is_directory()) continue;
    auto text = read_all(*file, kMostBytes);
    if (!text) return std::move(text).error();
    return Kept{path, std::move(*text)};
  }
  return absent();
}

void TaskFiles::drop_entry(const std::string& entry, const std::string& file) const {
  const auto top = fmt::format("{}/{}", trash(), entry);
  ::unlink(fmt::format("{}/{}", top, file).c_str());
  for (auto path = std::string(parent_path(file)); !path.empty();
       path = std::string(parent_path(path))) {
    ::rmdir(fmt::format("{}/{}", top, path).c_str());
  }
  ::rmdir(top.c_str());
}

}  // namespace lode
