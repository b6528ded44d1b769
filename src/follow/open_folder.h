// The folders in which providers write their files.
#pragma once

#include <string>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

// The directory at a path below a root, opened from the root down without following any
// link. What is missing is made if make is set, and is on stable storage when this returns;
// several processes may make the same at once.
//
// Code::not_found: it is not there, and was not to be made. Code::denied: a part of the path
// is a link, is no directory, or cannot be made.
Result<OpenFile> open_folder(const Root& root, const std::string& path, bool make);

}  // namespace lode
