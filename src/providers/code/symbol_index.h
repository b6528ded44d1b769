// The symbols of the whole workspace, in a search index of their own: each is a
// document of the kind "symbol" with the address of its text.
//
// Design. Who follows the workspace tells what a sweep saw and what changes. Threads
// of its own, which give way to all others, look at the files that are new or differ
// from what is known of them: read, find the outline (providers/code/outlines.h), put
// what is new into the index, and take out what is gone. What is known of a file is
// the stamp that it had and the names of its symbols. Keys of data (JSON, YAML, TOML)
// are no symbols here.
//
// Invariants:
//  (1) A file is looked at by one thread at a time; one that changes meanwhile is
//      looked at again.
//  (2) What is known of a file is said of it in the index, once the file is known.
//  (3) What an earlier run left is of one time: the index and what is known of files
//      are in one file.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "base/result.h"
#include "base/shared_mutex.h"
#include "providers/code/outlines.h"
#include "search/index.h"
#include "workspace/changes.h"
#include "workspace/snapshot.h"
#include "workspace/workspace.h"

namespace lode {

class SymbolIndex {
 public:
  struct Limits {
    std::size_t file_bytes = std::size_t{4} << 20;  // longer files are not looked at
    std::size_t threads = 0;                        // 0: as many as there are processors
  };
  struct Progress {
    std::size_t files = 0;    // that are known
    std::size_t symbols = 0;  // of these
    std::size_t waiting = 0;  // files, and trees, that are still to be looked at
    bool swept = false;       // what there is at all is known
    bool complete() const { return swept && waiting == 0; }
  };

  // REQUIRES: all outlive it.
  struct Parts {
    const Workspace& workspace;
    const Outlines& outlines;
    Index& index;
    Log& log;
  };
  explicit SymbolIndex(const Parts& parts);
  SymbolIndex(const Parts& parts, const Limits& limits);
  // Stops: see stop().
  ~SymbolIndex();
  SymbolIndex(const SymbolIndex&) = delete;
  SymbolIndex& operator=(const SymbolIndex&) = delete;

  // Begins, on threads of its own, after a rest: takes what an earlier
  // run left in the directory, and looks at what differs. Afterwards, and whenever many files were
  // looked at, it leaves there what is known. Without a directory nothing is kept.
  // REQUIRES: called once, on an empty index; the rest, if there is one, outlives this.
  void start(std::string directory, Rest* rest = nullptr) LODE_EXCLUDES(mutex_);
  // Tells the threads to end, and does not wait.
  void request_stop() LODE_EXCLUDES(mutex_);
  // Ends the threads, once each has done with the file that it looks at, and saves.
  void stop() LODE_EXCLUDES(mutex_, working_);

  // Looks through all trees; for who has no sweep to tell of.
  void look_through() LODE_EXCLUDES(mutex_);
  // A sweep of the whole tree saw this.
  void saw(Workspace::Tree& tree, const Snapshot& snapshot) LODE_EXCLUDES(mutex_);
  void changed(Workspace::Tree& tree, const Changes& changes) LODE_EXCLUDES(mutex_);

  Progress progress() const LODE_EXCLUDES(mutex_);
  // Waits until all that was seen is known, or until then.
  Progress wait(std::chrono::steady_clock::time_point until) const LODE_EXCLUDES(mutex_);

 private:
  struct Known {
    std::uint64_t stamp = 0;
    std::string symbols;  // their paths, each with its length
    std::size_t count = 0;
  };

  // What a thread does next: a file, or, without one, a tree.
  struct Task {
    std::string path;
    Workspace::Tree* tree = nullptr;
  };

  Status load() LODE_EXCLUDES(mutex_);
  void save() LODE_EXCLUDES(mutex_, working_);
  void begin(const std::stop_token& stop) LODE_EXCLUDES(mutex_, working_);
  // Every other thread takes the files from the other end: where they are together they
  // are in one language, and all wait while its query is compiled.
  enum class End : std::uint8_t { front, back };
  void run(End end, const std::stop_token& stop) LODE_EXCLUDES(mutex_, working_);
  std::optional<Task> next(End end, const std::stop_token& stop) LODE_EXCLUDES(mutex_);
  // Queues what differs from what is known.
  void compare(Workspace::Tree& tree, const Snapshot& snapshot) LODE_REQUIRES(mutex_);
  void sweep_again(Workspace::Tree& tree, const std::stop_token& stop) LODE_EXCLUDES(mutex_);
  // True: that was the last of many.
  bool done(const std::string& path) LODE_EXCLUDES(mutex_);
  // False: all parsing ends, and so should the thread.
  bool look_at(const std::string& path) LODE_EXCLUDES(mutex_);
  // Nothing: there is no such file, or it is not for the index.
  std::optional<OpenFile> open(const std::string& path) const;
  void forget(const std::string& path) LODE_EXCLUDES(mutex_);
  void keep(const std::string& path, std::uint64_t stamp, const Outline* outline)
      LODE_EXCLUDES(mutex_);
  // Puts the symbols into the index, and what they are called into the names.
  Known put(const std::string& path, std::uint64_t stamp, const Outline& outline,
            std::unordered_set<std::string>& names);
  void queue(const std::string& path) LODE_REQUIRES(mutex_);
  void queue_below(const std::string& path) LODE_REQUIRES(mutex_);
  // Of a tree with this prefix, what is known and was not seen.
  void queue_gone(const std::string& prefix, const Snapshot& snapshot) LODE_REQUIRES(mutex_);
  Progress progress_now() const LODE_REQUIRES(mutex_);

  const Workspace& workspace_;
  const Outlines& outlines_;
  Index& index_;
  Log& log_;
  const Limits limits_;
  std::string directory_;  // set before the threads begin

  SharedMutex working_;  // shared by who looks at a file; taken before mutex_
  mutable Mutex mutex_;
  mutable Condition wake_;  // there is something to do, or nothing any more
  std::unordered_map<std::string, Known> known_ LODE_GUARDED_BY(mutex_);  // by short name
  std::size_t symbols_ LODE_GUARDED_BY(mutex_) = 0;
  std::deque<std::string> waiting_ LODE_GUARDED_BY(mutex_);
  std::unordered_set<std::string> queued_ LODE_GUARDED_BY(mutex_);     // in waiting_
  std::unordered_set<std::string> looked_at_ LODE_GUARDED_BY(mutex_);  // at the moment
  std::unordered_set<std::string> again_ LODE_GUARDED_BY(mutex_);      // changed meanwhile
  // What was seen before it could be held against what an earlier run left.
  std::vector<std::pair<Workspace::Tree*, Snapshot>> seen_ LODE_GUARDED_BY(mutex_);
  std::unordered_set<Workspace::Tree*> to_sweep_ LODE_GUARDED_BY(mutex_);
  std::size_t sweeping_ LODE_GUARDED_BY(mutex_) = 0;  // trees, at the moment
  std::unordered_set<const Workspace::Tree*> swept_ LODE_GUARDED_BY(mutex_);
  std::size_t looked_at_since_ LODE_GUARDED_BY(mutex_) = 0;              // it was last complete
  std::chrono::steady_clock::time_point begun_ LODE_GUARDED_BY(mutex_);  // to be incomplete
  std::chrono::steady_clock::time_point told_ LODE_GUARDED_BY(mutex_);
  bool loaded_ LODE_GUARDED_BY(mutex_) = false;  // what an earlier run left
  bool changed_since_saved_ LODE_GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
