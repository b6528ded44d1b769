// A walk of a whole root that looks at everything once and opens no file: what
// changed while nobody watched is diff(the snapshot saved, a new one).
//
// Links are recorded, not followed; what the filter skips, sockets, pipes and
// devices are not recorded. Directories are reached by openat2 below the root,
// as everything else. The walk keeps no descriptor but one open and does not
// recurse. On its way it removes the unfinished files of processes that were killed
// (base/unfinished.h), and nothing else.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"
#include "workspace/snapshot.h"

namespace lode {

struct SweepLimits {
  std::size_t entries = 1'000'000;
  std::size_t depth = 128;  // directories below where it begins
};

// Told now and then how many entries there are so far.
using SweepProgress = std::function<void(std::size_t entries)>;

// Runs on the caller's thread until done; begins at the root, or at a directory
// below it (paths are relative to the root all the same). Code::cancelled:
// stopped. Code::not_found: where it begins is no directory that can be read; any
// other that cannot is left out. Beyond a limit the snapshot is not complete().
Result<Snapshot> sweep(const Root& root, const PathFilter& filter, const std::stop_token& stop = {},
                       const SweepProgress& progress = {}, SweepLimits limits = {},
                       const std::string& directory = {});

}  // namespace lode
