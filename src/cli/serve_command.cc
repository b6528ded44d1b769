#include "cli/serve_command.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string_view>

#include "base/json.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/owner_token.h"
#include "cli/resource_files.h"
#include "cli/serve.h"
#include "cli/state_dir.h"
#include "cli/version.h"
#include "store/file_key_ring.h"
#include "transport/http.h"
#include "viewer/viewer.h"

namespace lode {
namespace {

using std::chrono::milliseconds;

// Nobody types MCP messages, and /dev/null has none: with HTTP to serve, such
// an input does not mean that the client has gone.
bool serves_stdin(const Config& config) {
  if (config.http.empty()) return true;
  struct stat info {};
  return ::fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode);
}

}  // namespace

Status check_http_address(const std::string& address) {
  if (address.empty()) return {};
  const auto host = std::string_view(address).substr(0, address.rfind(':'));
  if (host == "localhost" || host == "[::1]" || host.starts_with("127.")) return {};
  return invalid(fmt::format(
      "{} is no loopback address, and serving others needs authentication, which is not "
      "configured; use 127.0.0.1",
      address));
}

namespace {

// The workspace's, which exists then.
Result<std::string> make_state_dir_of(const std::string& root) {
  auto directory = state_dir(process_environment(), root);
  if (!directory) return directory;
  if (auto made = make_state_dir(*directory); !made) return std::move(made).error();
  return directory;
}

// http: with the port that was bound. A browser sends no fragment to the server, so that the
// token in the link comes into no log of it.
void print_how_to_connect(const std::string& http, const std::string& token) {
  if (!viewer_assets().empty()) {
    std::fprintf(stderr,
                 "\nThe workspace in a browser; whoever has the link may write:\n\n"
                 "  http://%s/#token=%s\n",
                 http.c_str(), token.c_str());
  }
  std::fprintf(
      stderr,
      "\nLode serves http://%s/mcp (Ctrl-C ends it). To connect a client, paste:\n\n"
      "  claude mcp add --transport http lode http://%s/mcp\n\n"
      "  {\"mcpServers\":{\"lode\":{\"type\":\"http\",\"url\":\"http://%s/mcp\"}}}\n\n"
      "Without a credential you may read, and nobody else. To write too, add the header\n\n"
      "  Authorization: Bearer %s\n\n",
      http.c_str(), http.c_str(), http.c_str(), token.c_str());
}

ServeOptions options_of(const Config& config) {
  ServeOptions options;
  options.server.version = kVersion;
  const auto rounded = [](std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<milliseconds>(time);
  };
  options.server.request_time = rounded(config.limits_request_time);
  options.http = config.http;
  options.stdio = serves_stdin(config);
  options.http_guard.hosts = config.http_hosts;
  for (std::string_view origin : config.http_origins) {
    if (origin.ends_with('/')) origin.remove_suffix(1);
    options.http_guard.origins.push_back(lower_case(origin));
  }
  options.http_limits.body_bytes = config.limits_message_bytes;
  options.http_limits.connections = config.limits_connections;
  options.http_limits.read = rounded(config.limits_read_time);
  options.http_limits.write = rounded(config.limits_write_time);
  options.http_limits.idle = rounded(config.limits_idle_time);
  options.sessions.count = config.limits_sessions;
  options.workers = config.limits_workers;
  options.queue = config.limits_queue;
  options.line_bytes = config.limits_message_bytes;
  options.memory_bytes = config.limits_memory_bytes;
  options.add_routes = [](HttpRouter& router) { add_viewer(router, viewer_assets()); };
  return options;
}

}  // namespace

int run_serve(Instance& instance, const Config& config, LiveConfig& live,
              const std::vector<std::string>& roots, Log& log) {
  ServeOptions options = options_of(config);
  // Without a state directory the ring is this process's own.
  const auto place = state_dir(process_environment(), roots.front());
  std::optional<FileKeyRing> keys;
  if (place) options.server.keys = &keys.emplace(*place + "/keys");
  options.server.instructions = [&instance](const Principal& who) {
    return instance.instructions(who);
  };
  if (auto fit = check_http_address(config.http); !fit) return report_usage(fit.error(), false);
  if (!config.http.empty()) {
    const auto state = make_state_dir_of(roots.front());
    if (!state) return report(state.error(), false);
    const OwnerToken owner(*state, [&log](const std::string& word) {
      log.warning("token", {{"problem", word}});
    });
    auto token = owner.keep();
    if (!token) return report(token.error(), false);
    options.token = std::move(*token);
    options.current_token = [owner] { return owner.look(); };
  }
  options.bound = [&](std::uint16_t port) {
    if (config.resources_enabled) {
      log.info("MCP Resources Protocol enabled", {{"workspace", roots.front()}});
    }
    if (port == 0 || ::isatty(STDERR_FILENO) == 0) return;
    const auto host = config.http.substr(0, config.http.rfind(':'));
    print_how_to_connect(fmt::format("{}:{}", host, port), options.token);
  };
  if (config.resources_enabled) {
    if (auto following = instance.follow(config, log); !following)
      return report(following.error(), false);
  }
  const auto look_at_offer = [&instance, &live] {
    instance.look_at_backlog();
    instance.tell_activity();
    auto exposure = live.look();
    if (exposure) instance.engine().expose(std::move(*exposure));
    return exposure.has_value();
  };
  auto status = serve({instance.engine(), instance.events(), instance.cache(), instance.policy(),
                       instance.tokens_served(), instance.activity(), instance.access(), log,
                       [&instance] { instance.begin_stop(); }, look_at_offer,
                       make_resource_files(instance.workspace())},
                      options);
  return status ? 0 : report_usage(status.error(), false);
}

int run_token_rotate(const std::string& root, bool json) {
  const auto state = make_state_dir_of(root);
  if (!state) return report(state.error(), json);
  const OwnerToken owner(*state, [](const std::string& word) {
    std::fprintf(stderr, "lode: %s\n", visible(word).c_str());
  });
  if (const auto rotated = owner.rotate(); !rotated) return report(rotated.error(), json);
  std::string line = owner.path();
  if (json) {
    line.clear();
    JsonWriter(line).begin_object().member("token_file", owner.path()).end_object();
  }
  std::printf("%s\n", line.c_str());
  return 0;
}

}  // namespace lode
