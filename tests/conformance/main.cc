// The server library with the fixture provider: what the conformance suite, the
// transcripts and the client tests run against.
//
//   lode_fixture [--http ADDRESS] [--no-stdio]
#include <cstdio>
#include <memory>
#include <string_view>

#include "cli/serve.h"
#include "fixture_provider.h"

namespace {

lode::Policy everything_for_everyone() {
  lode::Rule rule;
  rule.allow = true;
  rule.roles = {"*"};
  for (std::size_t i = 0; i < lode::kActionNames.size(); ++i) {
    rule.actions.push_back(static_cast<lode::Action>(i));
  }
  rule.uris.push_back(*lode::Glob::parse("**"));
  return *lode::Policy::make({rule}, {});
}

}  // namespace

int main(int argc, char** argv) {
  lode::ServeOptions options;
  options.server.name = "lode-fixture";
  options.server.title = "Lode conformance fixture";
  options.server.version = "1.0.0";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--http" && i + 1 < argc) {
      options.http = argv[++i];
    } else if (argument == "--no-stdio") {
      options.stdio = false;
    } else {
      std::fprintf(stderr, "usage: lode_fixture [--http ADDRESS] [--no-stdio]\n");
      return 2;
    }
  }
  auto log = lode::Log::to_stderr(lode::LogLevel::info);
  lode::Events events;
  lode::Cache cache;
  lode::PolicySource policy(everything_for_everyone());
  lode::Catalog catalog;
  auto status = catalog.add(std::make_unique<lode::fixture::FixtureProvider>(events));
  const lode::Engine engine({catalog, events, policy, cache, log}, {});
  if (status) status = lode::serve({engine, events, cache, policy, log}, options);
  if (status) return 0;
  std::fprintf(stderr, "lode_fixture: %s\n", status.error().message.c_str());
  return 1;
}
