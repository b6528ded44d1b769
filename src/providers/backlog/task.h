// A task of the backlog, as its file says it: markdown with frontmatter.
//
//     ---
//     id: TASK-0007
//     title: Serve the board
//     status: open
//     parent_id: EPIC-0001
//     dependencies: [TASK-0003]
//     labels: [http]
//     priority: high
//     due_date: 2026-12-01
//     created_at: 2026-11-18T09:00:00Z
//     updated_at: 2026-11-18T09:00:00Z
//     ---
//
//     What is to be done.
//
//     ## Acceptance criteria
//
//     - [ ] It answers.
//
// Epics, folders, milestones and artifacts are tasks of another type. The keys are those
// of backlog-mcp; task_fields.h has the other spellings that are read. What else the
// frontmatter holds is kept in `fields`. A file always gives a task: of one that is
// malformed nothing but its id, its text and what is wrong with it.
//
// Values: no thread, no file.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace lode {

enum class TaskType : std::uint8_t { task, epic, folder, milestone, artifact };
inline constexpr std::size_t kTaskTypeCount = 5;
inline constexpr std::array<TaskType, kTaskTypeCount> kTaskTypes{
    TaskType::task, TaskType::epic, TaskType::folder, TaskType::milestone, TaskType::artifact};

// In the order of lists: what is being done first, what is over last.
enum class TaskStatus : std::uint8_t { in_progress, open, blocked, done, cancelled };
inline constexpr std::size_t kTaskStatusCount = 5;
inline constexpr std::array<TaskStatus, kTaskStatusCount> kTaskStatuses{
    TaskStatus::in_progress, TaskStatus::open, TaskStatus::blocked, TaskStatus::done,
    TaskStatus::cancelled};

enum class TaskPriority : std::uint8_t { critical, high, medium, low, lowest };

// "task", "in_progress", "high", … Nothing: there is none of that name. Statuses and
// priorities are found in any case, with blanks or dashes, and by the names of other programs
// ("To Do", "p1").
std::string_view to_string(TaskType type);
std::string_view to_string(TaskStatus status);
std::string_view to_string(TaskPriority priority);
std::optional<TaskType> find_task_type(std::string_view name);
std::optional<TaskStatus> find_task_status(std::string_view name);
std::optional<TaskPriority> find_task_priority(std::string_view name);

// Done or cancelled: it blocks nothing any more.
bool is_over(TaskStatus status);
// Whether a task of the type has a status; folders and artifacts have none, and count
// as open nowhere.
bool has_status(TaskType type);

// What a task is called in an address. "TASK-0007"; other names of files too. At most
// kTaskIdBytes, of letters, digits, "-", "_", "." and blanks within, and no dot first.
inline constexpr std::size_t kTaskIdBytes = 100;
bool is_task_id(std::string_view text);
// By which ids are compared: "task-7" and "TASK-7" are one.
std::string task_key(std::string_view id);
// mcp://backlog/tasks/TASK-0007
std::string task_uri(std::string_view id);

// Something in a file that is not as it should be; the task is served all the same.
struct TaskProblem {
  std::size_t line = 0;  // 0: of no line
  std::string text;      // names the field
};

// What is known of every task at any time, so that lists need no file.
struct TaskHead {
  std::string id;
  TaskType type = TaskType::task;
  TaskStatus status = TaskStatus::open;
  TaskPriority priority = TaskPriority::medium;
  bool malformed = false;                 // nothing of the frontmatter is known
  bool says_type = false;                 // the frontmatter does; else the id or the folder
  std::uint16_t criteria = 0;             // check-boxes
  std::uint16_t criteria_done = 0;        // of these
  std::string title;                      // at most kTitleBytes
  std::string parent;                     // an id; empty: none
  std::vector<std::string> dependencies;  // ids
  std::vector<std::string> labels;
  std::string assignee;
  std::string due;      // as the file says
  std::string created;  // as the file says; else that of the file, in ISO 8601
  std::string updated;
  std::string excerpt;          // the beginning of the body, on one line
  std::optional<double> order;  // among those with the same priority and due date
  std::int64_t updated_at = 0;  // in seconds since 1970

  // Of the file.
  std::string file;         // below the backlog's directory: "tasks/TASK-0007.md"
  std::uint64_t stamp = 0;  // differs when the file does
  std::uint64_t bytes = 0;

  std::string uri() const { return task_uri(id); }
  // Has a status, which is not over.
  bool is_open() const { return !malformed && has_status(type) && !is_over(status); }
};

struct TaskReference {
  std::string url;
  std::string title;
};

// A check-box of the body.
struct TaskCriterion {
  std::string text;
  bool done = false;
  std::size_t line = 0;  // of the body, from 1
};

struct Task : TaskHead {
  std::vector<TaskReference> references;
  std::vector<TaskCriterion> acceptance;
  std::vector<std::string> evidence;
  std::vector<std::string> blocked_reason;
  JsonObject fields;      // the frontmatter, whole and in its order
  std::string body;       // UTF-8; of a malformed file, all of it
  bool body_cut = false;  // it is longer
  std::string version;    // task_version() (manage_edit.h), where somebody asked for it
  std::vector<TaskProblem> problems;
};

struct TaskFile {
  std::string_view file;    // below the backlog's directory
  std::string_view text;    // its first kTaskTextBytes
  std::uint64_t bytes = 0;  // of the whole
  std::chrono::system_clock::time_point modified;
};

inline constexpr std::size_t kTaskTextBytes = std::size_t{1} << 20;  // more is not read
inline constexpr std::int64_t kLastTaskTime = 7'258'118'400;  // 2200: later times count as this
inline constexpr std::size_t kTitleBytes = 500;
inline constexpr std::size_t kMostLabels = 100;  // and of other lists of short texts
inline constexpr std::size_t kMostDependencies = 1000;
inline constexpr std::size_t kShortTextBytes = 200;  // of a label, an assignee, a date
inline constexpr std::size_t kExcerptBytes = 100;

// REQUIRES: type_of_task_file() (layout.h) says that it is a task's.
Task read_task(const TaskFile& file);

// 2026-01-15T13:05:01Z
std::string task_time(std::chrono::system_clock::time_point time);
// Seconds since 1970 of a date or a time in ISO 8601, also with a blank for the T; without a
// zone it is UTC. Nothing: it is none.
std::optional<std::int64_t> parse_task_time(std::string_view text);

}  // namespace lode
