// A policy as people write it, in TOML:
//
//   [roles]                     # who has them; every principal also has the
//   readers = ["visitor", "ci"] # role of its own name, and "*" is everyone
//
//   [[rule]]
//   effect = "allow"            # or "deny", which always wins
//   roles = ["readers"]
//   actions = ["list", "read"]  # subscribe, complete, call, write, admin; or ["*"]
//   uris = ["resource://**"]    # globs of addresses (base/glob.h)
//   tools = ["resource_*"]      # globs of tools' names; uris, tools or both
//
// What is misspelt is refused, never skipped: a rule that is not understood
// might be the one that denies.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "engine/policy.h"

namespace lode {

struct PolicyFileLimits {
  std::size_t bytes = 1 << 20;  // of the file
  std::size_t dots = 4096;      // outside strings: each may nest one table deeper
};

// Code::invalid; the message names the file, the line, and for an unknown word
// the nearest right one: `policy.toml:4: there is no action "raed" (did you
// mean "read"?)`.
Result<Policy> parse_policy(std::string_view text, std::string_view filename,
                            const PolicyFileLimits& limits = {});

}  // namespace lode
