// Makes, changes, claims, deletes and brings back tasks: what the tool backlog_manage does.
//
// Invariants:
//  (1) What is acknowledged is on stable storage, and the tasks know it.
//  (2) The operations of a call are all done, or none is; after a crash too, once somebody
//      writes again or recover() was called (manage_files.h).
//  (3) An update changes the bytes of the keys it names and the time, and no others; one that
//      changes nothing writes nothing.
//  (4) A malformed file is never written, and nothing is written that would be malformed or
//      wrong where it was right before.
//  (5) What another process, or an editor, wrote since a file was read is not overwritten. A
//      whole body replaces another only for who says which version he read.
//  (6) A claim has one winner. No id is given twice (ids.h). What is deleted is in the trash.
//  (7) Nothing is read or written that the caller's gate does not admit, and what it hides
//      looks as if it were not there.
//
// Any thread; several processes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "engine/content.h"
#include "engine/manifest.h"
#include "engine/provider.h"
#include "providers/backlog/ids.h"
#include "providers/backlog/manage_files.h"
#include "providers/backlog/manage_gate.h"
#include "providers/backlog/manage_links.h"
#include "providers/backlog/tasks.h"

namespace lode {

class TaskManager {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  struct Place {
    std::string state{};                      // the state directory; empty: there is none
    TaskLinks::ResourcePath resource_path{};  // of files of the workspace
  };
  // REQUIRES: the tasks outlive it.
  TaskManager(
      Tasks& tasks, const Place& place,
      Clock clock = [] { return std::chrono::system_clock::now(); });

  // The tool's call: a line for each operation. Errors say how it is done.
  Result<Contents> run(const ManageGate& gate, const Json& arguments) const;

  // Finishes what a process that was killed had begun to write, if there is such, and says
  // which files that were. run() does so too.
  Result<TaskFiles::Recovery> recover() const;

  // One of several tasks with one id, which gets another.
  struct Renumbered {
    std::string file;    // with ":ours" or ":theirs", if git left two tasks in one file
    std::string id;      // that two or more have
    std::string kept;    // the one that keeps it, as `file`
    std::string new_id;  // of a dry run: what it would be
    std::string new_file;
    std::vector<std::string> followed{};  // files whose mentions follow
  };
  // A mention of an id that several tasks have, of which nobody can tell which one it means.
  struct Unclear {
    std::string file;  // as in Renumbered
    std::size_t line = 0;
    std::string written;  // the line
    std::string id;
    std::string kept;  // what it means from now on, since somebody said so; empty: nobody did
  };
  struct Renumbering {
    std::vector<Renumbered> renumbered;
    std::vector<Unclear> unclear;
    std::vector<std::string> unmerged;  // files of one task that both sides of a merge changed
    bool written = false;
  };
  struct RenumberOptions {
    bool dry_run = true;
    // Which tasks keep their ids, and every mention that may mean several; as Renumbered::file, or
    // as a path that ends so. Of the others the oldest keeps it.
    std::vector<std::string> keep{};
  };
  // Gives all but one of the tasks with one id another. Mentions follow the task that they mean: a
  // task's own do, others as git's history tells (task_origins.h). Nothing is written while it is
  // unclear what some mention means and nobody has said it.
  // Code::invalid: `keep` names none of them, or two with one id.
  Result<Renumbering> renumber(const RenumberOptions& options) const;

 private:
  TaskFiles::Place files_place() const;
  TaskIds::Place ids_place() const;
  void load(const ManageGate& gate) const;

  Tasks& tasks_;
  const Place place_;
  const TaskLinks links_;
  const Clock clock_;
};

// The tool, as data.
Tool backlog_manage_tool();

// The tool backlog_manage, and nothing else: it is there with and without resources.
class BacklogTool final : public Provider, public Tools {
 public:
  // REQUIRES: both outlive it.
  BacklogTool(const TaskManager& manager, const Tasks& tasks);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const TaskManager& manager_;
  const Tasks& tasks_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
