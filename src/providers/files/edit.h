// Replaces a text in a file of the workspace: what the tool file_ops does.
//
// Invariants:
//  (1) What is acknowledged is on stable storage; after an error, and at any
//      point of a crash, the file is the old or the new one, whole.
//  (2) What others wrote since the file was read is not overwritten. Those who
//      edit this way wait for each other, in this process and in others.
//  (3) A file behind a link is edited where it is; rules hold for every name of
//      it that the caller used or that is written.
//  (4) What is hidden, outside or not for the caller to read looks absent.
//  (5) Nothing that git or Lode obeys is written (workspace/write_rule.h), and a
//      backup is seen by nobody who may not see its original (base/backup_name.h).
//  (6) All bytes but those of the place stay as they are, and so do the
//      permissions.
//
// Any thread; several processes.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "engine/exchange.h"
#include "providers/files/file_gate.h"
#include "providers/files/replace.h"
#include "providers/files/tool_limits.h"
#include "workspace/workspace.h"

namespace lode {

struct FileEdit {
  std::string path;
  std::string old;
  std::string fresh;
  Whitespace whitespace = Whitespace::exact;
  bool dry_run = false;
  bool backup = false;  // the old bytes go to NAME.bak first, or NAME.bak2, …
};

class FileEditor {
 public:
  // Told the absolute path of a file after it was written.
  using Wrote = std::function<void(const std::string& absolute)>;

  // REQUIRES: the workspace outlives it.
  FileEditor(const Workspace& workspace, Wrote wrote, const FileToolLimits& limits)
      : workspace_(workspace), wrote_(std::move(wrote)), limits_(limits) {}

  // What was done, and the diff. Code::not_found, Code::conflict,
  // Code::unsupported, Code::denied, Code::unavailable: nothing was written, and
  // the message says why.
  Result<std::string> replace(const Exchange& exchange, const FileGate& gate,
                              const FileEdit& edit) const;

 private:
  // A file that may be written, with its directory locked.
  struct Target {
    Workspace::Place place;  // without links
    OpenFile directory;
    std::string text;
    struct stat info {};
  };
  Result<Workspace::Place> admitted(const FileGate& gate, const FileEdit& edit) const;
  Result<Target> open(const Exchange& exchange, const Workspace::Place& place) const;
  static bool is_as_read(const Target& target);
  Status write(const Target& target, const std::string& text) const;
  Result<std::string> back_up(const FileGate& gate, const Target& target) const;

  const Workspace& workspace_;
  const Wrote wrote_;
  const FileToolLimits limits_;
};

}  // namespace lode
