// What one call of backlog_manage changes: its operations, carried out on texts in memory one
// after the other, and then written as one.
//
// Each task is read from its file when it is first named, while the backlog is held
// (manage_files.h): what another process or an editor wrote before counts, whatever is known
// of it. Lives as long as the call; one thread.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/backlog/ids.h"
#include "providers/backlog/manage_arguments.h"
#include "providers/backlog/manage_files.h"
#include "providers/backlog/manage_gate.h"
#include "providers/backlog/manage_links.h"
#include "providers/backlog/tasks.h"

namespace lode {

class TaskChanges {
 public:
  struct Needs {
    const ManageGate& gate;
    Tasks& tasks;
    const TaskFiles& files;
    const TaskLinks& links;
    TaskIds::Place ids;
    std::chrono::system_clock::time_point now;
  };
  explicit TaskChanges(const Needs& needs) : needs_(needs) {}

  // Nothing is written. After an error the whole is to be thrown away.
  Status add(const TaskOperation& operation);
  // No task above itself, and none that waits for itself. Code::invalid says by which way.
  Status check() const;
  // All or none; then the tasks are known as they are.
  Status write();

  // What was done, a line for each operation; then what should be looked at.
  std::string answer() const;

 private:
  // A file of this call.
  struct File {
    std::string name;                             // below the backlog's directory
    std::optional<TaskFiles::Snapshot> before{};  // nothing: it is new
    std::string text{};                           // as it will be
    bool removed = false;                         //
    std::string entry{};                          // of the trash: goes there, or comes from there
    bool is_task = true;                          // else an artifact
    Task task{};                                  // what the text says
  };
  struct Line {
    std::string text;
    const File* file = nullptr;  // whose version is told behind it
  };

  Status create(const TaskOperation& operation);
  Status update(const TaskOperation& operation);
  Status claim(const TaskOperation& operation);
  Status claim_next(const TaskOperation& operation);
  Status take_claim(File& file, const std::string& who);
  Status comment(const TaskOperation& operation);
  Status attach(const TaskOperation& operation);
  Status remove(const TaskOperation& operation);
  Status restore(const TaskOperation& operation);

  // The task, which may be written. REQUIRES: what is returned is not kept beyond the next call.
  Result<File*> find(const std::string& id);
  Result<std::string> resolved(const std::string& id) const;
  std::optional<TaskHead> known(const std::string& id) const;
  const File* in_call(std::string_view id) const;
  Error no_such(std::string_view id) const;
  // As this call would leave it; nothing: there is none that is shown.
  std::optional<TaskHead> head_of(const std::string& id) const;
  Status check_version(const File& file, const TaskOperation& operation) const;
  Result<Json> checked_value(const TaskHead& task, TaskField field, const Json& value);
  Status check_target(const TaskHead& task, const std::string& id) const;
  // Sets the fields and the body; which changed.
  Result<std::vector<std::string>> edit(File& file, const TaskOperation& operation);
  Status take_text(File& file, std::string text);
  Status open_ids();
  Result<std::string> new_id(TaskType type);
  std::string folder_for(TaskType type) const;
  Status check_followed(const std::string& file) const;
  std::optional<std::string> way_round(const TaskHead& from, bool by_parent) const;
  void warn_of_paths(std::string_view text);

  const Needs needs_;
  std::deque<File> files_;           // stable addresses, in the order of writing
  std::vector<std::string> made_;    // by operation: the id that it is about
  std::vector<std::string> linked_;  // whose parent or dependencies are others now
  std::optional<TaskIds> ids_;       // once one was needed
  std::vector<Line> lines_;
  std::vector<std::string> warnings_;
  std::size_t bytes_ = 0;  // of all texts
};

}  // namespace lode
