// What the backlog's addresses say of tasks: one task, a list, the board, what is amiss.
// Of what a caller does not see, nothing. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "providers/backlog/task_gate.h"
#include "providers/backlog/tasks.h"

namespace lode {

// Of a page of a list, and of the board, in tokens.
inline constexpr std::size_t kListTokens = 4000;
inline constexpr std::size_t kBoardTokens = 1400;
inline constexpr std::size_t kListTasks = 100;  // on a page at most
inline constexpr std::size_t kFoundTasks = 20;  // the same of a search
// On a page of who says how many it wants, whatever they cost; and found at all.
inline constexpr std::size_t kMostListedTasks = 1000;

// A task whole, as JSON: its fields, those that Lode does not know, the body, its children and
// what blocks it.
std::string task_page(const Task& task, const Tasks& tasks, const TaskGate& gate);

// The same of an earlier version: what others meant to it then is not told.
std::string task_version_page(const Task& task);

// What an address of a list asks for.
struct TaskListQuery {
  TaskFilter filter;
  std::optional<TaskSort> sort{};  // nothing: by rank; what is found, by how well it fits
  std::string words;               // empty: no search
  std::size_t limit = 0;           // tasks on a page; 0: those that fit into kListTokens
  std::string cursor;              // of the page before
  std::string parameters;          // the query of the address, without the cursor
};

// As JSON: the tasks of a page, how many the whole list has (of a search, if all
// hits were looked for: at most 1,000), and the address of the next page. Code::invalid: the cursor
// is none.
Result<std::string> task_list_page(const TaskListQuery& query, const Tasks& tasks,
                                   const TaskGate& gate);

// Markdown under kBoardTokens: counts, and the open tasks by status; what to read first.
std::string board_page(const Tasks& tasks, const TaskGate& gate);

// As JSON, from the so manieth on.
std::string task_problems_page(const Tasks& tasks, const TaskGate& gate, std::size_t after);

}  // namespace lode
