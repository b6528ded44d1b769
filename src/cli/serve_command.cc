#include "cli/serve_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string_view>

#include "cli/commands.h"
#include "cli/serve.h"
#include "cli/state_dir.h"
#include "cli/version.h"
#include "server/sealed_state.h"
#include "workspace/root.h"

namespace lode {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTokenBytes = 24;

// Nobody types MCP messages, and /dev/null has none: with HTTP to serve, such
// an input does not mean that the client has gone.
bool serves_stdin(const Config& config) {
  if (config.http.empty()) return true;
  struct stat info {};
  return ::fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode);
}

// Nobody but this machine's users may reach a server that asks for no
// authentication.
Status check_address(const std::string& address) {
  const auto host = std::string_view(address).substr(0, address.rfind(':'));
  if (host == "localhost" || host == "[::1]" || host.starts_with("127.")) return {};
  return invalid(fmt::format(
      "{} is no loopback address, and serving others needs authentication, which is not "
      "configured; use 127.0.0.1",
      address));
}

// A token that an earlier server kept. Nothing: there is none that can be relied on.
std::optional<std::string> kept_token(const std::string& path) {
  OpenFile file;
  file.descriptor =
      Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.descriptor.is_open() || ::fstat(file.descriptor.get(), &file.info) != 0) return {};
  if (!file.is_regular() || file.info.st_uid != ::geteuid()) return {};
  if ((file.info.st_mode & (S_IRWXG | S_IRWXO)) != 0) return {};
  auto token = read_all(file, 2 * kTokenBytes);
  const bool whole = token && token->size() == 2 * kTokenBytes &&
                     token->find_first_not_of("0123456789abcdef") == std::string::npos;
  return whole ? std::optional(std::move(*token)) : std::nullopt;
}

// Under another name first, so that nobody reads half of it; false: it is there already.
Result<bool> put_token(const std::string& path, const std::string& token) {
  const std::string draft = path + "." + random_hex(kTokenBytes);
  const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const auto size = static_cast<ssize_t>(token.size());
  const bool written = file.is_open() && ::write(file.get(), token.data(), token.size()) == size;
  const bool put = written && ::link(draft.c_str(), path.c_str()) == 0;
  const bool lost = written && !put && errno == EEXIST;
  ::unlink(draft.c_str());
  if (put || lost) return put;
  return internal("cannot write " + path);
}

// The owner's token: one for each workspace, kept where scripts of this user find it. A
// second server must not shut out those who have it from the first.
Result<std::string> workspace_token(const std::string& root) {
  auto directory = state_dir(process_environment(), root);
  if (!directory) return std::move(directory).error();
  if (auto made = make_state_dir(*directory); !made) return std::move(made).error();
  const std::string path = *directory + "/token";
  if (auto kept = kept_token(path)) return std::move(*kept);
  ::unlink(path.c_str());
  const auto token = random_hex(kTokenBytes);
  auto put = put_token(path, token);
  if (!put) return std::move(put).error();
  if (*put) return token;
  if (auto kept = kept_token(path)) return std::move(*kept);
  return internal("cannot read " + path);
}

void print_how_to_connect(const std::string& http, const std::string& token) {
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
  options.http_guard = {config.http_hosts, config.http_origins};
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
  return options;
}

}  // namespace

int run_serve(Instance& instance, const Config& config, const std::vector<std::string>& roots,
              Log& log) {
  ServeOptions options = options_of(config);
  options.server.instructions = [&instance] { return instance.instructions(); };
  if (!config.http.empty()) {
    if (auto fit = check_address(config.http); !fit) return report(fit.error());
    auto token = workspace_token(roots.front());
    if (!token) return report(token.error());
    options.token = std::move(*token);
    if (::isatty(STDERR_FILENO) == 1) print_how_to_connect(config.http, options.token);
  }
  if (config.resources_enabled) {
    log.info("MCP Resources Protocol enabled", {{"workspace", roots.front()}});
    if (auto following = instance.follow(config, log); !following) return report(following.error());
  }
  auto status = serve(
      {instance.engine(), instance.events(), instance.cache(), instance.policy(),
       instance.tokens_served(), instance.access(), log, [&instance] { instance.begin_stop(); }},
      options);
  return status ? 0 : report(status.error());
}

}  // namespace lode
