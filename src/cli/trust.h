// Whether the files of a workspace (cli/workspace_files.h) are trusted.
//
// A workspace is not trusted because it was cloned. The user says so, for the very
// bytes that stand there: `lode trust` records their SHA-256 in the workspace's state
// directory, and a file that changed is untrusted again. What would run commands or
// open a door because a workspace says so must ask here first.
//
// The record must be this user's alone, and outside of the workspace, or a clone
// could bring it along. At any doubt the answer is no.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "cli/config.h"
#include "cli/workspace_files.h"

namespace lode {

enum class Trust : std::uint8_t {
  none,     // nothing is recorded
  holds,    // for these contents
  changed,  // something is recorded, but for other contents
};

// Reads the record.
Trust trust_in(const Environment& environment, const std::string& workspace,
               const WorkspaceFiles& files);

// Each is on stable storage when it returns. Code::invalid: a file that cannot be
// read cannot be trusted; the state directory is inside the workspace.
Status record_trust(const Environment& environment, const std::string& workspace,
                    const WorkspaceFiles& files);
Status revoke_trust(const Environment& environment, const std::string& workspace);

// The files of one workspace and how far they are trusted, as both change. Any
// thread.
class WorkspaceStanding {
 public:
  struct Now {
    WorkspaceFiles files;
    Trust trust = Trust::none;

    bool trusted() const { return trust == Trust::holds; }
    bool operator==(const Now&) const = default;
  };

  WorkspaceStanding(std::string workspace, Environment environment)
      : workspace_(std::move(workspace)), environment_(std::move(environment)) {}

  // Reads the files and the record. The same pointer as long as all is the same.
  std::shared_ptr<const Now> look() LODE_EXCLUDES(mutex_);

  const std::string& workspace() const { return workspace_; }
  const Environment& environment() const { return environment_; }

 private:
  const std::string workspace_;
  const Environment environment_;
  Mutex mutex_;
  std::shared_ptr<const Now> now_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
