// The files below a directory, in the order of their paths, as bytes.
//
// Links are neither followed nor visited. Hidden names are never visited. At any
// time one directory is open and the names that wait are in memory: those of the
// directories above, so that a walk that ends early has cost little.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "workspace/workspace.h"

namespace lode {

struct WalkRules {
  bool with_ignored = false;  // what git ignores too
  std::size_t depth = 128;    // directories below where it begins; deeper ones are left out
  // Leaves out a file, or a directory with all that is below. path: relative to
  // the root.
  std::function<bool(const std::string& path)> leaves_out;
};

// Told of every file, and of every directory before it is read;
// false ends the walk.
using WalkVisit = std::function<bool(const std::string& path, bool is_directory)>;

// Runs on the caller's thread. A directory that cannot be read is as if empty.
// One that is ignored itself is walked with what is ignored.
void walk(const Workspace& workspace, const Workspace::Place& directory, const WalkRules& rules,
          const WalkVisit& visit);

}  // namespace lode
