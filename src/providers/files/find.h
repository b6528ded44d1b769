// Finds files by their names and lines by what they hold: what the tool
// find_files does.
//
// Invariants:
//  (1) What the gate does not let the caller read is in no answer and no count.
//  (2) Hidden names are never looked into, whatever is asked.
//  (3) The answer is valid UTF-8 and depends on nothing but the files: paths are
//      in the order of their bytes.
//  (4) One file is in memory at a time.
//
// Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exchange.h"
#include "providers/files/file_gate.h"
#include "providers/files/search_text.h"
#include "providers/files/tool_limits.h"
#include "workspace/workspace.h"

namespace lode {

struct FindQuery {
  std::string pattern;  // see path_choice.h
  std::string exclude;
  std::string path;  // a file, or where to begin; empty: all roots
  std::optional<Needle> content;
  std::size_t context = 0;
  std::size_t limit = 100;  // matches, or files if there is no content
  bool with_ignored = false;
};

class FileFinder {
 public:
  // REQUIRES: the workspace outlives it.
  FileFinder(const Workspace& workspace, const FileToolLimits& limits)
      : workspace_(workspace), limits_(limits) {}

  // The paths, one a line; with content, under each path the lines that match;
  // last, how many there are, and why there may be more. Code::invalid: a glob or
  // an expression is wrong. Code::not_found: nothing is at the path, or nothing
  // that is shown. Code::cancelled: the caller gave up.
  Result<std::string> find(const Exchange& exchange, const FileGate& gate,
                           const FindQuery& query) const;

 private:
  Result<std::vector<Workspace::Place>> starts(const FileGate& gate, const std::string& path) const;

  const Workspace& workspace_;
  const FileToolLimits limits_;
};

}  // namespace lode
