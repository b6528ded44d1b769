// `lode doctor`: the configuration and where it comes from, and whether what is needed is
// there. What is wrong is told and left out, and the rest is looked at all the same.
#pragma once

#include "cli/config.h"

namespace lode {

// sources: the user's. The exit status: 0, or 1 if something is wrong.
int run_doctor(ConfigSources sources, bool json);

}  // namespace lode
