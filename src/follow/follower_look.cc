// How a follower looks at trees and files; when it does is follower.cc.
#include <algorithm>
#include <iterator>
#include <utility>

#include "follow/follower.h"
#include "workspace/sweep.h"
#include "workspace/workspace.h"

namespace lode {

// ---- trees ----

// Before anybody follows there is no watch: then it is opened each time.
void Follower::open_tree(std::size_t which) {
  const Lock one_at_a_time(opening_);
  bool started = false;
  std::shared_ptr<const FollowedTree> before;  // destroyed without mutex_
  {
    const Lock lock(mutex_);
    started = started_;
    before = open_[which];
  }
  if (before && (!options_.watches || (started && before->in_place()))) return;
  Watcher::Callback callback;
  if (started && options_.watches) {
    callback = [this, which](Changes changes) { changed(which, std::move(changes)); };
  }
  auto opened = reader_.open(which, callback);
  {
    const Lock lock(mutex_);
    open_[which].swap(opened);
  }
  if (!before || !started) return;
  Changes everything;
  everything.everything = true;
  changed(which, std::move(everything));
}

void Follower::close_tree(std::size_t which) {
  std::shared_ptr<const FollowedTree> closed;  // destroyed without the lock
  const Lock lock(mutex_);
  closed.swap(open_[which]);
}

void Follower::look_for_trees() {
  for (std::size_t i = 0; i < options_.trees; ++i) open_tree(i);
}

std::shared_ptr<const FollowedTree> Follower::tree(std::size_t which) const {
  const Lock lock(mutex_);
  return open_[which];
}

// ---- what differs ----

std::vector<FilePlace> Follower::known_below(std::size_t tree, std::string_view directory) const {
  std::vector<FilePlace> places;
  reader_.each_known(tree, directory, [&](std::string_view path) {
    places.push_back({tree, std::string(path)});
  });
  return places;
}

std::vector<FilePlace> Follower::compare(std::size_t tree, const Snapshot& snapshot) {
  using Standing = FileReader::Standing;
  std::vector<FilePlace> differ;
  std::size_t known = 0;
  FilePlace place{tree, {}};
  for (std::size_t i = 0; i < snapshot.size(); ++i) {
    if (!S_ISREG(snapshot.state(i).mode)) continue;
    place.path = snapshot.path(i);
    const auto standing = reader_.standing(place, snapshot.state(i).stamp);
    if (standing == Standing::outdated || standing == Standing::current) ++known;
    if (standing == Standing::outdated || standing == Standing::unknown) differ.push_back(place);
  }
  if (!snapshot.complete() || known == reader_.known_files()) return differ;
  std::vector<FilePlace> gone;
  reader_.each_known(tree, "", [&](std::string_view path) {
    if (snapshot.find(path) == nullptr) gone.push_back({tree, std::string(path)});
  });
  std::move(differ.begin(), differ.end(), std::back_inserter(gone));
  return gone;
}

void Follower::prepare_told(std::size_t tree, const Changes& changes,
                            std::vector<FilePlace>& places, std::set<std::size_t>& sweeps) {
  const auto add = [&](std::vector<FilePlace> some) {
    std::move(some.begin(), some.end(), std::back_inserter(places));
  };
  if (changes.root_gone && !options_.watches) return add(known_below(tree, ""));
  if (changes.root_gone) close_tree(tree);
  if (options_.watches) open_tree(tree);  // another may be in its place
  if (changes.everything || changes.root_gone) sweeps.insert(tree);
  for (const auto& directory : changes.trees) add(known_below(tree, directory));
  for (const auto& path : changes.paths) {
    // Other files may be left out now, or no longer.
    if (last_name(path) == ".gitignore") sweeps.insert(tree);
    FilePlace place{tree, path};
    if (reader_.standing(place, 0) != FileReader::Standing::unwanted) {
      places.push_back(std::move(place));
    }
  }
  auto more = reader_.more(tree, changes);
  if (more.tree) sweeps.insert(tree);
  for (auto& path : more.paths) places.push_back({tree, std::move(path)});
}

// ---- sweeps ----

// A tree that is not there, or cannot be looked through, has no files.
Snapshot Follower::sweep_tree(std::size_t which, const std::stop_token& stop) {
  open_tree(which);
  const auto opened = tree(which);
  if (!opened) return {};
  auto seen = sweep(opened->root(), opened->filter(), stop);
  if (seen) return std::move(*seen);
  if (!stop.stop_requested()) {
    log_.warning("a directory was not looked through",
                 {{"directory", opened->root().path()}, {"problem", seen.error().message}});
  }
  return {};
}

void Follower::run_sweep(const Sweep& task, const std::stop_token& stop) {
  auto seen = sweep_tree(task.tree, stop);
  if (stop.stop_requested()) return;  // the batch is broken off
  if (task.early) {
    const Lock lock(mutex_);
    --early_sweeps_;
    gathered_.seen.emplace_back(task.tree, std::move(seen));
    wake_.notify_all();
    return;
  }
  auto differ = compare(task.tree, seen);
  {
    const Lock lock(mutex_);
    unseen_.erase(task.tree);
    queue(std::move(differ));
    wake_.notify_all();
  }
  done(false);
}

void Follower::look_through_now(std::size_t which, const Counts& counts) {
  for (const auto& place : compare(which, sweep_tree(which, {}))) {
    if (counts(place.path)) look(place);
  }
}

// ---- files ----

std::optional<OpenFile> Follower::open(const FilePlace& place) const {
  const auto opened = tree(place.tree);
  if (!opened || opened->filter().skips(place.path, false)) return std::nullopt;
  auto file = opened->root().open_without_links(place.path);
  if (!file || !file->is_regular()) return std::nullopt;
  return std::move(*file);
}

// The file is opened when nobody else reads it any more: what is kept last is newest.
bool Follower::look(const FilePlace& place) {
  {
    const Lock lock(mutex_);
    while (being_read_.size() >= options_.threads || being_read_.contains(place)) {
      free_.wait(mutex_);
    }
    being_read_.insert(place);
  }
  bool goes_on = true;
  if (const auto file = open(place)) {
    goes_on = reader_.read(place, *file);
  } else {
    reader_.forget(place);
  }
  const Lock lock(mutex_);
  being_read_.erase(place);
  free_.notify_all();
  return goes_on;
}

void Follower::look_now(const FilePlace& place) {
  open_tree(place.tree);
  look(place);
}

}  // namespace lode
