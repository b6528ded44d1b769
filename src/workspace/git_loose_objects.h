// The objects of a repository that are files of their own, for the library to read.
//
// The library reads them too, but trusts the size that a file tells: where more follows
// than was told it writes past its memory. Here a file is opened below the root's own
// descriptor, follows no links, and must hold exactly what it tells.
#pragma once

#include <cstddef>
#include <string>

#include "workspace/git_library.h"
#include "workspace/root.h"

namespace lode {

inline constexpr std::size_t kMostLooseBytes = std::size_t{16} << 20;  // of a file that is read

// objects: the directory of objects, relative to the root. The library frees it.
// REQUIRES: library and root outlive it.
git_odb_backend* make_git_loose_objects(const GitLibrary& git, const Root& root,
                                        std::string objects);

}  // namespace lode
