// The files of the workspace that hold source code, as the aspects read them.
// Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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
};

// Of one caller: what it must not see is not there.
class SourceFiles {
 public:
  using Hidden = std::function<bool(std::string_view absolute)>;

  // REQUIRES: the workspace outlives it.
  SourceFiles(const Workspace& workspace, std::size_t file_bytes, Hidden hidden)
      : workspace_(workspace), file_bytes_(file_bytes), hidden_(std::move(hidden)) {}

  // The file of a short name, through links that stay inside. Code::not_found: there
  // is none. Code::invalid: it is a directory. Code::unsupported: it is too long.
  Result<SourceText> read(const std::string& path) const;

  // Whether something stands there: a file, or a directory.
  bool stands(const std::string& path, bool directory) const;

  // The short names of all files below a directory (all roots, if it is empty) that
  // are not ignored, sorted. Code::not_found: no such directory.
  Result<std::vector<std::string>> below(const std::string& directory,
                                         const Exchange& exchange) const;

 private:
  // Nothing: there is none, or it is hidden.
  std::optional<Workspace::Place> find(const std::string& path) const;
  Status add_below(const Workspace::Place& directory, const Exchange& exchange,
                   std::vector<std::string>& names) const;

  const Workspace& workspace_;
  const std::size_t file_bytes_;
  const Hidden hidden_;
};

}  // namespace lode
