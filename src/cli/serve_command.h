// `lode serve`: from configuration to a running server.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "cli/config.h"
#include "cli/instance.h"

namespace lode {

// The program's exit status: 0, or 1 after a word on standard error.
int run_serve(Instance& instance, const Config& config, const std::vector<std::string>& roots,
              Log& log);

}  // namespace lode
