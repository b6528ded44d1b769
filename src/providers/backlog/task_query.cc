#include "providers/backlog/task_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "providers/backlog/layout.h"

namespace lode {
namespace {

constexpr std::array<std::string_view, 7> kSorts{"rank",    "id",      "priority", "due",
                                                 "updated", "created", "title"};
constexpr std::string_view kNone = "none";

template <class T>
bool has(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// TASK-9 before TASK-10: the number in as many digits as any has.
std::string id_key(const TaskHead& task) {
  auto key = task_key(task.id);
  const auto number = number_of_task_id(task.id);
  if (!number) return key;
  return fmt::format("{}-{:020}{}", key.substr(0, key.find('-')), *number, key);
}

// Numbers as text of one length, so that the smaller comes first, whatever its sign.
std::string number_key(std::int64_t value) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  return fmt::format("{:016}", std::clamp(value, -kMost, kMost) + kMost);
}

std::string due_key(const TaskHead& task) {
  const auto due = parse_task_time(task.due);
  return due ? number_key(*due) : "~" + task.due;
}

std::string order_key(const TaskHead& task) {
  return task.order ? number_key(static_cast<std::int64_t>(std::llround(*task.order * 100)))
                    : std::string("~");
}

std::string urgency(const TaskHead& task) {
  return fmt::format("{}\n{}\n{}", static_cast<int>(task.priority), due_key(task), order_key(task));
}

}  // namespace

std::string_view to_string(TaskSort sort) { return kSorts[static_cast<std::size_t>(sort)]; }

std::optional<TaskSort> find_task_sort(std::string_view name) {
  const auto found = std::find(kSorts.begin(), kSorts.end(), name);
  if (found == kSorts.end()) return std::nullopt;
  return static_cast<TaskSort>(found - kSorts.begin());
}

bool TaskFilter::matches(const TaskHead& task) const {
  if (task.malformed) return is_everything();
  if (!types.empty() && !has(types, task.type)) return false;
  if (!statuses.empty() && (!has_status(task.type) || !has(statuses, task.status))) return false;
  if (parent == kNone ? !task.parent.empty()
                      : !parent.empty() && task_key(parent) != task_key(task.parent)) {
    return false;
  }
  if (!label.empty() && !has(task.labels, label)) return false;
  return assignee.empty() ||
         (assignee == kNone ? task.assignee.empty() : assignee == task.assignee);
}

bool TaskFilter::is_everything() const {
  return statuses.empty() && types.empty() && parent.empty() && label.empty() && assignee.empty() &&
         !ready && !waiting;
}

std::string sort_key(TaskSort sort, const TaskHead& task) {
  auto id = id_key(task);
  switch (sort) {
    case TaskSort::rank:
      return fmt::format(
          "{}\n{}\n{}",
          has_status(task.type) && !task.malformed ? static_cast<int>(task.status) : 9,
          urgency(task), id);
    case TaskSort::id: return id;
    case TaskSort::priority: return fmt::format("{}\n{}", urgency(task), id);
    case TaskSort::due: return fmt::format("{}\n{}", due_key(task), id);
    case TaskSort::updated: return fmt::format("{}\n{}", number_key(-task.updated_at), id);
    case TaskSort::created:
      return fmt::format("{}\n{}", number_key(-parse_task_time(task.created).value_or(0)), id);
    case TaskSort::title: return fmt::format("{}\n{}", task_key(task.title), id);
  }
  return id;
}

}  // namespace lode
