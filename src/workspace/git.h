// What a directory's git repository says of it: the branch, the head, which files its
// commits change most; and of one file: what it was at a revision, and who changed it.
//
// Invariants:
//  1. Nothing is searched for outside of the directory that is named. A linked
//     work tree, whose repository lies elsewhere, is followed only if that repository
//     names it in turn.
//  2. A repository whose parts are links is not read, and nothing that it borrows
//     from another: neither alternates nor what its configuration includes.
//  3. Only HEAD, references and objects are read. The configuration is not, nor the index
//     or the work tree, and no program is run.
//  4. Whatever a repository holds, reading it takes no more memory than the limits
//     say, for all callers together: one repository is read at a time.
//
// The library beneath is libgit2, opened on first use (git_library.h). It sees the
// directory of objects and nothing else. Any thread. Make one for the whole process: the
// limit of memory is each object's own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

// What stands at a path at a revision.
struct GitFile {
  std::string commit;               // the id of the revision's commit
  std::string id;                   // of the object itself; the same bytes have the same one
  std::chrono::sys_seconds time{};  // of the commit
  std::string bytes;                // of a file

  // Of a directory, as the repository has it.
  struct Entry {
    std::string name;  // may be any bytes
    bool directory = false;
  };
  bool directory = false;
  std::vector<Entry> entries;
};

// A commit that changed a file.
struct GitFileChange {
  std::string id;
  std::string author;               // the name; any bytes, cut at GitLimits::text_bytes
  std::string subject;              // as the author
  std::chrono::sys_seconds time{};  // of the commit
  // The ids of the file's bytes (Git::blobs()). Empty: it was not there, or is no more.
  std::string before;
  std::string after;
};

struct GitFileHistory {
  std::string from;                    // the commit that the history begins at
  std::vector<GitFileChange> changes;  // the newest first, as far as clocks were right
  bool more = false;                   // there are older ones: ask with a greater skip
  bool whole = true;  // false: commits are missing, as in a shallow clone, or too many
};

// Which changes of a file.
struct GitHistoryPage {
  std::string from;      // GitFileHistory::from of the page before; empty: HEAD
  std::size_t skip = 0;  // so many of the newest
  std::size_t limit = 50;
};

struct GitLimits {
  std::size_t commits = 1000;
  std::size_t paths = 200'000;             // told apart in a history
  std::size_t commit_bytes = 1024 * 1024;  // of one that is read
  std::size_t walk = 100'000;  // commits looked at for a date, or for the history of a file
  std::size_t file_bytes = std::size_t{16} << 20;  // of a file that is read
  std::size_t entries = 10'000;                    // of a directory that is read
  std::size_t text_bytes = 500;                    // of an author's name, of a subject
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

  // What a path of the repository is at a revision, which is one of:
  //
  //   HEAD · a commit's id, or at least 4 digits of it · a tag · a branch, also
  //   "origin/main" · any reference by its whole name ("refs/notes/x") · a date: the last
  //   commit of HEAD up to then. 2026-01-22 means up to the end of that day,
  //   2026-01-22T10:00 or …:00:00, with Z or +02:00 behind it, that moment; without an
  //   offset it is UTC.
  //
  // A tag or branch counts before the digits of a commit, and these before a date.
  // path: relative to the repository's directory, "/" between names; empty: its top.
  // Code::not_found: there is no such revision, or not one alone, or nothing at the path
  // then; links and submodules are nothing. Code::unsupported: it is larger than the limit.
  // Code::timeout. Else as head().
  using SteadyTime = std::chrono::steady_clock::time_point;
  Result<GitFile> file(const Root& root, const std::string& directory, const std::string& path,
                       const std::string& revision, SteadyTime deadline,
                       const std::stop_token& stop) LODE_EXCLUDES(mutex_, reading_);

  // The commits that changed a file, as `git log -- path` finds them: where a merge took
  // the file as one side had it, that side is followed; renames are not. Of several paths,
  // the names that one file had: a commit that moved it from one to another is one change.
  // The order is that of the walk, a commit before those that it is made from, and else by
  // the times that they say; so it is the same on every page. Ends early at the deadline
  // with Code::timeout.
  Result<GitFileHistory> file_history(const Root& root, const std::string& directory,
                                      const std::vector<std::string>& paths,
                                      const GitHistoryPage& page, SteadyTime deadline,
                                      const std::stop_token& stop) LODE_EXCLUDES(mutex_, reading_);

  // The bytes of files by their ids, in that order; nothing: it cannot be read, or it and
  // those before it have more than GitLimits::file_bytes.
  Result<std::vector<std::optional<std::string>>> blobs(
      const Root& root, const std::string& directory, const std::vector<std::string>& ids,
      SteadyTime deadline, const std::stop_token& stop) LODE_EXCLUDES(mutex_, reading_);

  // The absolute path of the directory that all work trees of the repository share. Needs
  // no library. Code::not_found, Code::invalid: as head().
  static Result<std::string> common_directory(const Root& root, const std::string& directory);

  // The commits that a merge, a rebase or a cherry-pick brings to HEAD while it is under way.
  // Needs no library.
  static std::vector<std::string> incoming(const Root& root, const std::string& directory);

  // The top of the repository that a path belongs to, relative to the root: the innermost
  // directory on the way to it that is one, up to the root itself. Neither the path nor its
  // directory need exist any more. Code::not_found: there is none. Needs no library.
  static Result<std::string> top_of(const Root& root, const std::string& path);

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
