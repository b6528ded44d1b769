#include "providers/backlog/ids.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <thread>
#include <utility>

#include "providers/backlog/layout.h"
#include "store/durable_file.h"
#include "store/private_directory.h"
#include "workspace/git.h"
#include "workspace/root.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr const char* kFolder = "lode";
constexpr const char* kFile = "backlog-ids";
constexpr std::size_t kFileBytes = 4096;
constexpr int kMostLevels = 64;
constexpr std::chrono::milliseconds kBetweenTries{5};
constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// <common>/lode; not open if it cannot be had.
Descriptor folder_in_git(const std::string& common) {
  const Descriptor git(::open(common.c_str(), kOpenFolder));
  struct stat info {};
  const bool ours = git.is_open() && ::fstat(git.get(), &info) == 0 && info.st_uid == ::geteuid();
  if (!ours) return {};
  if (::mkdirat(git.get(), kFolder, 0700) == 0 && !sync_directory(git.get())) return {};
  return Descriptor(::openat(git.get(), kFolder, kOpenFolder));
}

Descriptor folder_for(const TaskIds::Place& place) {
  if (const auto common = git_common_directory(place.backlog)) {
    if (auto folder = folder_in_git(*common); folder.is_open()) return folder;
  }
  if (place.state.empty()) return {};
  auto folder = open_private_directory(place.state);
  return folder ? std::move(*folder) : Descriptor();
}

}  // namespace

std::optional<std::string> git_work_tree(const std::string& directory) {
  std::string at = directory;
  for (int level = 0; level < kMostLevels && at.size() > 1; ++level) {
    const auto root = Root::open(at);
    if (root && root->stamp(".git") != 0) return at;
    at = std::string(parent_path(at));
  }
  return std::nullopt;
}

std::optional<std::string> git_common_directory(const std::string& directory) {
  const auto top = git_work_tree(directory);
  const auto root = top ? Root::open(*top) : not_found("");
  auto common = root ? Git::common_directory(*root, "") : not_found("");
  return common ? std::optional(std::move(*common)) : std::nullopt;
}

Result<TaskIds> TaskIds::open(const Place& place, std::chrono::milliseconds patience) {
  TaskIds ids(folder_for(place));
  if (!ids.directory_.is_open()) return ids;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(ids.directory_.get(), LOCK_EX | LOCK_NB) != 0) {
    // Where there are no locks, the exclusive creation of files must do.
    if (errno != EWOULDBLOCK && errno != EINTR) break;
    if (std::chrono::steady_clock::now() > until) {
      return Error{Code::unavailable, "another process is giving ids; try again",
                   std::chrono::milliseconds(1000)};
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  ids.read();
  return ids;
}

// "TASK 12" on a line. What is not so is passed over: the tasks themselves are seen too.
void TaskIds::read() {
  OpenFile file;
  file.descriptor =
      Descriptor(::openat(directory_.get(), kFile, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.descriptor.is_open() || ::fstat(file.descriptor.get(), &file.info) != 0 ||
      !file.is_regular()) {
    return;
  }
  const auto text = read_all(file, kFileBytes);
  if (!text) return;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (const auto blank = line.find(' '); blank != std::string_view::npos) {
      see(fmt::format("{}-{}", line.substr(0, blank), line.substr(blank + 1)));
    }
  }
}

void TaskIds::see(std::string_view id) {
  const auto type = type_of_task_id(id);
  const auto number = number_of_task_id(id);
  if (!type || !number || *number > kMostNumber) return;
  auto& highest = highest_[static_cast<std::size_t>(*type)];
  highest = std::max(highest, *number);
}

void TaskIds::keep(std::string_view id) {
  see(id);
  changed_ = true;
}

Result<std::string> TaskIds::next(TaskType type) {
  auto& highest = highest_[static_cast<std::size_t>(type)];
  if (highest >= kMostNumber) {
    return Error{Code::unsupported,
                 fmt::format("no id is left above {0}-{1}: give the file that has it, or the entry "
                             "of the trash, another number, and take the line \"{0} {1}\" out of "
                             "{2}",
                             task_prefix(type), highest, kFile),
                 {}};
  }
  changed_ = true;
  return fmt::format("{}-{:04}", task_prefix(type), ++highest);
}

Status TaskIds::save() {
  if (changed_ && directory_.is_open()) {
    std::string text;
    for (const auto type : kTaskTypes) {
      const auto highest = highest_[static_cast<std::size_t>(type)];
      if (highest > 0) text += fmt::format("{} {}\n", task_prefix(type), highest);
    }
    auto saved = write_durably(directory_.get(), kFile, text, 0600);
    if (!saved) return std::move(saved).error().in("saving the counter of ids");
  }
  directory_ = Descriptor();
  return {};
}

}  // namespace lode
