#include "providers/backlog/manage.h"

#include <fmt/format.h>

#include <utility>

#include "providers/backlog/manage_arguments.h"
#include "providers/backlog/manage_changes.h"

namespace lode {

TaskManager::TaskManager(Tasks& tasks, const Place& place, Clock clock)
    : tasks_(tasks),
      place_(place),
      links_(tasks.directory(), place.resource_path),
      clock_(std::move(clock)) {}

TaskFiles::Place TaskManager::files_place() const {
  return {tasks_.place().directory, tasks_.place().within, place_.state};
}

TaskIds::Place TaskManager::ids_place() const { return {tasks_.directory(), place_.state}; }

// Where nobody follows the files, they are looked at now.
void TaskManager::load(const ManageGate& gate) const {
  if (tasks_.loading() && !tasks_.wait_loaded(gate.deadline())) tasks_.load_now();
}

Result<Contents> TaskManager::run(const ManageGate& gate, const Json& arguments) const {
  auto operations = parse_task_operations(arguments);
  if (!operations) return std::move(operations).error();
  load(gate);
  auto files = TaskFiles::open(files_place());
  if (!files) return std::move(files).error();
  TaskChanges changes({gate, tasks_, *files, links_, ids_place(), clock_()});
  const bool several = operations->size() > 1;
  const auto refused = [&](Error error, std::size_t number) {
    if (!several) return error;
    return std::move(error).in(fmt::format("nothing was written: operation {}", number));
  };
  std::size_t number = 0;
  for (const auto& operation : *operations) {
    if (auto added = changes.add(operation); !added) {
      return refused(std::move(added).error(), number + 1);
    }
    ++number;
  }
  if (auto right = changes.check(); !right) {
    return std::move(right).error().in("nothing was written");
  }
  if (auto written = changes.write(); !written) {
    return std::move(written).error().in("nothing was written");
  }
  Contents contents;
  contents.items.push_back(Content::text(changes.answer()));
  return contents;
}

Result<TaskFiles::Recovery> TaskManager::recover() const {
  if (place_.state.empty() || tasks_.directory().empty()) return TaskFiles::Recovery();
  if (!TaskFiles::has_journal(place_.state)) return TaskFiles::Recovery();
  auto files = TaskFiles::open(files_place());
  if (!files) return std::move(files).error();
  return files->recovery();
}

Tool backlog_manage_tool() {
  Tool tool;
  tool.name = "backlog_manage";
  tool.description =
      "Tasks: operations, all or none, of op create (title; type, parent, body), update (id; "
      "body with if_version, or old and new text), move (id; status, parent, order), claim (id, "
      "else the next ready; as), comment (id, text), attach (id; url, or name and content), "
      "delete, restore (id). Fields of create and update: status, priority, labels, assignee, "
      "due, dependencies, references, evidence, blocked_reason; null removes. \"#1\": the id "
      "made by operation 1";
  tool.input_schema = JsonObject{
      {"type", "object"},
      {"properties",
       JsonObject{{"operations",
                   JsonObject{{"type", "array"}, {"items", JsonObject{{"type", "object"}}}}}}}};
  tool.hints = ToolHints{false, true, false, false};
  return tool;
}

BacklogTool::BacklogTool(const TaskManager& manager, const Tasks& tasks)
    : manager_(manager), tasks_(tasks), manifest_([] {
        Manifest manifest;
        manifest.name = "tasks";
        manifest.tools = {backlog_manage_tool()};
        return std::make_shared<const Manifest>(std::move(manifest));
      }()) {}

Result<Outcome> BacklogTool::call(const Exchange& exchange, std::string_view,
                                  const Json& arguments) {
  auto done = manager_.run(ManageGate(exchange, tasks_), arguments);
  if (!done) return std::move(done).error();
  return Outcome(std::move(*done));
}

}  // namespace lode
