// Who changed which field of a task when, from versions of its file. Pure functions on values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "providers/backlog/task.h"

namespace lode {

// A field that differs between two versions. null: it is not said.
struct TaskFieldChange {
  std::string field;  // a key of the frontmatter; "body"; "frontmatter", if it was malformed
  Json from;          // of the body nothing
  Json to;
};

// In the order of the newer version's keys, then those that went. Nothing: there was no file.
std::vector<TaskFieldChange> changes_between(const std::optional<Task>& before,
                                             const std::optional<Task>& after);

// A version of the file, as somebody left it.
struct TaskRevision {
  std::string commit;
  std::string author;
  std::string time;
  std::string subject;
  std::vector<TaskFieldChange> changes;
};

// As JSON, the newest first. next: the address of older ones; empty: there are none. whole:
// false if history is missing, as in a shallow clone.
std::string task_history_page(const TaskHead& task, const std::vector<TaskRevision>& revisions,
                              std::string_view next, bool whole);

}  // namespace lode
