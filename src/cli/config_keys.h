// The one table of configuration keys.
//
// A key `resources.cache_ttl` is the flag --resources-cache-ttl, the variable
// LODE_RESOURCES_CACHE_TTL, and in lode.toml:
//
//   [resources]
//   cache_ttl = "10m"
//
// A text that has a comma cannot be an element of a list in a flag or variable,
// where commas separate; in the file a list is an array.
#pragma once

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/config.h"

namespace lode {

// Where the value goes; its type is the key's type.
using ConfigField =
    std::variant<bool Config::*, std::string Config::*, std::vector<std::string> Config::*,
                 std::chrono::nanoseconds Config::*, std::size_t Config::*, ToolSet Config::*,
                 LogLevel Config::*>;

// What a value may be at least and at most, as one would write it; empty: anything.
struct ConfigRange {
  std::string_view least;
  std::string_view most;
};

struct ConfigKey {
  std::string_view name;
  ConfigField field;
  std::string_view fallback;  // as in a flag
  std::string_view help;      // one sentence
  // Other environment variables that set-ups of other programs use, the first before the
  // second; empty: none.
  std::array<std::string_view, 2> old_variables = {};
  // TOML cannot have a value and a table of one name; beside `[http]` the key
  // `http` is written `http.address`. Empty: no such clash.
  std::string_view name_in_table = {};
  // Of numbers and durations. Outside of it the program would not work.
  ConfigRange range = {};
  // Nothing uses it yet: who sets it to something else than the default is told so.
  bool without_effect = false;

  std::string flag() const;      // "--resources-enabled"
  std::string variable() const;  // "LODE_RESOURCES_ENABLED"
  std::string_view type()
      const;  // "BOOL", "TEXT", "LIST", "DURATION", "NUMBER", "core|full|legacy"
};

std::span<const ConfigKey> config_keys();

// By either name in lode.toml; null if there is none.
const ConfigKey* find_config_key(std::string_view name);

// Sets the key's field from what was written: one text, or a list's elements.
// The error says what is expected, not where.
Status set_config_value(Config& config, const ConfigKey& key, std::string_view text);
Status set_config_value(Config& config, const ConfigKey& key, std::vector<std::string> elements);

// The key's value as one would write it in a flag.
std::string config_value_text(const Config& config, const ConfigKey& key);

}  // namespace lode
