// The backlog's addresses of tasks, in all their spellings. Pure functions on values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/uri.h"
#include "engine/routes.h"
#include "providers/backlog/task_pages.h"

namespace lode {

inline constexpr std::string_view kBacklog = "mcp://backlog";
inline constexpr std::string_view kBoard = "mcp://backlog/board";
inline constexpr std::string_view kTaskProblems = "mcp://backlog/problems";
inline constexpr std::string_view kTaskList = "mcp://backlog/tasks";
inline constexpr std::string_view kTaskListTemplate =
    "mcp://backlog/tasks{?status,type,parent,label,assignee,q,ready,sort,limit,cursor}";

// An address of one task.
struct TaskAddress {
  enum class Of : std::uint8_t { task, file, history };

  std::string id;  // as it is written
  Of of = Of::task;

  // With the id that the task has.
  std::string uri(std::string_view its_id) const;
};

// Also of the forms of backlog-mcp: tasks/TASK-0001.md and docs/tasks/TASK-0001.md are the file.
// Nothing: it is no task's.
std::optional<TaskAddress> parse_task_address(const Uri& uri);

// What backlog-mcp has at mcp://backlog/{+path}.md, other than tasks: a file of the repository.
// Nothing: it is another address.
std::optional<std::string> parse_document_address(const Uri& uri);

// Code::invalid names the parameter and what it may be.
Result<TaskListQuery> parse_task_list(const Address& address);
// The same of any address. Code::not_found: it is no list.
Result<TaskListQuery> parse_task_list(const Uri& uri);

}  // namespace lode
