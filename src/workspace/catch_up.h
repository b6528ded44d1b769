// Finds out what changed below a root while nobody watched: compares what stands
// there with the snapshot that the last run left, tells the difference, and
// leaves a new snapshot.
//
// It runs once, on a thread of its own that gives way to all others: an answer
// never waits for it. Begin it when the watcher has begun (Changes::begun), so
// that what changes meanwhile is told by one of the two.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/log.h"
#include "workspace/changes.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"

namespace lode {

class CatchUp {
 public:
  // Called on the thread, once, unless nothing changed or there was no snapshot
  // of an earlier run.
  using Callback = std::function<void(const Changes&)>;

  // file: of the snapshot, in a directory that exists.
  // REQUIRES: root, log and what the filter refers to outlive it.
  CatchUp(const Root& root, const PathFilter& filter, std::string file, Log& log,
          Callback callback);
  // Stops what runs and waits for it.
  ~CatchUp() = default;

  // Returns at once; rests so long before it begins. REQUIRES: not started.
  void start(std::chrono::milliseconds delay = {});

 private:
  void run(const std::stop_token& stop) const;

  const Root& root_;
  const PathFilter filter_;
  const std::string file_;
  Log& log_;
  const Callback callback_;
  std::jthread thread_;
};

}  // namespace lode
