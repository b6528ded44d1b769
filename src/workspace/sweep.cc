#include "workspace/sweep.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "base/unfinished.h"
#include "workspace/directory_reader.h"

namespace lode {
namespace {

constexpr std::size_t kProgressEvery = 4096;

// Nothing: it is gone, or nothing that we record.
bool look(int directory, const char* name, FileState& state) {
  struct statx info {};
  constexpr unsigned kWanted =
      STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_MTIME | STATX_CTIME | STATX_INO;
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  if (::statx(directory, name, kFlags, kWanted, &info) != 0) return false;
  state.stamp = stamp_of(info);
  state.mode = info.stx_mode;
  return S_ISREG(info.stx_mode) || S_ISLNK(info.stx_mode);
}

class Walk {
 public:
  Walk(const Root& root, const PathFilter& filter, const SweepProgress& progress,
       SweepLimits limits)
      : root_(root), filter_(filter), progress_(progress), limits_(limits) {}

  Result<Snapshot> run(const std::string& directory, const std::stop_token& stop) {
    if (!visit({directory})) return not_found("no such directory");
    while (!pending_.empty() && !full_) {
      if (stop.stop_requested()) return Error{Code::cancelled, "the sweep was stopped", {}};
      const Directory next = std::move(pending_.back());
      pending_.pop_back();
      visit(next);
    }
    if (progress_) progress_(snapshot_.size());
    snapshot_.sort();
    return std::move(snapshot_);
  }

 private:
  struct Directory {
    std::string path;
    std::size_t depth = 0;
  };

  bool visit(const Directory& directory) {
    auto opened = root_.open_without_links(directory.path);
    if (!opened || !opened->is_directory()) return false;
    const auto rules = filter_.ignore.in(directory.path);
    const int fd = opened->descriptor.get();
    std::string path = directory.path.empty() ? "" : directory.path + "/";
    const std::size_t base = path.size();
    for (const auto& entry : reader_.read(fd)) {
      if (full_) break;
      path.replace(base, std::string::npos, entry.name);
      record(fd, entry, path, rules, directory.depth + 1);
    }
    return true;
  }

  void record(int fd, const DirectoryEntry& entry, const std::string& path,
              const DirectoryRules& rules, std::size_t depth) {
    using Kind = DirectoryEntry::Kind;
    const bool is_directory = entry.kind == Kind::directory;
    if (entry.kind == Kind::regular && is_unfinished_write(entry.name)) {
      remove_if_abandoned(fd, std::string(entry.name));
      return;
    }
    if (entry.kind == Kind::other || filter_.secrets.hides_entry(path) ||
        rules.ignored(path, is_directory)) {
      return;
    }
    FileState state;
    if (is_directory) {
      state.stamp = entry.inode;
      state.mode = S_IFDIR;
    } else if (!look(fd, entry.name.data(), state)) {
      return;
    }
    if (snapshot_.size() == limits_.entries || !snapshot_.add(path, state)) {
      full_ = true;
      snapshot_.set_incomplete();
      return;
    }
    if (is_directory) descend(path, depth);
    if (progress_ && snapshot_.size() % kProgressEvery == 0) progress_(snapshot_.size());
  }

  void descend(const std::string& path, std::size_t depth) {
    if (depth > limits_.depth) return snapshot_.set_incomplete();
    pending_.push_back({path, depth});
  }

  const Root& root_;
  const PathFilter filter_;
  const SweepProgress& progress_;
  const SweepLimits limits_;
  DirectoryReader reader_;
  std::vector<Directory> pending_;
  Snapshot snapshot_;
  bool full_ = false;
};

}  // namespace

Result<Snapshot> sweep(const Root& root, const PathFilter& filter, const std::stop_token& stop,
                       const SweepProgress& progress, SweepLimits limits,
                       const std::string& directory) {
  return Walk(root, filter, progress, limits).run(directory, stop);
}

}  // namespace lode
