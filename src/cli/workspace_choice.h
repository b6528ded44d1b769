// Which directory is the workspace.
#pragma once

#include <string>

#include "base/result.h"

namespace lode {

// The named directory; without a name, the nearest one upwards from the working
// directory that has .lode or .git. Without either, an error that says how to
// name one. `/` and the home directory are taken only when named.
Result<std::string> choose_workspace(const std::string& named);

}  // namespace lode
