// `lode serve`: from flags to a running server.
#pragma once

#include <string>

namespace lode {

struct ServeFlags {
  std::string workspace;
  std::string http;
  bool resources_enabled = false;
  std::string log_level = "info";
};

// The program's exit status: 0, or 1 after a word on standard error.
int run_serve(const ServeFlags& flags);

}  // namespace lode
