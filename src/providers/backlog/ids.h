// The ids of new tasks: none is given twice.
//
// A counter says for each prefix the highest number that was given. It is kept in git's
// common directory (<.git>/lode/backlog-ids), which the work trees of a repository share;
// without git, in the backlog's state directory. A new id is above the counter and above every id
// that see() was told of. The counter is saved before a file with the id is made: a crash leaves a
// gap, never a number that is given again.
//
// A repository is used only if it is ours and, where a .git file names it, if it names the
// work tree in turn (workspace/git.h); nothing is written through links.
//
// From open() until save(), or the end, nobody else has the counter. One thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "providers/backlog/task.h"

namespace lode {

class TaskIds {
 public:
  static constexpr std::chrono::milliseconds kPatience{10'000};
  // A number above it is neither given nor counted on: a file's name may hold any.
  static constexpr std::uint64_t kMostNumber = 999'999'999'999;

  struct Place {
    std::string backlog;  // the directory, absolute; it exists
    std::string state;    // the backlog's state directory; empty: there is none
  };
  // Code::unavailable: others had the counter all the time.
  static Result<TaskIds> open(const Place& place, std::chrono::milliseconds patience = kPatience);

  // There is a task with this id. What is none of ours is let be.
  void see(std::string_view id);
  // The same, and the counter will know it when nobody sees it any more.
  void keep(std::string_view id);
  // "TASK-0007". Code::unsupported: kMostNumber was given or seen.
  Result<std::string> next(TaskType type);
  // On stable storage; then others may go on. Does nothing if no id was given or kept.
  Status save();

 private:
  explicit TaskIds(Descriptor directory) : directory_(std::move(directory)) {}
  void read();

  Descriptor directory_;  // that holds the counter, and the lock; none: it is not kept
  std::array<std::uint64_t, kTaskTypeCount> highest_{};
  bool changed_ = false;
};

// The top of the work tree that a directory is in: the nearest one on the way up with a .git;
// nothing: it is in none. Absolute.
std::optional<std::string> git_work_tree(const std::string& directory);

// git's common directory of the repository whose work tree a directory is in; nothing: it is
// in none that may be used. Absolute.
std::optional<std::string> git_common_directory(const std::string& directory);

}  // namespace lode
