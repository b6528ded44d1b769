// The threads of a follower and its batches; how trees and files are looked at is
// follower_look.cc.
#include "follow/follower.h"

#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lode {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t names_in(const Changes& changes) {
  return changes.paths.size() + changes.trees.size() + changes.listings.size();
}

// Each tree that something is told of, as a whole.
ToldChanges as_whole_trees(const ToldChanges& told) {
  ToldChanges out;
  for (const auto& [tree, changes] : told) {
    auto found =
        std::find_if(out.begin(), out.end(), [&](const auto& item) { return item.first == tree; });
    if (found == out.end()) found = out.insert(out.end(), {tree, Changes()});
    found->second.everything = true;
    found->second.root_gone |= changes.root_gone;
  }
  return out;
}

}  // namespace

Follower::Follower(FileReader& reader, Log& log, const Options& options)
    : reader_(reader), log_(log), options_(options), open_(options.trees) {
  for (std::size_t i = 0; i < options.trees; ++i) unseen_.insert(i);
}

Follower::~Follower() {
  stop();
  std::vector<std::shared_ptr<const FollowedTree>> open;  // destroyed without the lock
  const Lock lock(mutex_);
  open.swap(open_);
}

// ---- threads ----

void Follower::start(Rest* rest) {
  std::vector<std::shared_ptr<const FollowedTree>> unwatched(options_.trees);
  {
    const Lock lock(mutex_);
    started_ = true;
    open_.swap(unwatched);
  }
  if (!options_.watches) {
    for (std::size_t i = 0; i < options_.trees; ++i) open_tree(i);
  }
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this, i, rest](const std::stop_token& stop) {
      // On Linux: of this thread alone.
      if (options_.nice != 0) ::setpriority(PRIO_PROCESS, 0, options_.nice);
      if (i == 0) begin(rest, stop);
      run(i % 2 == 0 ? End::front : End::back, stop);
    });
  }
}

// The other threads wait for this.
void Follower::begin(Rest* rest, const std::stop_token& stop) {
  if (rest != nullptr) rest->take(stop);
  if (stop.stop_requested()) return;
  reader_.load_kept();
  if (options_.watches) look_for_trees();
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < options_.trees; ++i) {
    if (!open_[i]) unseen_.erase(i);  // where there is nothing to see, nobody waits for it
  }
  look_for_trees_at_ = Clock::now() + options_.look_for_trees;
  loaded_ = true;
  gathered_.first = true;
  wake_.notify_all();
}

void Follower::request_stop() {
  const Lock lock(mutex_);
  ended_ = true;
  for (auto& thread : threads_) thread.request_stop();
  wake_.notify_all();
}

bool Follower::stop() {
  request_stop();
  std::vector<std::jthread> threads;
  {
    const Lock lock(mutex_);
    threads.swap(threads_);
  }
  const bool ran = !threads.empty();
  threads.clear();  // waits
  return ran;
}

void Follower::run(End end, const std::stop_token& stop) {
  while (auto task = next(end, stop)) {
    if (auto* batch = std::get_if<Gathered>(&*task)) {
      prepare(std::move(*batch));
    } else if (const auto* sweep = std::get_if<Sweep>(&*task)) {
      run_sweep(*sweep, stop);
    } else if (const auto* place = std::get_if<FilePlace>(&*task)) {
      if (!look(*place)) return;
      done(true);
    } else {
      look_for_trees();
    }
  }
}

std::optional<Follower::Task> Follower::next(End end, const std::stop_token& stop) {
  const Lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (auto task = take(end)) return task;
    wait_for_work();
  }
  return std::nullopt;
}

std::optional<Follower::Task> Follower::take(End end) {
  if (!loaded_) {
    if (gathered_.sweeps.empty() || options_.watches) return std::nullopt;
    ++early_sweeps_;
    return Sweep{gathered_.sweeps.extract(gathered_.sweeps.begin()).value(), true};
  }
  if (stage_ == Stage::looking && !sweeps_.empty()) {
    return Sweep{sweeps_.extract(sweeps_.begin()).value(), false};
  }
  if (stage_ == Stage::looking && !waiting_.empty()) return take_file(end);
  if (stage_ != Stage::idle) return std::nullopt;
  if (options_.watches && Clock::now() >= look_for_trees_at_) {
    look_for_trees_at_ = Clock::now() + options_.look_for_trees;
    return LookForTrees();
  }
  if (gathered_.empty()) return std::nullopt;
  stage_ = Stage::preparing;
  return std::exchange(gathered_, {});
}

FilePlace Follower::take_file(End end) {
  const FilePlace* place = end == End::front ? waiting_.front() : waiting_.back();
  if (end == End::front) {
    waiting_.pop_front();
  } else {
    waiting_.pop_back();
  }
  return std::move(queued_.extract(queued_.find(*place)).value());
}

void Follower::wait_for_work() {
  if (loaded_ && stage_ == Stage::idle && options_.watches) {
    wake_.wait_until(mutex_, look_for_trees_at_);
  } else {
    wake_.wait(mutex_);
  }
}

// ---- what is told ----

void Follower::changed(std::size_t tree, Changes changes) {
  const Lock lock(mutex_);
  if (ended_) return;
  if (changes.begun) {
    // What was before, a sweep tells; of trees that are watched elsewhere, saw().
    if (options_.watches) gathered_.sweeps.insert(tree);
    wake_.notify_all();
    return;
  }
  gathered_.names += names_in(changes);
  gathered_.told.emplace_back(tree, std::move(changes));
  if (gathered_.names > kMostTold) {
    gathered_.told = as_whole_trees(gathered_.told);
    gathered_.names = 0;
  }
  wake_.notify_all();
}

void Follower::saw(std::size_t tree, Snapshot snapshot) {
  const Lock lock(mutex_);
  gathered_.seen.emplace_back(tree, std::move(snapshot));
  wake_.notify_all();
}

void Follower::look_through() {
  const Lock lock(mutex_);
  for (std::size_t i = 0; i < options_.trees; ++i) gathered_.sweeps.insert(i);
  wake_.notify_all();
}

// ---- batches ----

void Follower::prepare(Gathered batch) {
  std::vector<FilePlace> places;
  for (const auto& [tree, changes] : batch.told) prepare_told(tree, changes, places, batch.sweeps);
  for (const auto& [tree, snapshot] : batch.seen) {
    auto differ = compare(tree, snapshot);
    std::move(differ.begin(), differ.end(), std::back_inserter(places));
  }
  {
    const Lock lock(mutex_);
    for (const auto& [tree, snapshot] : batch.seen) unseen_.erase(tree);
    settled_.told = std::move(batch.told);
    sweeps_ = std::move(batch.sweeps);
    began_ = Clock::now();
    stage_ = Stage::looking;
    unfinished_ = sweeps_.size() + 1;  // this one
    queue(std::move(places));
    wake_.notify_all();
  }
  done(false);
}

void Follower::queue(std::vector<FilePlace> places) {
  for (auto& place : places) {
    const auto [at, is_new] = queued_.insert(std::move(place));
    if (!is_new) continue;
    waiting_.push_back(&*at);
    ++unfinished_;
  }
}

void Follower::done(bool is_file) {
  {
    const Lock lock(mutex_);
    if (is_file) ++settled_.looked_at;
    if (--unfinished_ > 0) return;
    stage_ = Stage::settling;
    wake_.notify_all();  // somebody may wait for this
  }
  settle();
}

void Follower::settle() {
  FileReader::Settled settled;
  {
    const Lock lock(mutex_);
    settled = std::exchange(settled_, {});
    settled.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
    settled.swept = unseen_.empty();
  }
  reader_.settled(settled);
  const Lock lock(mutex_);
  stage_ = Stage::idle;
  wake_.notify_all();
}

Follower::Progress Follower::progress_now() const {
  Progress progress;
  progress.waiting = unfinished_ + early_sweeps_ + gathered_.told.size() + gathered_.sweeps.size() +
                     (stage_ == Stage::preparing ? 1 : 0) +
                     (loaded_ ? gathered_.seen.size() : 0);  // until then not everything is swept
  progress.swept = unseen_.empty();
  return progress;
}

Follower::Progress Follower::progress() const {
  const Lock lock(mutex_);
  return progress_now();
}

Follower::Progress Follower::wait(TimePoint until) const {
  const Lock lock(mutex_);
  while (!progress_now().complete() && wake_.wait_until(mutex_, until)) {
  }
  return progress_now();
}

}  // namespace lode
