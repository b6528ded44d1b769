// Directories for what belongs to one user alone.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace lode {

// Opens a directory. What is missing of its path is made, for its owner alone
// (0700), and is on stable storage when this returns; what is there stays as it
// is.
Result<Descriptor> open_private_directory(const std::string& path);

// The directory part of a path, "." if it has none.
std::string directory_of(const std::string& path);

// Puts what was created, renamed or removed in a directory on stable storage.
Status sync_directory(int directory);

}  // namespace lode
