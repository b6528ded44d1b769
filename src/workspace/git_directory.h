// Whether a directory is the top of a git repository that may be read.
#pragma once

#include <string>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

enum class GitKind {
  own,     // .git is a directory
  linked,  // .git is a file that names the repository
  bare,    // the directory is a repository without a work tree
};

// directory: relative to the root. Code::not_found: it is no repository, or one
// that points out of the root without being pointed back at. Code::invalid: parts
// are missing, or are links.
Result<GitKind> check_git_directory(const Root& root, const std::string& directory);

}  // namespace lode
