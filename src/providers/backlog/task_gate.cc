#include "providers/backlog/task_gate.h"

namespace lode {
namespace {

constexpr std::string_view kTasks = "mcp://backlog/tasks/";

}  // namespace

TaskGate::TaskGate(const Exchange& exchange, const Tasks& tasks)
    : exchange_(exchange),
      tasks_(tasks),
      sees_all_(exchange.offers_all(Action::list, kTasks, tasks.directory()) &&
                exchange.offers_all(Action::read, kTasks, tasks.directory())) {}

bool TaskGate::shows(const TaskHead& task) const {
  if (sees_all_) return true;
  const auto uri = Uri::parse(task.uri());
  if (!uri) return false;
  const FileBehind file{tasks_.path_of(task), false};
  return exchange_.offers(Action::list, *uri, file) && exchange_.may(Action::read, *uri, file);
}

bool TaskGate::may_read(const TaskHead& task) const {
  const auto uri = Uri::parse(task.uri());
  return sees_all_ ||
         (uri && exchange_.may(Action::read, *uri, FileBehind{tasks_.path_of(task), false}));
}

Tasks::Shows TaskGate::shows_or_all() const& {
  if (sees_all_) return {};
  return [this](const TaskHead& task) { return shows(task); };
}

void TaskGate::keep_shown(std::vector<TaskHead>& tasks) const {
  if (sees_all_) return;
  std::erase_if(tasks, [&](const TaskHead& task) { return !shows(task); });
}

}  // namespace lode
