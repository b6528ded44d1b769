// What a walk of a root leaves out: secrets, and what git ignores.
#pragma once

#include <string_view>

#include "workspace/ignore.h"
#include "workspace/secrets.h"

namespace lode {

// Refers to rules that outlive it. Any thread.
struct PathFilter {
  IgnoreRules& ignore;
  const SecretRules& secrets;

  // Not empty: of the root's own entries this one alone is walked.
  std::string_view only{};

  // path: relative to the root.
  bool skips(std::string_view path, bool is_directory) const {
    if (!only.empty() && !path.empty() && path.substr(0, path.find('/')) != only) return true;
    return secrets.hides(path) || ignore.ignored(path, is_directory);
  }
};

}  // namespace lode
