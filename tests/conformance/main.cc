// The server library with the fixture provider: what the conformance suite, the
// transcripts and the client tests run against.
//
//   lode_fixture [--http ADDRESS] [--no-stdio] [--state DIR] [--trouble] [--request-time MS]
//                [--token TOKEN] [--connections COUNT] [--sessions COUNT] [--guests]
//
// With --state it keeps notes as records and a ring of keys there; with --trouble it has a
// provider that breaks its promises; with --guests, some that come and go.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/records.h"
#include "cli/serve.h"
#include "fixture_provider.h"
#include "guest_provider.h"
#include "notes_provider.h"
#include "store/file_key_ring.h"
#include "trouble_provider.h"

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

struct Options {
  lode::ServeOptions serve;
  std::string state;  // empty: no records
  bool trouble = false;
  bool guests = false;
};

// Nothing: the command line is wrong.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool valued = i + 1 < argc;
    if (argument == "--http" && valued) {
      options.serve.http = argv[++i];
    } else if (argument == "--state" && valued) {
      options.state = argv[++i];
    } else if (argument == "--request-time" && valued) {
      options.serve.server.request_time = std::chrono::milliseconds(std::atoi(argv[++i]));
    } else if (argument == "--token" && valued) {
      options.serve.token = argv[++i];
    } else if (argument == "--connections" && valued) {
      options.serve.http_limits.connections = std::strtoul(argv[++i], nullptr, 10);
    } else if (argument == "--sessions" && valued) {
      options.serve.sessions.count = std::strtoul(argv[++i], nullptr, 10);
    } else if (argument == "--trouble") {
      options.trouble = true;
    } else if (argument == "--guests") {
      options.guests = true;
    } else if (argument == "--no-stdio") {
      options.serve.stdio = false;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

// The parts of a server, in the order of their dependence.
class FixtureServer {
 public:
  lode::Status run(Options options) {
    auto added = catalog_.add(std::make_shared<lode::fixture::FixtureProvider>(events_));
    if (added && !options.state.empty()) {
      added = add_notes(options.state);
      options.serve.server.keys = &keys_.emplace(options.state + "/keys");
    }
    if (added && options.trouble) {
      added = catalog_.add(std::make_shared<lode::fixture::TroubleProvider>());
    }
    if (added && options.guests) added = add_guests();
    if (!added) return added;
    options.serve.server.name = "lode-fixture";
    options.serve.server.title = "Lode conformance fixture";
    options.serve.server.version = "1.0.0";
    return lode::serve(
        {engine_, events_, cache_, policy_, tokens_served_, activity_, access_, log_},
        options.serve);
  }

 private:
  lode::Status add_notes(const std::string& state) {
    auto records = lode::Records::open(state, lode::fixture::notes_migrations(), events_, log_);
    if (!records) return std::move(records).error();
    records_ = std::move(*records);
    if (auto heard = records_->listen(); !heard) return heard;
    return catalog_.add(
        std::make_shared<lode::fixture::NotesProvider>(records_->database(), records_->feed()));
  }

  lode::Status add_guests() {
    if (auto added = catalog_.add(std::make_shared<lode::fixture::RawProvider>()); !added) {
      return added;
    }
    return catalog_.add(std::make_shared<lode::fixture::GuestHost>(catalog_));
  }

  lode::Log log_ = lode::Log::to_stderr(lode::LogLevel::info);
  lode::Events events_;
  std::optional<lode::FileKeyRing> keys_;
  std::atomic<std::uint64_t> tokens_served_{0};
  lode::Cache cache_;
  lode::Activity activity_{[] { return lode::Activity::CacheCounts(); }};
  lode::PolicySource policy_{everything_for_everyone()};
  std::unique_ptr<lode::Records> records_;
  lode::CatalogSource catalog_{events_};
  lode::AccessLog access_;
  const lode::Engine engine_{{catalog_,
                              events_,
                              policy_,
                              cache_,
                              log_,
                              {},
                              [this](const lode::Access& access) {
                                if (access_) access_(access);
                              }},
                             {}};
};

}  // namespace

int main(int argc, char** argv) {
  auto options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr,
                 "usage: lode_fixture [--http ADDRESS] [--no-stdio] [--state DIR] [--trouble] "
                 "[--request-time MS] [--token TOKEN] [--connections COUNT] [--sessions "
                 "COUNT] [--guests]\n");
    return 2;
  }
  const auto status = FixtureServer().run(std::move(*options));
  if (status) return 0;
  std::fprintf(stderr, "lode_fixture: %s\n", status.error().message.c_str());
  return 1;
}
