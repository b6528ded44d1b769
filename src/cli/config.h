// What the program was told: by flags, by the environment, by lode.toml.
//
// A value comes from the first of these that has it:
//
//   1. a flag                      --resources-enabled true
//   2. the environment             LODE_RESOURCES_ENABLED=true
//   3. the workspace's file        .lode/lode.toml
//   4. the user's file             $XDG_CONFIG_HOME/lode/lode.toml
//   5. the default
//
// The keys, their spellings and defaults are one table (config_keys.h). Nothing
// wrong is passed over: an unknown key, a value that does not parse, or a file
// that is not TOML is an error that names the file, the line and, where one is
// near, the right word. Only an unknown LODE_* variable is a mere warning, for
// the environment is shared.
//
// The workspace's file may come with a clone. Until the user trusts it (cli/trust.h)
// it can only tighten: `workspace.hide` adds names, `resources.expose` narrows what
// the user exposes, `backlog.dir` counts if it stays in the workspace. All else in it
// is ignored, and nothing wrong in it is an error. Trusted or not, `workspace.hide`
// only adds, and `workspace.show` and `policy.file` never count.
//
// A Config is a plain value; loading reads the user's file and has no other effect.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/result.h"

namespace lode {

struct ConfigKey;

enum class ToolSet : std::uint8_t { core, full, legacy };

// Where a value came from.
struct Origin {
  enum class Kind : std::uint8_t { fallback, file, environment, flag };
  Kind kind = Kind::fallback;
  std::string name;      // the file, the variable or the flag
  std::size_t line = 0;  // in the file

  // "--http", "LODE_HTTP", ".lode/lode.toml:7", "default".
  std::string text() const;
};

// One key as it ended up, for `lode doctor`.
struct Setting {
  const ConfigKey* key = nullptr;
  std::string text;  // as one would write it in a flag
  Origin origin;
};

// What became of an entry in the workspace's files.
struct WorkspaceNote {
  enum class Effect : std::uint8_t { counts, added, narrows, ignored };
  std::string key;    // or what it is, if it is no key
  std::string value;  // as one would write it in a flag
  Origin origin;
  Effect effect = Effect::counts;
  std::string why;         // of what is ignored
  bool for_trust = false;  // it would count if the workspace was trusted
};
std::string_view to_string(WorkspaceNote::Effect effect);

struct Config {
  std::vector<std::string> workspace;
  std::vector<std::string> workspace_show;
  std::vector<std::string> workspace_hide;
  bool resources_enabled = false;
  std::vector<std::string> resources_expose;
  std::chrono::nanoseconds resources_cache_ttl{};
  std::size_t resources_list_max = 0;
  std::string backlog_dir;
  std::string store_url;
  std::string policy_file;
  ToolSet tools = ToolSet::core;
  std::string http;
  std::vector<std::string> http_hosts;
  std::vector<std::string> http_origins;
  LogLevel log_level = LogLevel::info;
  std::size_t limits_message_bytes = 0;
  std::size_t limits_connections = 0;
  std::size_t limits_sessions = 0;
  std::chrono::nanoseconds limits_request_time{};
  std::chrono::nanoseconds limits_read_time{};
  std::chrono::nanoseconds limits_write_time{};
  std::chrono::nanoseconds limits_idle_time{};
  std::size_t limits_workers = 0;
  std::size_t limits_queue = 0;
  std::size_t limits_file_bytes = 0;
  std::size_t limits_cache_bytes = 0;
  std::size_t limits_memory_bytes = 0;

  // What the file of an untrusted workspace exposes: an address must be in both lists.
  std::vector<std::string> workspace_expose;

  std::vector<Setting> settings;               // every key, in the table's order
  std::vector<std::string> warnings;           // for the log
  std::vector<WorkspaceNote> workspace_notes;  // on each entry of the workspace's files

  // REQUIRES: a key of that name.
  const Setting& setting(std::string_view name) const;
};

using Environment = std::map<std::string, std::string, std::less<>>;
// By flag ("--http"), every value it was given; only a list may have several.
using FlagValues = std::map<std::string, std::vector<std::string>, std::less<>>;

// The workspace's .lode/lode.toml, as it was read once.
struct WorkspaceConfig {
  std::string name;  // of the file, for people
  std::string text;
  bool trusted = false;
  // Whether a path stays in the workspace (cli/workspace_files.h); empty: none does.
  std::function<Status(const std::string& path)> stays_inside;
};

struct ConfigSources {
  FlagValues flags;
  Environment environment;
  std::optional<WorkspaceConfig> workspace;  // nothing: there is no such file
  std::string user_file;                     // empty: none
};

// An empty variable counts as not set. A user's file that does not exist is empty.
Result<Config> load_config(const ConfigSources& sources);

// Refuses what the user said, by a flag, a LODE_ variable or the own file, to keys that
// nothing uses yet. Variables and files that are others' too may say it.
Status check_has_effect(const Config& config, const ConfigSources& sources);

// The environment of this process.
Environment process_environment();
// $XDG_CONFIG_HOME/lode/lode.toml, or the same below ~/.config; empty without a home.
std::string user_config_file(const Environment& environment);
// `unknown flag "--htp"; did you mean "--http"?`, for what the parser of the
// command line refused.
std::string unknown_flag(std::string_view flag);

}  // namespace lode
