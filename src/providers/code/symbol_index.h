// The symbols of the whole workspace, in a search index of their own: each is a
// document of the kind "symbol" with the address of its text.
//
// Design. Who follows the workspace tells what a sweep saw and what changes; a follower
// (follow/follower.h) with threads that give way to all others finds the files that are
// new or differ from what is known of them. Of each the outline is found
// (providers/code/outlines.h), what is new put into the index, and what is gone taken
// out. What is known of a file is the stamp that it had and the selectors of its symbols
// (syntax/outline.h), which their addresses are made of: each can be read.
// Keys of data (JSON, YAML, TOML) are no symbols here.
//
// A symbol is found by its name before all that has its words (search/index.h). Types
// come before functions, these before values and members; source comes before tests, and
// what was minified last.
//
// Invariants:
//  (1) What is known of a file is said of it in the index, once the file is known.
//  (2) What an earlier run left is of one time: the index and what is known of files
//      are in one file.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "base/result.h"
#include "follow/file_reader.h"
#include "follow/follower.h"
#include "providers/code/outlines.h"
#include "search/index.h"
#include "workspace/changes.h"
#include "workspace/snapshot.h"
#include "workspace/workspace.h"

namespace lode {

class SymbolIndex final : private FileReader {
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
  ~SymbolIndex() override;
  SymbolIndex(const SymbolIndex&) = delete;
  SymbolIndex& operator=(const SymbolIndex&) = delete;

  // Told, on one of its threads, that what is known of symbols changed, with what was told
  // of the files (of a first look, nothing). REQUIRES: set before start().
  using Heard = std::function<void(const ToldChanges& told)>;
  void listen(Heard heard) { heard_ = std::move(heard); }

  // Begins, on threads of its own, after a rest: takes what an earlier
  // run left in the directory, and looks at what differs. Afterwards, and whenever many files were
  // looked at, it leaves there what is known. Without a directory nothing is kept.
  // REQUIRES: called once, on an empty index; the rest, if there is one, outlives this.
  void start(std::string directory, Rest* rest = nullptr);
  // Tells the threads to end, and does not wait.
  void request_stop();
  // Ends the threads, once each has done with the file that it looks at, and saves.
  void stop() LODE_EXCLUDES(mutex_);

  // Looks through all trees; for who has no sweep to tell of.
  void look_through();
  // A sweep of the whole tree saw this.
  void saw(const Workspace::Tree& tree, const Snapshot& snapshot);
  void changed(const Workspace::Tree& tree, const Changes& changes);

  Progress progress() const LODE_EXCLUDES(mutex_);
  // Waits until all that was seen is known, or until then.
  Progress wait(std::chrono::steady_clock::time_point until) const LODE_EXCLUDES(mutex_);

 private:
  struct Known {
    std::uint64_t stamp = 0;
    std::string symbols;  // their selectors, each with its length
    std::size_t count = 0;
  };

  // What the follower asks and tells.
  std::shared_ptr<const FollowedTree> open(std::size_t which,
                                           const Watcher::Callback& changed) override;
  Standing standing(const FilePlace& place, std::uint64_t stamp) override LODE_EXCLUDES(mutex_);
  std::size_t known_files() const override LODE_EXCLUDES(mutex_);
  void each_known(std::size_t which, std::string_view directory, const Visit& visit) const override
      LODE_EXCLUDES(mutex_);
  bool read(const FilePlace& place, const OpenFile& file) override LODE_EXCLUDES(mutex_);
  void forget(const FilePlace& place) override LODE_EXCLUDES(mutex_);
  void load_kept() override LODE_EXCLUDES(mutex_);
  void settled(const Settled& settled) override LODE_EXCLUDES(mutex_);

  std::size_t number_of(const Workspace::Tree& tree) const;
  std::string name_of(const FilePlace& place) const;
  // Whether the file is below one of the roots, as they are now.
  bool has_tree(const std::string& name) const;
  Status load() LODE_EXCLUDES(mutex_);
  // REQUIRES: no file is looked at meanwhile.
  void save() LODE_EXCLUDES(mutex_);
  void forget_name(const std::string& name) LODE_EXCLUDES(mutex_);
  void keep(const std::string& name, std::uint64_t stamp, const Outline* outline)
      LODE_EXCLUDES(mutex_);
  // Puts the symbols into the index, and what they are found by into the selectors.
  Known put(const std::string& path, std::uint64_t stamp, const Outline& outline,
            std::unordered_set<std::string>& selectors);
  // Says now and then how far it is.
  void count_file() LODE_EXCLUDES(mutex_);
  Progress progress_of(const Follower::Progress& follower) const LODE_EXCLUDES(mutex_);

  const Workspace& workspace_;
  const Outlines& outlines_;
  Index& index_;
  Log& log_;
  const Limits limits_;
  std::string directory_;  // both set before the threads begin
  Heard heard_;            //

  mutable Mutex mutex_;
  std::unordered_map<std::string, Known> known_ LODE_GUARDED_BY(mutex_);  // by short name
  std::size_t symbols_ LODE_GUARDED_BY(mutex_) = 0;
  std::size_t looked_at_ LODE_GUARDED_BY(mutex_) = 0;  // since all was known
  std::chrono::steady_clock::time_point told_ LODE_GUARDED_BY(mutex_);
  bool loaded_ LODE_GUARDED_BY(mutex_) = false;  // what an earlier run left
  bool changed_since_saved_ LODE_GUARDED_BY(mutex_) = false;

  Follower follower_;
};

}  // namespace lode
