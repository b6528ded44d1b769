// Follows files: finds out which are new, differ or are gone, has each read once, and
// says when all that was heard of has been looked at. One machine for all that is made
// of files; what is made of them is the reader's (follow/file_reader.h).
//
// What the users share is here: to stamp, to compare a sweep with what is known, to
// queue, to read a file on one thread at a time, to keep what was told until it was
// looked at, to load before anything is compared, to count what is left. They differ in
//
//                    elements (and tasks)             symbols
//   the trees        folders that come and go,        the workspace's, always there;
//                    each watched by itself           who watches them tells changed()
//                                                     and, of the first sweep, saw()
//   threads          one, besides those of who        one for each processor, of low
//                    cannot wait (look_now)           priority
//   at the start     what was kept counts file by     what was kept counts at once,
//                    file, once its stamp is seen     until a sweep says otherwise
//   incomplete       "loading" until the first        whenever something is waiting;
//                    batch is over, never again       a search says so
//   kept             elements.known; the index is     symbols.index: the index and the
//                    another's file                   records, of one time
//   saved            after loading, and at the end    after many files, and at the end
//   listeners hear   after each batch                 (the index alone changes)
//
// Design. What is told and seen is gathered. A batch is all that was gathered by the time
// it begins: it is first held against what is known, then its trees are swept and its
// files looked at, by all threads; when nothing of it is left it is settled, and the next
// begins. What is told meanwhile is for the next one. So a file is at most once in a
// batch, steady changes do not keep anybody from hearing of earlier ones, and what is
// known does not change while a batch is worked out or settled.
//
// Invariants:
//  (1) A file is read by one thread at a time, and no more than Options::threads files
//      are read at once, whoever reads. What a call of look_now() keeps is what the file
//      said after the call began.
//  (2) After a file has changed and this was told (or a sweep that began later was), it
//      is looked at again, also if it was just being read. A tree that is watched here
//      is swept when its watch has begun, so that nothing falls between the two.
//  (3) A second start stats every file, and reads those alone whose stamp differs.
//  (4) What was told is in exactly one FileReader::settled(), after every file that it
//      names, and every tree that it made worth a sweep, was looked at. These calls come
//      one at a time, in the order of telling.
//  (5) Nothing is compared before FileReader::load_kept() has returned.
//  (6) A batch that is broken off by stop() is never settled: who keeps its state
//      then keeps what is true of the files that were looked at.
//  (7) What waits is bounded: more than kMostTold names become a sweep.
//  (8) A tree that is watched here and is no longer the directory at its path, because
//      that or one above it was moved or replaced, is given up: its move is told by its
//      watch, that of a directory above is seen within Options::look_for_trees. What is
//      known is then held against the directory that took its place, or forgotten.
//
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "follow/file_place.h"
#include "follow/file_reader.h"
#include "follow/tree.h"
#include "workspace/changes.h"
#include "workspace/snapshot.h"

namespace lode {

class Follower {
 public:
  struct Options {
    std::size_t trees = 1;
    std::size_t threads = 1;
    int nice = 0;  // by how much the threads give way to all others
    // The trees are watched here, and may come, go and be replaced: now and then each path
    // is held against what was opened there. Else they are always there, and others tell
    // what changes.
    bool watches = false;
    std::chrono::milliseconds look_for_trees{2000};  // that often
  };
  struct Progress {
    std::size_t waiting = 0;  // files, and trees, that are still to be looked at
    bool swept = false;       // what there is at all is known
    bool complete() const { return swept && waiting == 0; }
  };
  static constexpr std::size_t kMostTold = 200'000;  // names

  // REQUIRES: both outlive it; the reader is not called before start() or look_…().
  Follower(FileReader& reader, Log& log, const Options& options);
  // Stops: see stop(). Readers stop it themselves before what they are made of ends.
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Begins, after a rest. REQUIRES: called once; the rest, if there is one, outlives this.
  void start(Rest* rest = nullptr) LODE_EXCLUDES(mutex_, opening_);
  // Tells the threads to end, and does not wait.
  void request_stop() LODE_EXCLUDES(mutex_);
  // Ends the threads, once each has done with the file that it looks at; nothing is
  // followed any more. False: there were none.
  bool stop() LODE_EXCLUDES(mutex_);

  // Something changed.
  void changed(std::size_t tree, Changes changes) LODE_EXCLUDES(mutex_);
  // A sweep of the whole tree saw this.
  void saw(std::size_t tree, Snapshot snapshot) LODE_EXCLUDES(mutex_);
  // All trees are to be swept; for who has no sweep to tell of.
  void look_through() LODE_EXCLUDES(mutex_);

  // Looks at a file on the caller's thread, whether or not it has changed.
  void look_now(const FilePlace& place) LODE_EXCLUDES(mutex_, opening_);
  // Sweeps a tree on the caller's thread, and looks at what differs and counts.
  using Counts = std::function<bool(const std::string& path)>;
  void look_through_now(std::size_t tree, const Counts& counts) LODE_EXCLUDES(mutex_, opening_);

  // Null: it is not there now, or nobody asked for it yet.
  std::shared_ptr<const FollowedTree> tree(std::size_t which) const LODE_EXCLUDES(mutex_);
  // As it is read: nothing if there is no such file, if it is left out, or behind a link.
  std::optional<OpenFile> open(const FilePlace& place) const LODE_EXCLUDES(mutex_);

  Progress progress() const LODE_EXCLUDES(mutex_);
  // Waits until all that was told and seen was looked at, or until then.
  using TimePoint = std::chrono::steady_clock::time_point;
  Progress wait(TimePoint until) const LODE_EXCLUDES(mutex_);

 private:
  // For the next batch.
  struct Gathered {
    ToldChanges told;
    std::vector<std::pair<std::size_t, Snapshot>> seen;
    std::set<std::size_t> sweeps;
    std::size_t names = 0;  // in `told`
    bool first = false;     // there is a first batch, whatever is in it

    bool empty() const { return told.empty() && seen.empty() && sweeps.empty() && !first; }
  };
  // What a thread does next.
  struct Sweep {
    std::size_t tree = 0;
    bool early = false;  // before what an earlier run left is known
  };
  struct LookForTrees {};
  using Task = std::variant<Gathered, Sweep, LookForTrees, FilePlace>;
  enum class Stage : std::uint8_t { idle, preparing, looking, settling };
  // Every other thread takes the files from the other end: where they are together they
  // are of one kind, and wait for the same things.
  enum class End : std::uint8_t { front, back };

  void begin(Rest* rest, const std::stop_token& stop) LODE_EXCLUDES(mutex_, opening_);
  void run(End end, const std::stop_token& stop) LODE_EXCLUDES(mutex_, opening_);
  std::optional<Task> next(End end, const std::stop_token& stop) LODE_EXCLUDES(mutex_);
  std::optional<Task> take(End end) LODE_REQUIRES(mutex_);
  FilePlace take_file(End end) LODE_REQUIRES(mutex_);
  void wait_for_work() LODE_REQUIRES(mutex_);

  // Unless it is open and, if it is watched here, still in its place. One that is not is
  // given up for what its path names now, if anything, and told as changed in everything.
  void open_tree(std::size_t which) LODE_EXCLUDES(mutex_, opening_);
  void close_tree(std::size_t which) LODE_EXCLUDES(mutex_);
  void look_for_trees() LODE_EXCLUDES(mutex_, opening_);

  void prepare(Gathered batch) LODE_EXCLUDES(mutex_, opening_);
  void prepare_told(std::size_t tree, const Changes& changes, std::vector<FilePlace>& places,
                    std::set<std::size_t>& sweeps) LODE_EXCLUDES(mutex_, opening_);
  // The files of a whole tree that differ from what is known, those that are gone first.
  std::vector<FilePlace> compare(std::size_t tree, const Snapshot& snapshot) LODE_EXCLUDES(mutex_);
  std::vector<FilePlace> known_below(std::size_t tree, std::string_view directory) const;
  Snapshot sweep_tree(std::size_t which, const std::stop_token& stop)
      LODE_EXCLUDES(mutex_, opening_);
  void run_sweep(const Sweep& task, const std::stop_token& stop) LODE_EXCLUDES(mutex_, opening_);
  // False: the thread is to end.
  bool look(const FilePlace& place) LODE_EXCLUDES(mutex_);
  void queue(std::vector<FilePlace> places) LODE_REQUIRES(mutex_);
  // One of the batch's sweeps or files is done; after the last the batch is settled.
  void done(bool is_file) LODE_EXCLUDES(mutex_);
  void settle() LODE_EXCLUDES(mutex_);
  Progress progress_now() const LODE_REQUIRES(mutex_);

  FileReader& reader_;
  Log& log_;
  const Options options_;

  Mutex opening_;  // held by who opens a tree; taken before mutex_
  mutable Mutex mutex_;
  mutable Condition wake_;  // there is something to do, or nothing any more
  Condition free_;          // a file is no longer being read
  std::vector<std::shared_ptr<const FollowedTree>> open_ LODE_GUARDED_BY(mutex_);  // null: missing
  TimePoint look_for_trees_at_ LODE_GUARDED_BY(mutex_);
  Gathered gathered_ LODE_GUARDED_BY(mutex_);
  std::size_t early_sweeps_ LODE_GUARDED_BY(mutex_) = 0;    // at the moment
  std::set<std::size_t> unseen_ LODE_GUARDED_BY(mutex_);    // trees that no sweep told of yet
  std::set<FilePlace> being_read_ LODE_GUARDED_BY(mutex_);  // at the moment

  // Of the batch.
  Stage stage_ LODE_GUARDED_BY(mutex_) = Stage::idle;
  std::set<std::size_t> sweeps_ LODE_GUARDED_BY(mutex_);
  std::unordered_set<FilePlace, FilePlaceHash> queued_ LODE_GUARDED_BY(mutex_);
  std::deque<const FilePlace*> waiting_ LODE_GUARDED_BY(mutex_);  // in queued_
  std::size_t unfinished_ LODE_GUARDED_BY(mutex_) = 0;            // sweeps and files
  FileReader::Settled settled_ LODE_GUARDED_BY(mutex_);           // so far
  TimePoint began_ LODE_GUARDED_BY(mutex_);

  bool started_ LODE_GUARDED_BY(mutex_) = false;
  bool ended_ LODE_GUARDED_BY(mutex_) = false;
  bool loaded_ LODE_GUARDED_BY(mutex_) = false;  // what an earlier run left
  std::vector<std::jthread> threads_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
