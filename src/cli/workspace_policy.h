// What the workspace's policy.toml adds to the policy (engine/policy_source.h), by how
// far the workspace is trusted.
#pragma once

#include <memory>
#include <string_view>

#include "base/log.h"
#include "cli/config.h"
#include "cli/trust.h"
#include "engine/policy_source.h"

namespace lode {

// Trusted, the file is the policy where the user has none of their own; untrusted, its
// denies count. A file that exists and cannot be read or understood permits nothing:
// it might be what denies.
WorkspaceRules workspace_rules(const WorkspaceStanding::Now& now, bool user_has_policy);

// Whether the user named a policy, even if it is that there is no file.
bool user_has_policy(const Config& config);

// Notes in the configuration what does not count of policy.toml, and of files that
// were not even read.
void note_workspace_files(Config& config, const WorkspaceStanding::Now& now);

// All that is ignored, in one line of the log; nothing if there is nothing.
void warn_of_ignored(const Config& config, const WorkspaceStanding::Now& now, Log& log);

// A file of the workspace that is gone while the program runs goes on to hold: a checkout of
// something else must not open what was closed.
bool has_gone(const WorkspaceFile& file);
inline constexpr std::string_view kGone =
    "what it said holds until it is back or the server is started again";

// Follows the file while the program runs. REQUIRES: the standing and the log outlive
// what it returns.
PolicySource::ReadWorkspaceRules follow_workspace_rules(WorkspaceStanding& standing,
                                                        bool user_has_policy, Log& log);

}  // namespace lode
