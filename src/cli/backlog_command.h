// `lode backlog`: the backlog for people at a terminal. What it shows is what the backlog's
// addresses say, what it changes goes through the tool backlog_manage, and with --json the
// answers are theirs.
//
// On a terminal rows are as wide as that is, and coloured unless NO_COLOR is set; elsewhere
// they are as wide as COLUMNS says, or whole, and plain.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace lode {

struct BacklogWords {
  std::vector<std::string> ids;
  std::string title;
  // Filters of a list, and fields of a new task.
  std::vector<std::string> statuses;
  std::vector<std::string> types;
  std::vector<std::string> labels;
  std::vector<std::string> dependencies;
  std::string parent;
  std::string assignee;
  std::string priority;
  std::string due;
  std::string query;
  std::string sort;
  std::string body;  // "-": what standard input gives
  std::string evidence;
  std::size_t limit = 100;
  bool ready = false;
  bool waiting = false;
  bool all = false;  // also what is done or cancelled
  bool apply = false;
  std::vector<std::string> keep;  // tasks whose ids stay when others have the same
};

int run_backlog_list(const Command& command, const BacklogWords& words);
int run_backlog_show(const Command& command, const BacklogWords& words);
int run_backlog_board(const Command& command, const BacklogWords& words);
int run_backlog_new(const Command& command, const BacklogWords& words);
int run_backlog_done(const Command& command, const BacklogWords& words);
// In $VISUAL or $EDITOR, on a copy. What is malformed then, or was changed elsewhere meanwhile,
// is not saved: the copy is kept, and its place told.
int run_backlog_edit(const Command& command, const BacklogWords& words);
// Ids that two tasks have, after a merge. Without `apply` it says what it would do. The status is
// 1 if somebody has to decide something first, 5 if a conflict is left that is not of two tasks.
int run_backlog_renumber(const Command& command, const BacklogWords& words);

}  // namespace lode
