// Which of several tasks with one id a mention of that id means, as git's history tells.
//
// Two branches that did not know of each other gave one id to two tasks. On each branch the id
// meant the one that was there. So a mention means the task that stands, alone of them, in a
// commit whose version of the text has the mention. Where commits say different tasks, or all
// have several, nobody can tell.
//
// Tasks are told apart by when they were created, and by their titles where that is the same: files
// may have been renamed. While a merge is under way, both sides are looked at. One thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "providers/backlog/task.h"
#include "providers/backlog/task_mentions.h"
#include "workspace/git.h"
#include "workspace/root.h"

namespace lode {

// One of those that share an id.
struct TaskTwin {
  std::string file;  // below the backlog's directory
  std::string title;
  std::string created;
  bool by_title = false;  // another one with its id was created at the same time
};
using TaskTwins = std::vector<TaskTwin>;

class TaskOrigins {
 public:
  static constexpr std::chrono::seconds kPatience{60};  // for all questions together

  // directory: the backlog's, absolute.
  explicit TaskOrigins(const std::string& directory);

  // The twin that a mention in the text of `in` means; nothing: it cannot be told.
  std::optional<std::size_t> meant(const TaskTwin& in, const TaskMention& mention,
                                   const std::string& id, const TaskTwins& twins);

  // Whether the sides of a merge each added a file of that name, or changed one that both had;
  // nothing: it cannot be told.
  std::optional<bool> added_apart(const std::string& file);

 private:
  struct Version {
    std::string commit;
    std::string text;
    bool first = false;  // there was no file before
  };
  using Versions = std::vector<Version>;

  std::optional<std::string> read(const std::string& file, const std::string& commit);
  Versions tips_of(const std::string& file);
  const Versions& versions_of(const std::string& file);
  void add_history(const std::string& file, const std::string& from, Versions& out);
  const std::vector<std::size_t>& twins_at(const std::string& commit, const std::string& id,
                                           const TaskTwins& twins);
  std::vector<std::size_t> vote(const TaskTwin& in, const TaskMention& mention,
                                const std::string& id, const TaskTwins& twins,
                                const Versions& versions);

  const Git::SteadyTime deadline_;
  std::optional<Root> root_;                  // of the work tree; nothing: there is no repository
  std::string prefix_;                        // from there to the backlog's directory
  std::vector<std::string> heads_;            // of the branches that meet here: HEAD's first
  std::map<std::string, Versions> versions_;  // by file
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> at_;  // commit, id
  Git git_;
};

}  // namespace lode
