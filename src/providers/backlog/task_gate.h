// Which tasks a caller sees: asked of every task that a page shows or counts. A rule about a
// task's file holds for the task. Lives as long as the request; any thread.
#pragma once

#include <string_view>

#include "engine/exchange.h"
#include "providers/backlog/tasks.h"

namespace lode {

class TaskGate {
 public:
  // REQUIRES: both outlive it.
  TaskGate(const Exchange& exchange, const Tasks& tasks);

  // No rule hides any task: who counts them need not ask about each.
  bool sees_all() const { return sees_all_; }
  // False: it is to look as if it were not there. Asks no provider, so that locks may be held.
  bool shows(const TaskHead& task) const;
  bool may_read(const TaskHead& task) const;
  // shows(), for queries; none if it sees all.
  Tasks::Shows shows_or_all() const&;
  Tasks::Shows shows_or_all() const&& = delete;  // it refers to the gate
  // Drops those that are not shown.
  void keep_shown(std::vector<TaskHead>& tasks) const;

 private:
  const Exchange& exchange_;
  const Tasks& tasks_;
  const bool sees_all_;
};

}  // namespace lode
