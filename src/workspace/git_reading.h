// A repository that is being read, and what that may use up.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "workspace/git.h"
#include "workspace/git_allowance.h"
#include "workspace/git_directory.h"
#include "workspace/git_library.h"
#include "workspace/git_repository.h"
#include "workspace/root.h"

namespace lode {

struct GitReading {
  GitReading(const GitLimits& its_limits, std::chrono::steady_clock::time_point deadline,
             const std::stop_token& stop)
      : limits(its_limits), allowance(its_limits.memory_bytes, deadline, stop) {}

  // Opens the repository and describes its head. git: null if there is no library.
  // Errors are those of Git::head().
  Status begin(const GitLibrary* git, const Root& root, const std::string& directory);

  // Why something could not be read: the time, the memory, or else what is said.
  Error unreadable(const std::string& otherwise) const;

  const GitLimits& limits;
  GitAllowance allowance;                   // outlives what the library makes
  GitPlace place;                           // has the root that the repository reads from
  const Root* base = nullptr;               // what the place's paths are relative to
  std::optional<GitRepository> repository;  // nothing: there is no commit yet
  GitHead head;

 private:
  bool describe(const std::string& id);
};

}  // namespace lode
