// Which directory is the workspace.
#pragma once

#include <string>

#include "base/result.h"

namespace lode {

// The named directory; without a name, the nearest one upwards from the working
// directory that has .lode or .git. Without either, an error that says how to
// name one. `/` and the home directory are taken only when named; so is a directory
// whose .lode or .git is another user's, who could have put it above ours to be
// obeyed.
Result<std::string> choose_workspace(const std::string& named);

}  // namespace lode
