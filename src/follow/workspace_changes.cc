#include "follow/workspace_changes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/hash.h"
#include "workspace/path_filter.h"

namespace lode {
namespace {

std::optional<struct stat> attributes(const Root& root) {
  const auto opened = root.open_inside("");
  return opened ? std::optional(opened->info) : std::nullopt;
}

}  // namespace

WorkspaceChanges::Followed::Followed(Workspace::Tree& its_tree)
    : tree(its_tree), directory(attributes(its_tree.root)) {}

// A path that cannot be looked at says nothing of what is there.
bool WorkspaceChanges::Followed::in_place() const {
  if (!directory) return true;
  struct stat named {};
  if (::lstat(tree.root.path().c_str(), &named) != 0) return errno != ENOENT && errno != ENOTDIR;
  return named.st_dev == directory->st_dev && named.st_ino == directory->st_ino;
}

void WorkspaceChanges::listen(Phase phase, Listener listener) {
  listeners_[static_cast<std::size_t>(phase)].push_back(std::move(listener));
}

void WorkspaceChanges::start(const std::string& state, Rest& rest) {
  {
    const Lock lock(mutex_);
    not_begun_ = workspace_.trees().size();
  }
  for (auto& tree : workspace_.trees()) follow(tree, state, rest);
}

void WorkspaceChanges::count_begun() {
  const Lock lock(mutex_);
  if (--not_begun_ == 0) begun_.notify_all();
}

void WorkspaceChanges::wait_begun(std::chrono::steady_clock::time_point deadline) {
  const Lock lock(mutex_);
  while (not_begun_ > 0 && begun_.wait_until(mutex_, deadline)) {
  }
}

void WorkspaceChanges::follow(Workspace::Tree& tree, const std::string& state, Rest& rest) {
  const PathFilter filter{tree.ignore, workspace_.secrets()};
  auto& followed = followed_.emplace_back(tree);
  auto& catch_up = catch_ups_.emplace_back(
      tree.root, filter, fmt::format("{}/files-{}.snapshot", state, content_hash(tree.root.path())),
      log_, [this, &followed](const Changes& changes) { hear(followed, changes); },
      [this, &tree](const Snapshot& snapshot) {
        for (const auto& seen : seen_) seen(tree, snapshot);
      });
  auto& watcher = watchers_.emplace_back(
      tree.root, filter, log_, [this, &followed, &catch_up, &rest](const Changes& changes) {
        if (changes.begun) catch_up.start(rest);
        hear(followed, changes);
        note_heard(followed, !changes.partly && !changes.root_gone);
        if (changes.begun) count_begun();
      });
  if (auto started = watcher.start(); !started) {
    log_.warning("changes are not watched",
                 {{"root", tree.root.path()}, {"problem", started.error().message}});
    count_begun();  // nobody can wait for it
  }
}

// In this order: a watcher may begin to catch up until it has ended.
void WorkspaceChanges::stop() {
  watchers_.clear();
  catch_ups_.clear();
  followed_.clear();
}

// watched: nothing: as before.
void WorkspaceChanges::note_heard(Followed& followed, std::optional<bool> watched) {
  const Lock lock(mutex_);
  followed.watched = watched.value_or(followed.watched);
  const bool unheard = !followed.watched || followed.away;
  if (std::exchange(followed.unheard, unheard) == unheard) return;
  unheard ? ++unheard_ : --unheard_;
}

void WorkspaceChanges::hear(Followed& followed, const Changes& changes) {
  const bool away = !followed.in_place();
  const bool moved = followed.away.exchange(away) != away;
  if (moved) {
    note_heard(followed, std::nullopt);
    const std::string& path = followed.tree.root.path();
    if (away) {
      log_.error("the workspace's directory was moved or replaced; restart lode", {{"root", path}});
    } else {
      log_.info("the workspace's directory is back", {{"root", path}});
    }
    Changes all;
    all.begun = changes.begun;
    all.everything = true;
    all.root_gone = changes.root_gone;
    return tell(followed.tree, all);
  }
  if (!away || changes.begun || changes.root_gone) tell(followed.tree, changes);
}

void WorkspaceChanges::tell(Workspace::Tree& tree, const Changes& changes) {
  ++revision_;
  for (const auto& phase : listeners_) {
    for (const auto& listener : phase) listener(tree, changes);
  }
}

}  // namespace lode
