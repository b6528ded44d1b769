// Tells what changes below the roots of a workspace to whoever asked: while it is
// watched, and once what changed since the last run.
//
// Listeners hear in two phases. Those of Phase::outdate go first: they note that what
// they have made of files is old, and tell nobody. Those of Phase::announce go then:
// they tell others, who may ask at once. So whatever is made of files is never older
// than what was told of them, in whatever order listeners were added; within a phase
// that is the order in which they hear.
//
// A root is told of by its path. When the directory that is watched is no longer the one
// at that path, because it, or one above it, was moved or replaced, listeners hear once
// that everything changed, the log has an error, and nothing more is told of the root
// until the directory is back; then, once more, that everything changed.
//
// Any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "workspace/catch_up.h"
#include "workspace/changes.h"
#include "workspace/snapshot.h"
#include "workspace/watcher.h"
#include "workspace/workspace.h"

namespace lode {

class WorkspaceChanges {
 public:
  enum class Phase : std::uint8_t { outdate, announce };
  // Called on threads of the watchers, of several roots at once.
  using Listener = std::function<void(Workspace::Tree&, const Changes&)>;
  // Called with all that stands below a root, once.
  using Seen = std::function<void(Workspace::Tree&, const Snapshot&)>;

  // REQUIRES: both outlive it.
  WorkspaceChanges(const Workspace& workspace, Log& log)
      : workspace_(workspace), log_(log), unheard_(workspace.trees().size()) {}
  // Stops: see stop().
  ~WorkspaceChanges() { stop(); }
  WorkspaceChanges(const WorkspaceChanges&) = delete;
  WorkspaceChanges& operator=(const WorkspaceChanges&) = delete;

  // REQUIRES: not started; what is added works until stop() has returned.
  void listen(Phase phase, Listener listener);
  void listen_to_sweeps(Seen seen) { seen_.push_back(std::move(seen)); }

  // Begins. What changed since the last run is found out after a rest; state: a directory,
  // for what the next run needs for that. A root that cannot be watched is warned about.
  // REQUIRES: called once; the rest outlives this.
  void start(const std::string& state, Rest& rest);
  // Waits until the watchers of all roots have begun, so that every later change is told,
  // or until the deadline. Does not wait if start() has not been called.
  void wait_begun(std::chrono::steady_clock::time_point deadline) LODE_EXCLUDES(mutex_);
  // Ends; nobody is told any more when it has returned.
  void stop();

  // Grows with every change, before anybody hears of it. 0: nobody watches.
  std::uint64_t revision() const { return revision_.load(); }

  // Whether every change is told soon after it: all roots are watched as a whole, and are
  // where they were.
  bool tells_all() const { return unheard_.load() == 0; }

  // Tells all listeners, as the watchers do.
  void tell(Workspace::Tree& tree, const Changes& changes);

 private:
  // A root that is watched.
  struct Followed {
    explicit Followed(Workspace::Tree& its_tree);
    // False: what is at its path is not this directory. One call of the system.
    bool in_place() const;

    Workspace::Tree& tree;
    const std::optional<struct stat> directory;  // nothing: it cannot be read
    std::atomic<bool> away{false};               // as it was when last looked at
    // Of mutex_: whether it is watched, as a whole; and whether a change may be told late or
    // never, because it is not, or is away.
    bool watched = false;
    bool unheard = true;
  };

  void follow(Workspace::Tree& tree, const std::string& state, Rest& rest);
  void hear(Followed& followed, const Changes& changes);
  void note_heard(Followed& followed, std::optional<bool> watched) LODE_EXCLUDES(mutex_);
  void count_begun() LODE_EXCLUDES(mutex_);

  const Workspace& workspace_;
  Log& log_;
  std::array<std::vector<Listener>, 2> listeners_;  // by phase
  std::vector<Seen> seen_;
  std::atomic<std::uint64_t> revision_{0};
  std::atomic<std::size_t> unheard_;  // roots
  Mutex mutex_;
  Condition begun_;
  std::size_t not_begun_ LODE_GUARDED_BY(mutex_) = 0;  // watchers
  std::deque<Followed> followed_;
  std::deque<CatchUp> catch_ups_;
  std::deque<Watcher> watchers_;
};

}  // namespace lode
