// Replays transcripts of the protocol over one transport.
//
//   lode_transcripts --over memory|stdio|http [--fixture PATH] [--program PATH] [--update] FILE…
//
// README.md describes the files. Ends with 1 if a case failed.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "runner.h"

namespace lode::transcripts {
namespace {

struct Options {
  std::string over;
  std::string fixture;
  std::string program;
  bool update = false;
  std::vector<std::string> files;
};

constexpr const char* kResources = "--resources-enabled";

struct Count {
  int passed = 0;
  int failed = 0;
};

void report(const Transcript& transcript, const Case& played, const Options& options,
            const Problem& problem) {
  fmt::print("FAILED {}:{}: {} (over {})\n{}\n\n", transcript.path, problem.line + 1, played.name,
             options.over, problem.text);
}

Result<std::unique_ptr<Transport>> make_child(const Options& options, Launch launch) {
  if (options.over == "stdio") return make_stdio(std::move(launch));
  return make_http(std::move(launch));
}

using Updates = std::vector<Replacement>;

// The fixture, which serves all cases, or the real program on a workspace.
struct Played {
  Transport& transport;
  const Workspace* workspace = nullptr;
};

std::optional<Problem> play(const Transcript& transcript, const Case& played, const Played& by,
                            Updates* updates) {
  auto channel = by.transport.connect();
  if (!channel) return Problem{played.line, channel.error().message};
  auto* http = dynamic_cast<HttpChannel*>(channel->get());
  return CaseRun(transcript, played, **channel, http, by.workspace, updates).run();
}

Launch launch_of(const Options& options, const Setting& setting, const Workspace& workspace,
                 const Names& names) {
  Launch launch{{options.program, "serve", "--workspace", workspace.root()},
                workspace.environment()};
  std::istringstream flags(names.expand(setting.flags));
  for (std::string flag; flags >> flag;) launch.arguments.push_back(flag);
  if (setting.flags.find(kResources) == std::string::npos) {
    launch.arguments.insert(launch.arguments.end(), {kResources, "true"});
    // Files are followed from then on.
    launch.ready = "looked through the workspace";
  }
  if (options.over == "http") {
    launch.arguments.insert(launch.arguments.end(), {"--http", "127.0.0.1:0"});
    launch.credential = [&workspace] { return workspace.token(); };
  }
  return launch;
}

std::optional<Problem> play_real(const Transcript& transcript, const Case& played,
                                 const Options& options, Updates* updates) {
  auto workspace = Workspace::make();
  if (!workspace) return Problem{played.line, workspace.error().message};
  const auto names = names_of(transcript, workspace->get());
  for (const auto& step : transcript.workspace->files) {
    auto made = (*workspace)->change(step, names);
    if (!made) return Problem{step.line, made.error().message};
  }
  auto transport =
      make_child(options, launch_of(options, *transcript.workspace, **workspace, names));
  if (!transport) return Problem{played.line, transport.error().message};
  auto problem = play(transcript, played, {**transport, workspace->get()}, updates);
  const auto closed = (*transport)->close();
  if (problem || closed) return problem;
  return Problem{played.line, closed.error().message};
}

Result<std::unique_ptr<Transport>> make_fixture(const Options& options) {
  if (options.over == "memory") return make_memory();
  Launch launch{{options.fixture}};
  if (options.over == "http") {
    launch.arguments.insert(launch.arguments.end(), {"--no-stdio", "--http", "127.0.0.1:0"});
  }
  return make_child(options, std::move(launch));
}

// False: the arguments are none of ours.
bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--over" && i + 1 < argc) {
      options.over = argv[++i];
    } else if (argument == "--fixture" && i + 1 < argc) {
      options.fixture = argv[++i];
    } else if (argument == "--program" && i + 1 < argc) {
      options.program = argv[++i];
    } else if (argument == "--update") {
      options.update = true;
    } else if (argument.starts_with("--")) {
      return false;
    } else {
      options.files.emplace_back(argument);
    }
  }
  const bool child = options.over == "stdio" || options.over == "http";
  const bool program = !options.fixture.empty() || !options.program.empty();
  return (options.over == "memory" || (child && program)) && !options.files.empty();
}

Status play_file(const std::string& path, const Options& options,
                 std::unique_ptr<Transport>& fixture, Count& count) {
  auto transcript = read_transcript(path);
  if (!transcript) return std::move(transcript).error();
  if (!transcript->workspace && !fixture) {
    auto made = make_fixture(options);
    if (!made) return std::move(made).error();
    fixture = std::move(*made);
  }
  Updates found;
  Updates* const updates = options.update ? &found : nullptr;
  for (const auto& played : transcript->cases) {
    if (!played.over.contains(options.over)) continue;
    const auto problem = transcript->workspace ? play_real(*transcript, played, options, updates)
                                               : play(*transcript, played, {*fixture}, updates);
    ++(problem ? count.failed : count.passed);
    if (problem) report(*transcript, played, options, *problem);
  }
  return found.empty() ? Status() : rewrite(*transcript, found);
}

int run(const Options& options) {
  std::unique_ptr<Transport> fixture;  // started when it is needed
  Count count;
  const auto note = [&count](const Status& status) {
    if (status) return;
    fmt::print("FAILED: {}\n", status.error().message);
    ++count.failed;
  };
  for (const auto& file : options.files) note(play_file(file, options, fixture, count));
  if (fixture) note(fixture->close());
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
                 "usage: lode_transcripts --over memory|stdio|http [--fixture PATH] "
                 "[--program PATH] [--update] FILE...\n");
    return 2;
  }
  return lode::transcripts::run(options);
}
