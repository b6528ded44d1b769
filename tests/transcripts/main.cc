// Replays transcripts of the protocol over one transport.
//
//   lode_transcripts --over memory|stdio|http [--fixture PATH] [--update] FILE…
//
// README.md describes the files. Ends with 1 if a case failed.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "runner.h"

namespace lode::transcripts {
namespace {

struct Options {
  std::string over;
  std::string fixture;
  bool update = false;
  std::vector<std::string> files;
};

struct Count {
  int passed = 0;
  int failed = 0;
};

void report(const Transcript& transcript, const Case& played, const Options& options,
            const Problem& problem) {
  fmt::print("FAILED {}:{}: {} (over {})\n{}\n\n", transcript.path, problem.line + 1, played.name,
             options.over, problem.text);
}

std::optional<Problem> play(const Transcript& transcript, const Case& played, Transport& transport,
                            std::vector<Replacement>* updates) {
  auto channel = transport.connect();
  if (!channel) return Problem{played.line, channel.error().message};
  auto* http = dynamic_cast<HttpChannel*>(channel->get());
  return CaseRun(transcript, played, **channel, http, updates).run();
}

Status play_file(const std::string& path, const Options& options, Transport& transport,
                 Count& count) {
  auto transcript = read_transcript(path);
  if (!transcript) return std::move(transcript).error();
  std::vector<Replacement> updates;
  for (const auto& played : transcript->cases) {
    if (!played.over.contains(options.over)) continue;
    const auto problem = play(*transcript, played, transport, options.update ? &updates : nullptr);
    ++(problem ? count.failed : count.passed);
    if (problem) report(*transcript, played, options, *problem);
  }
  return updates.empty() ? Status() : rewrite(*transcript, updates);
}

Result<std::unique_ptr<Transport>> make_transport(const Options& options) {
  if (options.over == "memory") return make_memory();
  if (options.over == "stdio") return make_stdio(options.fixture);
  return make_http(options.fixture);
}

// False: the arguments are none of ours.
bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--over" && i + 1 < argc) {
      options.over = argv[++i];
    } else if (argument == "--fixture" && i + 1 < argc) {
      options.fixture = argv[++i];
    } else if (argument == "--update") {
      options.update = true;
    } else if (argument.starts_with("--")) {
      return false;
    } else {
      options.files.emplace_back(argument);
    }
  }
  const bool child = options.over == "stdio" || options.over == "http";
  return (options.over == "memory" || (child && !options.fixture.empty())) &&
         !options.files.empty();
}

int run(const Options& options) {
  auto transport = make_transport(options);
  if (!transport) {
    fmt::print("{}\n", transport.error().message);
    return 1;
  }
  Count count;
  for (const auto& file : options.files) {
    if (auto status = play_file(file, options, **transport, count); !status) {
      fmt::print("{}\n", status.error().message);
      ++count.failed;
    }
  }
  if (auto status = (*transport)->close(); !status) {
    fmt::print("FAILED: {}\n", status.error().message);
    ++count.failed;
  }
  fmt::print("{} passed, {} failed\n", count.passed, count.failed);
  return count.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lode::transcripts

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  lode::transcripts::Options options;
  if (!lode::transcripts::read_options(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: lode_transcripts --over memory|stdio|http [--fixture PATH] [--update] "
                 "FILE...\n");
    return 2;
  }
  return lode::transcripts::run(options);
}
