// Tells what changes below a root, in batches.
//
// Nothing happens before start(): no descriptor, no thread. Then a thread of
// its own watches every directory that the filter does not skip (watch_tree.h
// says how) and calls back:
//
//  1. The first call has Changes::begun. Every later change is told; whoever
//     wants what changed before begins a sweep then.
//  2. A batch is told when nothing happened for `quiet`, or `longest` after its
//     first event, so that a checkout of many files is a few calls.
//  3. When the kernel loses events, or a batch has more than `most` names, or
//     the root's own .gitignore changes, or the root itself is moved, the batch
//     is Changes::everything.
//  4. Directories beyond the limits on watches (ours or the system's) are
//     compared by sweeps every `poll`, at most a tenth of the time; a warning
//     says so once.
//  5. Secrets are never told. An ignored file in a watched directory is told
//     (it can be read); what is in an ignored directory is not.
//  6. After Changes::root_gone nothing more is told.
//
// Changes that no event announces are not seen: writes through a mapping, on
// another machine of a network file system, or of what a link points to outside
// watched directories.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>

#include "base/log.h"
#include "base/result.h"
#include "workspace/changes.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"

namespace lode {

struct WatcherOptions {
  std::chrono::milliseconds quiet{20};
  std::chrono::milliseconds longest{200};
  std::chrono::milliseconds poll{5000};
  std::size_t most = 100'000;
  std::size_t max_watches = 65'536;
};

class Watcher {
 public:
  // Called on the watcher's thread. While it runs events only queue up in the
  // kernel, so it should hand over and return. It must not destroy the watcher.
  using Callback = std::function<void(Changes)>;

  // REQUIRES: root, log and what the filter refers to outlive the watcher. The
  // watcher tells the filter's ignore rules what changed before it calls back.
  Watcher(const Root& root, const PathFilter& filter, Log& log, Callback callback,
          WatcherOptions options = {});
  // Waits for a callback that runs.
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // REQUIRES: not started. Returns at once. Code::unavailable: no descriptor.
  Status start();

 private:
  const Root& root_;
  const PathFilter filter_;
  Log& log_;
  const Callback callback_;
  const WatcherOptions options_;
  Descriptor wake_;
  std::jthread thread_;
};

}  // namespace lode
