// Which files of a backlog's directory are tasks, and where a new one goes.
//
//   .lode/backlog/tasks/TASK-0001.md       Lode's own; epics/, folders/, milestones/ and
//                                          artifacts/ beside it, a folder for each type
//   ~/.backlog/tasks/TASK-0001.md          backlog-mcp of its first time: all types in tasks/
//   docs/tasks/TASK-0001.md                backlog-mcp since: the folders are in docs/, of the
//                                          home or of the repository
//
// A file's name says its id: "TASK-0001.md", "TASK-0001-a-title.md", "task-1 - Title.md".
// Outside of docs/ other names are ids too, as a whole ("fix-login.md"). In artifacts/ and in
// docs/ only what is called so is a task's: the rest are artifacts and documents.
// Pure functions on values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/backlog/task.h"

namespace lode {

// The type that a file's folder says; nothing: it is no task's file. path: below the
// backlog's directory.
std::optional<TaskType> type_of_task_file(std::string_view path);

// What the file's name says: the id that it begins with, as it is written, else the name
// without ".md".
std::string id_of_task_file(std::string_view path);
// Whether it begins with an id of PREFIX-NUMBER.
bool names_task_id(std::string_view path);

// "TASK", "EPIC", …
std::string_view task_prefix(TaskType type);
// What an id's prefix says; nothing: it is none of these.
std::optional<TaskType> type_of_task_id(std::string_view id);
// Of an id PREFIX-NUMBER; nothing: it is none.
std::optional<std::uint64_t> number_of_task_id(std::string_view id);

// "tasks", "epics", …
std::string_view task_folder(TaskType type);

}  // namespace lode
