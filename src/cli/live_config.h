// The configuration while the server runs: lode.toml is read again when it changes.
//
// The exposure list changes at once. Every other key is what the program was built with;
// that it changes at the next start is said in the log. What cannot be read or understood
// changes nothing, and is said too. The workspace's file counts as far as it is trusted,
// and goes on to count when it is gone (cli/workspace_policy.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/config.h"
#include "cli/trust.h"
#include "engine/admission.h"

namespace lode {

// With the workspace's files, as far as they are trusted; now: what was read of them.
Result<Config> load_with_workspace(ConfigSources sources, const std::string& root,
                                   const WorkspaceStanding::Now& now);

// The user's exposure list, narrowed by the workspace.
Result<Exposure> exposure_of(const Config& config);

// One thread at a time.
class LiveConfig {
 public:
  using Now = std::shared_ptr<const WorkspaceStanding::Now>;

  // sources: the user's. started, now: what the program began with. REQUIRES: standing and
  // log outlive it.
  LiveConfig(ConfigSources sources, WorkspaceStanding& standing, const Config& started, Now now,
             Log& log);

  // The exposure list, if it is another than at the last look. May block on the disk.
  std::optional<Exposure> look();

 private:
  std::string user_text() const;
  Result<Config> load() const;
  void note_gone(const Now& before);
  void tell_waiting(const Config& config);

  const ConfigSources sources_;
  WorkspaceStanding& standing_;
  const Config started_;
  Log& log_;
  Now now_;
  WorkspaceFile kept_;                    // the workspace's lode.toml as it was last there
  std::optional<std::string> user_text_;  // as last seen; nothing: never
  std::vector<std::string> expose_;       // in force
  std::vector<std::string> workspace_expose_;
  std::string waiting_;  // keys that were told
};

}  // namespace lode
