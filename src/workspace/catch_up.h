// Finds out what stands below a root, and what changed there while nobody watched:
// tells a new snapshot, compares it with the one that the last run left, tells the
// difference, and leaves the new one.
//
// It runs once, on a thread of its own that gives way to all others: an answer
// never waits for it. Begin it when the watcher has begun (Changes::begun), so
// that what changes meanwhile is told by one of the two.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "base/log.h"
#include "base/rest.h"
#include "workspace/changes.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"
#include "workspace/snapshot.h"

namespace lode {

class CatchUp {
 public:
  // Called on the thread, once, unless nothing changed or there was no snapshot
  // of an earlier run.
  using Callback = std::function<void(const Changes&)>;
  // Called on the thread, once, before that.
  using Seen = std::function<void(const Snapshot&)>;

  // file: of the snapshot, in a directory that exists.
  // REQUIRES: root, log and what the filter refers to outlive it.
  CatchUp(const Root& root, const PathFilter& filter, std::string file, Log& log, Callback callback,
          Seen seen);
  // Stops what runs and waits for it.
  ~CatchUp() = default;

  // Returns at once; it begins after a rest. REQUIRES: not started; the rest outlives it.
  void start(Rest& rest);

 private:
  void run(const std::stop_token& stop) const;

  const Root& root_;
  const PathFilter filter_;
  const std::string file_;
  Log& log_;
  const Callback callback_;
  const Seen seen_;
  std::jthread thread_;
};

}  // namespace lode
