// What a repository's HEAD and other references refer to. We read it ourselves, below the root's
// own descriptor and within limits, so that the library needs nothing of a repository but its
// objects: neither its configuration, which may include any file of the machine, nor its list of
// references, which may be of any length.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

// The id that the reference of that name holds, as "refs/tags/v1": of a commit, or of a tag
// that stands for one. Empty: there is none. Code::invalid: it cannot be read.
Result<std::string> read_git_reference(const Root& root, const GitPlace& place,
                                       const std::string& name);

// The ids of the commits that a merge, a rebase or a cherry-pick brings to HEAD while it is under
// way; what cannot be read is none.
std::vector<std::string> read_git_incoming(const Root& root, const GitPlace& place);

}  // namespace lode
