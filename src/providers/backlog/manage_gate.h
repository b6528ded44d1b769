// What a caller of backlog_manage may do with which task: asked of every task that a call
// names, reads or writes. A rule about a task's file holds for the task. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/exchange.h"
#include "providers/backlog/tasks.h"

namespace lode {

class ManageGate {
 public:
  // REQUIRES: both outlive it.
  ManageGate(const Exchange& exchange, const Tasks& tasks) : exchange_(&exchange), tasks_(&tasks) {}
  // For who may do everything: the user's own commands, and tests.
  static ManageGate open() { return {}; }

  // False: it is to look as if it were not there. Asks no provider.
  bool shows(const TaskHead& task) const;
  // Code::denied names the address.
  Status admit_write(const TaskHead& task) const;
  Status admit_write(const std::string& address, std::string path) const;
  // Who speaks, where a call does not say; "local" for who may do everything.
  std::string who() const;
  std::chrono::steady_clock::time_point deadline() const;

 private:
  ManageGate() = default;

  const Exchange* exchange_ = nullptr;  // null: everything
  const Tasks* tasks_ = nullptr;
};

}  // namespace lode
