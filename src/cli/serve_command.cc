#include "cli/serve_command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/serve.h"
#include "cli/version.h"
#include "cli/workspace_choice.h"
#include "providers/files/provider.h"
#include "workspace/root.h"

namespace lode {
namespace {

LogLevel level_of(const std::string& name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "warning") return LogLevel::warning;
  return name == "error" ? LogLevel::error : LogLevel::info;
}

// Nobody types MCP messages, and /dev/null has none: with HTTP to serve, such
// an input does not mean that the client has gone.
bool serves_stdin(const ServeFlags& flags) {
  if (flags.http.empty()) return true;
  struct stat info {};
  return ::fstat(STDIN_FILENO, &info) == 0 && !S_ISCHR(info.st_mode);
}

void print_how_to_connect(const std::string& http) {
  std::fprintf(stderr,
               "\nLode serves http://%s/mcp (Ctrl-C ends it). To connect a client, paste:\n\n"
               "  claude mcp add --transport http lode http://%s/mcp\n\n"
               "  {\"mcpServers\":{\"lode\":{\"type\":\"http\",\"url\":\"http://%s/mcp\"}}}\n\n",
               http.c_str(), http.c_str(), http.c_str());
}

Status serve_workspace(const ServeFlags& flags, Log& log) {
  auto path = choose_workspace(flags.workspace);
  if (!path) return std::move(path).error();
  auto root = Root::open(*path);
  if (!root) return std::move(root).error().in("opening the workspace");

  Events events;
  Catalog catalog;
  if (flags.resources_enabled) {
    if (auto added = catalog.add(std::make_unique<FilesProvider>(*root)); !added) return added;
    log.info("MCP Resources Protocol enabled", {{"workspace", root->path()}});
  }
  ServeOptions options;
  options.server.version = kVersion;
  options.http = flags.http;
  options.stdio = serves_stdin(flags);
  if (!flags.http.empty() && ::isatty(STDERR_FILENO) == 1) print_how_to_connect(flags.http);
  return serve(catalog, events, options, log);
}

}  // namespace

int run_serve(const ServeFlags& flags) {
  auto log = Log::to_stderr(level_of(flags.log_level));
  auto status = serve_workspace(flags, log);
  if (status) return 0;
  std::fprintf(stderr, "lode: %s\n", status.error().message.c_str());
  return 1;
}

}  // namespace lode
