#include "workspace/watcher.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "workspace/snapshot.h"
#include "workspace/sweep.h"
#include "workspace/watch_tree.h"

namespace lode {
namespace {

using Clock = std::chrono::steady_clock;
using Time = std::optional<Clock::time_point>;

// The root's end shows only when one looks (see WatchTree::settle): after its
// entries changed, look once more.
constexpr std::chrono::seconds kLookAgain{1};

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

// What runs on the watcher's thread.
class Loop {
 public:
  Loop(const Root& root, const PathFilter& filter, Log& log, const Watcher::Callback& callback,
       const WatcherOptions& options, int wake)
      : root_(root),
        filter_(filter),
        log_(log),
        callback_(callback),
        options_(options),
        wake_(wake),
        tree_(root, filter, options.max_watches),
        pending_(options.most) {}

  void run(const std::stop_token& stop) {
    tree_.restart();
    begin_polling(stop);
    Changes begun;
    begun.begun = true;
    begun.partly = !tree_.complete();
    callback_(std::move(begun));
    while (!stop.stop_requested()) {
      wait();
      if (stop.stop_requested()) return;
      read_events();
      if (passed(poll_at_)) poll_unwatched(stop);
      if (passed(quiet_at_) || passed(latest_at_) || passed(look_at_)) tell(stop);
    }
  }

 private:
  static bool passed(const Time& time) { return time && Clock::now() >= *time; }

  void wait() const {
    Time first;
    for (const Time& time : {quiet_at_, latest_at_, look_at_, poll_at_}) {
      if (time && (!first || *time < *first)) first = time;
    }
    int timeout = -1;
    if (first) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*first - Clock::now());
      timeout = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    // poll() passes over a negative descriptor.
    const int events = tree_.root_gone() ? -1 : tree_.descriptor();
    std::array<pollfd, 2> wanted{{{wake_, POLLIN, 0}, {events, POLLIN, 0}}};
    ::poll(wanted.data(), wanted.size(), timeout);
  }

  void read_events() {
    if (tree_.descriptor() < 0 || tree_.root_gone()) return;
    if (tree_.read(pending_)) schedule();
  }

  // Something happened just now.
  void schedule() {
    if (pending_.empty()) return;
    quiet_at_ = Clock::now() + options_.quiet;
    if (!latest_at_) latest_at_ = Clock::now() + options_.longest;
  }

  void tell(const std::stop_token& stop) {
    const bool second_look = !quiet_at_;
    quiet_at_ = latest_at_ = look_at_ = {};
    tree_.settle(pending_);
    if (!poll_at_ && !tree_.root_gone()) begin_polling(stop);
    if (pending_.empty()) return;
    Changes changes = pending_.take();
    changes.partly = !tree_.complete();
    if (changes.root_gone) {
      poll_at_ = {};
    } else if (!second_look && touches_root(changes)) {
      look_at_ = Clock::now() + kLookAgain;
    }
    callback_(std::move(changes));
  }

  static bool touches_root(const Changes& changes) {
    return changes.everything || (!changes.listings.empty() && changes.listings.front().empty());
  }

  void begin_polling(const std::stop_token& stop) {
    if (tree_.complete()) return;
    if (!warned_) {
      log_.warning("not every directory can be watched; the others are compared now and then",
                   {{"root", root_.path()},
                    {"watched", std::to_string(tree_.watches())},
                    {"see", "fs.inotify.max_user_watches, fs.inotify.max_user_instances"}});
      warned_ = true;
    }
    sweep_and_schedule(stop);
  }

  // The last snapshot, or nothing.
  std::optional<Snapshot> sweep_and_schedule(const std::stop_token& stop) {
    const auto began = Clock::now();
    auto now = sweep(root_, filter_, stop);
    const auto took = Clock::now() - began;
    poll_at_ = Clock::now() + std::max<Clock::duration>(options_.poll, 9 * took);
    if (!now) return std::nullopt;
    return std::exchange(snapshot_, std::move(*now));
  }

  // No event comes for an ignore file there: the rules are read again.
  void poll_unwatched(const std::stop_token& stop) {
    if (tree_.complete()) {
      poll_at_ = {};
      snapshot_.reset();
      return;
    }
    filter_.ignore.refresh();
    const auto before = sweep_and_schedule(stop);
    if (!before || !snapshot_) return;
    Changes changes = diff(*before, *snapshot_);
    for (auto& path : changes.paths) {
      if (!tree_.watched(directory_of(path))) pending_.add_path(std::move(path));
    }
    for (auto& path : changes.directories) {
      if (!tree_.watched(directory_of(path))) pending_.add_directory(std::move(path));
    }
    for (auto& listing : changes.listings) {
      if (!tree_.watched(listing)) pending_.add_listing(std::move(listing));
    }
    schedule();
  }

  const Root& root_;
  const PathFilter filter_;
  Log& log_;
  const Watcher::Callback& callback_;
  const WatcherOptions options_;
  const int wake_;
  WatchTree tree_;
  ChangeSet pending_;
  std::optional<Snapshot> snapshot_;
  bool warned_ = false;
  Time quiet_at_;   // when the pending batch has rested
  Time latest_at_;  // when it can wait no longer
  Time look_at_;    // when to see whether the root is still there
  Time poll_at_;    // when to sweep, if not all is watched
};

}  // namespace

Watcher::Watcher(const Root& root, const PathFilter& filter, Log& log, Callback callback,
                 WatcherOptions options)
    : root_(root), filter_(filter), log_(log), callback_(std::move(callback)), options_(options) {}

Watcher::~Watcher() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

Status Watcher::start() {
  wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (wake_.get() < 0) return Error{Code::unavailable, "no descriptor for the watcher", {}};
  thread_ = std::jthread([this](const std::stop_token& stop) {
    Loop(root_, filter_, log_, callback_, options_, wake_.get()).run(stop);
  });
  return {};
}

}  // namespace lode
