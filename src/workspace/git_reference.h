// What a repository's HEAD refers to. We read it ourselves, below the root's own
// descriptor and within limits, so that the library needs nothing of a repository but
// its objects: neither its configuration, which may include any file of the machine,
// nor its list of references, which may be of any length.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "workspace/git_directory.h"
#include "workspace/root.h"

namespace lode {

inline constexpr std::size_t kMostPackedRefs = std::size_t{32} << 20;  // bytes of packed-refs

struct GitReference {
  std::string branch;  // its short name; empty: HEAD is detached
  std::string id;      // 40 hexadecimal digits; empty: the branch has no commit yet
};

// Code::invalid: HEAD, or what it refers to, is none that can be read.
Result<GitReference> read_git_head(const Root& root, const GitPlace& place);

}  // namespace lode
