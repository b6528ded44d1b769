// `lode serve`: from configuration to a running server; and the token that it asks for.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "cli/config.h"
#include "cli/instance.h"
#include "cli/live_config.h"

namespace lode {

// The program's exit status: 0, or 1 after a word on standard error.
// live: what the configuration says while it runs.
int run_serve(Instance& instance, const Config& config, LiveConfig& live,
              const std::vector<std::string>& roots, Log& log);

// Nobody but this machine's users may reach a server that asks for no authentication. An
// empty address is none.
Status check_http_address(const std::string& address);

// `lode token rotate`: a new token for the owner of a workspace. Its servers take it at
// once and the old one no longer; says in which file it is, never what it is. 0 or 1.
int run_token_rotate(const std::string& root, bool json);

}  // namespace lode
