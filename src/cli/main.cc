// lode: the program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/serve_command.h"
#include "cli/version.h"

int main(int argc, char** argv) {
  CLI::App app{"Makes a workspace readable to AI assistants: one URI for everything, over MCP."};
  app.name("lode");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(lode::kVersion));
  app.footer(
      "Begin with `lode serve --help`. A client starts `lode serve` by itself; for a look\n"
      "with a browser or curl, run `lode serve --http 127.0.0.1:7345`.");

  lode::ServeFlags flags;
  auto* serve = app.add_subcommand("serve",
                                   "Serve a workspace over MCP: on standard input and "
                                   "output, and with --http over HTTP too");
  serve->add_option(
      "--workspace", flags.workspace,
      "The directory to serve; by default the nearest one upwards with .lode or .git");
  serve->add_option("--http", flags.http, "Serve HTTP on this address, such as 127.0.0.1:7345");
  serve
      ->add_option("--resources-enabled", flags.resources_enabled,
                   "Offer the workspace's files as resources (true or false)")
      ->default_str("false");
  serve->add_option("--log-level", flags.log_level, "debug, info, warning or error")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
  auto* version = app.add_subcommand("version", "Print the version");

  CLI11_PARSE(app, argc, argv);
  if (version->parsed()) {
    std::printf("lode %s\n", std::string(lode::kVersion).c_str());
    return 0;
  }
  return lode::run_serve(flags);
}
