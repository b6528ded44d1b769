#include "follow/workspace_changes.h"

#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "workspace/path_filter.h"

namespace lode {

void WorkspaceChanges::listen(Phase phase, Listener listener) {
  listeners_[static_cast<std::size_t>(phase)].push_back(std::move(listener));
}

void WorkspaceChanges::start(const std::string& state, Rest& rest) {
  for (auto& tree : workspace_.trees()) follow(tree, state, rest);
}

void WorkspaceChanges::follow(Workspace::Tree& tree, const std::string& state, Rest& rest) {
  const PathFilter filter{tree.ignore, workspace_.secrets()};
  auto& catch_up = catch_ups_.emplace_back(
      tree.root, filter, fmt::format("{}/files-{}.snapshot", state, content_hash(tree.root.path())),
      log_, [this, &tree](const Changes& changes) { tell(tree, changes); },
      [this, &tree](const Snapshot& snapshot) {
        for (const auto& seen : seen_) seen(tree, snapshot);
      });
  auto& watcher = watchers_.emplace_back(tree.root, filter, log_,
                                         [this, &tree, &catch_up, &rest](const Changes& changes) {
                                           if (changes.begun) catch_up.start(rest);
                                           tell(tree, changes);
                                         });
  if (auto started = watcher.start(); !started) {
    log_.warning("changes are not watched",
                 {{"root", tree.root.path()}, {"problem", started.error().message}});
  }
}

// In this order: a watcher may begin to catch up until it has ended.
void WorkspaceChanges::stop() {
  watchers_.clear();
  catch_ups_.clear();
}

void WorkspaceChanges::tell(Workspace::Tree& tree, const Changes& changes) {
  ++revision_;
  for (const auto& phase : listeners_) {
    for (const auto& listener : phase) listener(tree, changes);
  }
}

}  // namespace lode
