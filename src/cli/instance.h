// A workspace made ready: everything that commands and the server work with.
//
// Resources off means that nothing of the workspace is opened: the catalog is
// empty. `main` owns the instance; its parts depend on each other in the order
// of their declaration.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "cli/config.h"
#include "engine/engine.h"
#include "workspace/watcher.h"
#include "workspace/workspace.h"

namespace lode {

class Instance {
 public:
  // roots: the directories to serve, as chosen.
  static Result<std::unique_ptr<Instance>> open(const Config& config,
                                                const std::vector<std::string>& roots, Log& log);

  const Engine& engine() const { return *engine_; }
  Events& events() { return events_; }
  Cache& cache() { return *cache_; }
  PolicySource& policy() { return *policy_; }

  // Begins to tell the events what changes in the workspace. Nothing to do when
  // resources are off.
  Status watch(Log& log);

 private:
  Instance() = default;
  Status add_providers(const Config& config, const std::vector<std::string>& roots);

  Events events_;
  std::unique_ptr<Cache> cache_;
  std::unique_ptr<PolicySource> policy_;
  std::unique_ptr<Workspace> workspace_;  // null: resources are off
  Catalog catalog_;
  std::optional<Engine> engine_;
  std::deque<Watcher> watchers_;
};

}  // namespace lode
