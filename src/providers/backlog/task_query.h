// Which tasks a list has, and in what order. Pure functions on values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/backlog/task.h"

namespace lode {

enum class TaskSort : std::uint8_t {
  rank,      // by status, priority, due date, order and id: what to do next first
  id,        //
  priority,  // by priority, due date, order and id, whatever the status
  due,       // the earliest first, those without a date last
  updated,   // the latest first
  created,   // the latest first
  title,     //
};
std::string_view to_string(TaskSort sort);
std::optional<TaskSort> find_task_sort(std::string_view name);

struct TaskFilter {
  std::vector<TaskStatus> statuses{};  // any of these; none: any
  std::vector<TaskType> types{};       // any of these; none: any
  std::string parent{};                // an id; "none": those without a parent
  std::string label{};
  std::string assignee{};  // "none": those without
  bool ready = false;      // Tasks decides
  bool waiting = false;    // of these statuses (none: open), but not ready; Tasks decides

  // All but `ready` and `waiting`.
  bool matches(const TaskHead& task) const;
  bool is_everything() const;
};

// What a task is sorted by, as bytes that compare as the tasks do; no two tasks that
// count have the same.
std::string sort_key(TaskSort sort, const TaskHead& task);

}  // namespace lode
