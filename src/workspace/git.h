// What a directory's git repository says of it: the branch, the head, and which
// files its commits change most.
//
// Invariants:
//  1. Nothing is searched for outside of the directory that is named. A linked
//     work tree, whose repository lies elsewhere, is followed only if that repository
//     names it in turn.
//  2. A repository whose parts are links is not read, and nothing that it borrows
//     from another: neither alternates nor what its configuration includes.
//  3. Only HEAD, what it refers to, commits and trees are read. The configuration is
//     not, and no program is run.
//  4. Whatever a repository holds, reading it takes no more memory than the limits
//     say, for all callers together: one repository is read at a time.
//
// The library beneath is libgit2, opened on first use (git_library.h). It sees the
// directory of objects and nothing else. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "workspace/root.h"

namespace lode {

struct GitLibrary;

struct GitHead {
  std::string branch;   // empty: the head is detached
  std::string id;       // of its commit, 40 hexadecimal digits; empty: there is none yet
  std::string subject;  // may be any bytes
  std::chrono::sys_seconds time{};
  bool bare = false;
};

struct GitHistory {
  struct Changed {
    std::string path;  // relative to the repository's directory
    std::size_t commits = 0;
  };

  std::vector<Changed> changed;  // those of the most commits first
  std::size_t commits = 0;       // that were looked at, the newest first; merges change nothing
  bool in_time = true;           // false: there was no time for more
  bool in_memory = true;         // false: more takes more memory than it may
};

struct GitLimits {
  std::size_t commits = 1000;
  std::size_t paths = 200'000;             // told apart in a history
  std::size_t commit_bytes = 1024 * 1024;  // of one that is read
  // That the library may hold while it reads, objects and what they are made of.
  std::size_t memory_bytes = std::size_t{128} << 20;
};

class Git {
 public:
  static constexpr const char* kLibrary = "libgit2.so.1.5";

  // library: as for dlopen().
  explicit Git(std::string library = kLibrary, GitLimits limits = {});
  ~Git();

  // directory: relative to the root; empty: the root. Code::not_found: it is not
  // the top of a repository. Code::unavailable: there is no library.
  // Code::invalid: the repository cannot be read, and why.
  Result<GitHead> head(const Root& root, const std::string& directory)
      LODE_EXCLUDES(mutex_, reading_);

  // The commits that the head holds. Remembered for as long as the head stays.
  using HistoryPtr = std::shared_ptr<const GitHistory>;
  Result<HistoryPtr> history(const Root& root, const std::string& directory,
                             std::chrono::steady_clock::time_point deadline,
                             const std::stop_token& stop) LODE_EXCLUDES(mutex_, reading_);

  // A number that differs when the head may differ; 0: it is not known. Needs no
  // library.
  static std::uint64_t stamp(const Root& root, const std::string& directory);

 private:
  struct Kept {
    std::string head;
    HistoryPtr history;
  };

  static constexpr std::size_t kMostKept = 8;  // histories

  const GitLibrary* library() LODE_EXCLUDES(mutex_);
  HistoryPtr find_kept(const std::string& key, const std::string& head) LODE_EXCLUDES(mutex_);
  void keep(const std::string& key, const std::string& head, const HistoryPtr& history)
      LODE_EXCLUDES(mutex_);

  const std::string file_;
  const GitLimits limits_;
  Mutex reading_;  // held while the library reads
  Mutex mutex_;
  bool tried_ LODE_GUARDED_BY(mutex_) = false;
  std::unique_ptr<const GitLibrary> library_ LODE_GUARDED_BY(mutex_);
  std::map<std::string, Kept> kept_ LODE_GUARDED_BY(mutex_);  // by absolute path
};

}  // namespace lode
