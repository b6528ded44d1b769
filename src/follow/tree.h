// A directory whose files are followed, and what is left out of it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/result.h"
#include "workspace/path_filter.h"
#include "workspace/root.h"
#include "workspace/secrets.h"
#include "workspace/watcher.h"

namespace lode {

// Refers to what outlives it. Constant; any thread.
class FollowedTree {
 public:
  // found_at: the path by which it was found; empty: it counts wherever it is.
  FollowedTree(const Root& root, const PathFilter& filter, std::string found_at = "")
      : root_(root), filter_(filter), found_at_(std::move(found_at)) {}

  const Root& root() const { return root_; }
  const PathFilter& filter() const { return filter_; }

  // False: its path leads nowhere now, or to another directory, because this one, or one
  // above it, was moved, replaced or deleted. A few calls of the system.
  bool in_place() const;

 private:
  const Root& root_;
  const PathFilter filter_;
  const std::string found_at_;
};

// Opens a directory as a tree of its own. It must not lead out of `within`, by links
// or otherwise (empty: wherever it leads), and `secrets` are the rules of that. It is
// watched from now on for as long as somebody holds it, unless there is no callback; if
// that is not possible, the callback hears that it has begun, and nothing more. only: of its
// entries this one alone counts, and what is below it.
// Code::not_found: it is not there. Code::denied: it leads out.
// REQUIRES: the log outlives it; nobody lets go of it in the callback.
Result<std::shared_ptr<const FollowedTree>> open_tree(const std::string& path,
                                                      const std::string& within,
                                                      const SecretRules& secrets, Log& log,
                                                      const Watcher::Callback& callback,
                                                      const std::string& only = "");

}  // namespace lode
