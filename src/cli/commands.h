// The commands besides `serve`. Each answers the program's exit status:
// 0 done, 1 failed, 2 wrong usage, 3 no such thing, 4 not permitted.
#pragma once

#include <string>

#include "base/log.h"
#include "cli/config.h"
#include "cli/instance.h"

namespace lode {

inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kNotFound = 3;
inline constexpr int kDenied = 4;

struct Command {
  Instance& instance;
  const Config& config;
  Log& log;
  bool json = false;  // for scripts: JSON on standard output
};

// What stands at the address, as it is; with json, with all that is known of it.
int run_read(const Command& command, const std::string& uri);
// The listed resources whose address begins so, and the templates.
int run_list(const Command& command, const std::string& prefix);
// What has these words, best first.
int run_search(const Command& command, const std::string& query);
// A line for each change at the address, until interrupted.
int run_watch(const Command& command, const std::string& uri);
// The local path behind an address.
int run_path(const Command& command, const std::string& uri);
int run_call(const Command& command, const std::string& tool, const std::string& arguments);
// What the registration costs a model, item by item.
int run_tokens(const Command& command);
// A decision of the policy, rule by rule.
int run_policy_test(const Command& command, const std::string& who, const std::string& action,
                    const std::string& uri);

// Says on standard error what went wrong, for people; with json on standard output too, as
// {"error":{"code":"not_found","message":"…","status":3}}. The exit status that fits.
int report(const Error& error, bool json);
// The same for what was typed: Code::invalid is wrong usage then.
int report_usage(const Error& error, bool json);
// Resources are off: says so, as the server would not even have the method.
int refuse_off(bool json);

}  // namespace lode
