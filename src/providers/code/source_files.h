// The files of the workspace that hold source code, as the aspects read them.
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/exchange.h"
#include "syntax/language.h"
#include "workspace/workspace.h"

namespace lode {

struct SourceText {
  std::string bytes;
  std::uint64_t stamp = 0;
  std::chrono::system_clock::time_point modified;
  std::string real;  // where the file really is: absolute
};

// Of one caller: what it must not see is not there.
class SourceFiles {
 public:
  // REQUIRES: all outlive it.
  SourceFiles(const Workspace& workspace, std::size_t file_bytes, const Exchange& exchange)
      : workspace_(workspace), file_bytes_(file_bytes), exchange_(exchange) {}

  // The file of a short name, through links that stay inside. Code::not_found: there
  // is none. Code::invalid: it is a directory. Code::unsupported: it is too long.
  Result<SourceText> read(const std::string& path) const;

  // Whether something stands there: a file, or a directory.
  bool stands(const std::string& path, bool directory) const;

  // The short names of all files below a directory (all roots, if it is empty) that
  // are not ignored, sorted. Code::not_found: no such directory.
  Result<std::vector<std::string>> below(const std::string& directory) const;

 private:
  // Nothing: there is none, or it is hidden.
  std::optional<Workspace::Place> find(const std::string& path) const;
  std::optional<Workspace::Opened> open(const std::string& path) const;
  // By a path that has no links in it.
  bool permits(Action action, const Workspace::Place& place) const;
  Status add_below(const Workspace::Place& directory, std::vector<std::string>& names) const;

  const Workspace& workspace_;
  const std::size_t file_bytes_;
  const Exchange& exchange_;
};

}  // namespace lode
