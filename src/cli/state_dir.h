// Where Lode keeps what does not belong into the workspace itself: database,
// index, trash, audit. One directory for each workspace:
//
//   $XDG_STATE_HOME/lode/my-project-3f9a1c0d52b7e684
//
// The name is readable and follows from the workspace's real path, so that all
// processes on one workspace agree, whichever link they came by.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/config.h"

namespace lode {

// The directory's path; nothing is created. Without XDG_STATE_HOME it is below
// ~/.local/state; without a home either, an error.
Result<std::string> state_dir(const Environment& environment, const std::string& workspace);

// The same for a backlog, whichever workspaces use it: its counter of ids, its trash and its
// journal. The backlog's directory need not exist yet.
Result<std::string> backlog_state_dir(const Environment& environment, const std::string& backlog);

// Creates the directory and what is missing above it, readable by its owner
// alone. Refuses one that is another user's.
Status make_state_dir(const std::string& path);

}  // namespace lode
