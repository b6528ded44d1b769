#include "cli/config_keys.h"

#include <algorithm>

namespace lode {
namespace {

std::string spelled(std::string_view name, std::string_view before, char separator) {
  std::string text(before);
  for (char c : name) text += c == '.' || c == '_' ? separator : c;
  return text;
}

constexpr ConfigKey kKeys[] = {
    {.name = "workspace",
     .field = &Config::workspace,
     .fallback = "",
     .help = "The directories to serve; by default the nearest one upwards with .lode or .git.",
     .name_in_table = "workspace.roots"},
    {.name = "workspace.show",
     .field = &Config::workspace_show,
     .fallback = "",
     .help = "Names (globs) that look like secrets and are not."},
    {.name = "workspace.hide",
     .field = &Config::workspace_hide,
     .fallback = "",
     .help = "Names (globs) to hide as secrets are hidden."},
    {.name = "resources.enabled",
     .field = &Config::resources_enabled,
     .fallback = "false",
     .help = "Offer the workspace as MCP resources.",
     .old_variables = {"NEXS_RESOURCES_ENABLED", "DOLLHOUSE_RESOURCES_ENABLED"}},
    {.name = "resources.expose",
     .field = &Config::resources_expose,
     .fallback = "",
     .help =
         "The only resources to offer: URIs, URI globs, or summary, full and stats; all if empty.",
     .old_variables = {"NEXS_RESOURCES_EXPOSE", "DOLLHOUSE_RESOURCES_EXPOSE"}},
    {.name = "resources.cache_ttl",
     .field = &Config::resources_cache_ttl,
     .fallback = "5m",
     .help = "How long an answer may be kept, such as 300ms or 1h30m; 0s keeps none.",
     .old_variables = {"NEXS_RESOURCES_CACHE_TTL", "DOLLHOUSE_RESOURCES_CACHE_TTL"}},
    {.name = "resources.list_max",
     .field = &Config::resources_list_max,
     .fallback = "1000",
     .help = "How many resources a list names at most; others are found by search.",
     .range = {"0", "1000000"}},
    {.name = "backlog.dir",
     .field = &Config::backlog_dir,
     .fallback = ".lode/backlog",
     .help = "The directory of the backlog, below the workspace unless absolute.",
     .old_variables = {"BACKLOG_DATA_DIR"}},
    {.name = "store.url",
     .field = &Config::store_url,
     .fallback = "",
     .help = "A PostgreSQL database to share; a SQLite file in the state directory if empty.",
     .without_effect = true},
    {.name = "policy.file",
     .field = &Config::policy_file,
     .fallback = "",
     .help = "Who may do what; else the policy of a trusted workspace, else the local policy."},
    {.name = "tools",
     .field = &Config::tools,
     .fallback = "core",
     .help = "Which tools to offer: core, full (with those of plugins) or legacy (with old names).",
     .without_effect = true},
    {.name = "http",
     .field = &Config::http,
     .fallback = "",
     .help = "Serve HTTP on this address too, such as 127.0.0.1:7345; off if empty.",
     .name_in_table = "http.address"},
    {.name = "http.hosts",
     .field = &Config::http_hosts,
     .fallback = "",
     .help = "Host names that HTTP requests may use, besides those of the loopback."},
    {.name = "http.origins",
     .field = &Config::http_origins,
     .fallback = "",
     .help = "Origins of web pages that may use the server, besides its own."},
    {.name = "log.level",
     .field = &Config::log_level,
     .fallback = "info",
     .help = "What to log: debug, info, warning or error, and what is graver."},
    {.name = "limits.message_bytes",
     .field = &Config::limits_message_bytes,
     .fallback = "4MiB",
     .help = "The longest message a client may send.",
     .range = {"4KiB", "1GiB"}},
    {.name = "limits.connections",
     .field = &Config::limits_connections,
     .fallback = "20000",
     .help = "Open HTTP connections at most; a new one takes the place of the oldest idle one.",
     .range = {"1", "1000000"}},
    {.name = "limits.sessions",
     .field = &Config::limits_sessions,
     .fallback = "1000",
     .help = "Sessions of clients of older revisions at most.",
     .range = {"1", "1000000"}},
    {.name = "limits.request_time",
     .field = &Config::limits_request_time,
     .fallback = "2m",
     .help = "How long a request may take.",
     .range = {"100ms", "24h"}},
    {.name = "limits.read_time",
     .field = &Config::limits_read_time,
     .fallback = "20s",
     .help = "How long an HTTP request may take to arrive, from its first byte to its last.",
     .range = {"100ms", "1h"}},
    {.name = "limits.write_time",
     .field = &Config::limits_write_time,
     .fallback = "30s",
     .help = "How long an HTTP client may read nothing of what waits for it.",
     .range = {"100ms", "1h"}},
    {.name = "limits.idle_time",
     .field = &Config::limits_idle_time,
     .fallback = "75s",
     .help = "How long an HTTP connection may be silent between requests.",
     .range = {"100ms", "24h"}},
    {.name = "limits.workers",
     .field = &Config::limits_workers,
     .fallback = "4",
     .help = "Threads for what may block.",
     .range = {"1", "256"}},
    {.name = "limits.queue",
     .field = &Config::limits_queue,
     .fallback = "1024",
     .help = "Requests waiting for a thread at most; beyond, the server says that it is busy.",
     .range = {"1", "1000000"}},
    {.name = "limits.file_bytes",
     .field = &Config::limits_file_bytes,
     .fallback = "16MiB",
     .help = "The longest file that is read.",
     .range = {"1KiB", "1GiB"}},
    {.name = "limits.cache_bytes",
     .field = &Config::limits_cache_bytes,
     .fallback = "64MiB",
     .help = "How much the cache holds.",
     .range = {"0", "64GiB"}},
    {.name = "limits.memory_bytes",
     .field = &Config::limits_memory_bytes,
     .fallback = "256MiB",
     .help = "Memory for answers that are collected, wait to be read or are kept for resumption.",
     .range = {"16MiB", "64GiB"}},
};

}  // namespace

std::string ConfigKey::flag() const { return spelled(name, "--", '-'); }

std::string ConfigKey::variable() const {
  auto text = spelled(name, "LODE_", '_');
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

std::span<const ConfigKey> config_keys() { return kKeys; }

const ConfigKey* find_config_key(std::string_view name) {
  for (const auto& key : kKeys) {
    if (key.name == name || (!name.empty() && key.name_in_table == name)) return &key;
  }
  return nullptr;
}

}  // namespace lode
