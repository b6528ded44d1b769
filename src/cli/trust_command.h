// `lode trust`: shows what the files of a workspace would change, and records that the
// user trusts them as they are.
#pragma once

#include <optional>
#include <string>

#include "cli/config.h"
#include "cli/trust.h"

namespace lode {

struct TrustWords {
  bool yes = false;      // do not ask
  bool dry_run = false;  // only show
  bool revoke = false;   // take it back
};

// The workspace's lode.toml as a source of the configuration; nothing if it was not
// read.
std::optional<WorkspaceConfig> workspace_config(const std::string& root,
                                                const WorkspaceFiles& files, bool trusted);

// sources: all but the workspace's. What is recorded are the bytes that were shown,
// also if a file changes while the user reads. The exit status: 0 done, 1 failed or
// not confirmed, 2 there is nobody to ask and no `yes`.
int run_trust(const ConfigSources& sources, WorkspaceStanding& standing, const TrustWords& words,
              bool json);

}  // namespace lode
