// mcpbench: loads MCP servers and prints what it saw, one JSON object a line.
//
//   mcpbench load PLAN     rounds of requests, the servers in turn
//   mcpbench start PLAN    from the start of the process to its first answer, and idle memory
//   mcpbench streams PLAN  many subscription streams: memory, and who heard when
//
// plan.h describes the plan. The exit status is 0, or 2 with the reason.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "stdio_driver.h"
#include "streams.h"

namespace lode::bench {
namespace {

namespace json = boost::json;

void print(const json::object& line) {
  std::printf("%s\n", json::serialize(line).c_str());
  std::fflush(stdout);
}

void sleep_for(double seconds) { ::usleep(static_cast<useconds_t>(seconds * 1e6)); }

std::unique_ptr<Driver> make_driver(Process& process, const ServerSpec& spec, const Plan& plan) {
  if (plan.transport == Transport::stdio) return std::make_unique<StdioDriver>(process, plan.era);
  return std::make_unique<HttpDriver>(process, spec, plan.era);
}

// ---- load ----

struct Running {
  Running(const ServerSpec& server, const Plan& plan)
      : spec(server), process(spec, plan.transport), driver(make_driver(process, spec, plan)) {
    driver->greet();
    driver->rest();
  }
  const ServerSpec& spec;
  Process process;
  std::unique_ptr<Driver> driver;
  std::vector<std::uint64_t> counters;  // requests so far, by phase
};

// In microseconds; sorts what it is given.
double percentile(std::vector<Nanoseconds>& sorted, double q) {
  if (sorted.empty()) return 0;
  const auto rank = std::ceil(q * static_cast<double>(sorted.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return static_cast<double>(sorted[std::min(index, sorted.size() - 1)]) / 1e3;
}

json::object summary(Round& round, double server_cpu, double own) {
  std::sort(round.latencies.begin(), round.latencies.end());
  const auto answers = static_cast<double>(std::max<std::uint64_t>(round.answers, 1));
  const double seconds = static_cast<double>(round.ended - round.began) / 1e9;
  return {{"answers", round.answers},
          {"errors", round.errors},
          {"first_error", round.first_error},
          {"per_second", seconds > 0 ? static_cast<double>(round.answers) / seconds : 0},
          {"p50_us", percentile(round.latencies, 0.50)},
          {"p99_us", percentile(round.latencies, 0.99)},
          {"cpu_us", server_cpu * 1e6 / answers},
          {"driver_cpu_us", own * 1e6 / answers},
          {"bytes", static_cast<double>(round.bytes) / answers}};
}

void run_phase(Running& server, const PhaseSpec& phase, std::size_t index, const Plan& plan,
               std::size_t repeat) {
  const Request request(phase.method, phase.params, plan.era);
  server.counters.resize(plan.phases.size());
  auto& counter = server.counters[index];
  Round warm(phase, request, phase.warm, counter);
  server.driver->run(warm);
  Round round(phase, request, phase.measure, counter);
  const double cpu = server.process.cpu();
  const double own = own_cpu();
  server.driver->run(round);
  auto line = summary(round, server.process.cpu() - cpu, own_cpu() - own);
  server.driver->rest();
  line["server"] = server.spec.name;
  line["phase"] = phase.name;
  line["repeat"] = repeat;
  print(line);
}

// The servers take turns phase by phase; who begins changes, for whoever is
// first finds a colder machine.
void load(const Plan& plan) {
  std::vector<std::unique_ptr<Running>> servers;
  for (const auto& spec : plan.servers) servers.push_back(std::make_unique<Running>(spec, plan));
  std::size_t turn = 0;
  for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) {
    for (std::size_t i = 0; i < plan.phases.size(); ++i, ++turn) {
      for (std::size_t k = 0; k < servers.size(); ++k) {
        auto& server = *servers[(k + turn) % servers.size()];
        if (!plan.phases[i].concerns(server.spec.name)) continue;
        run_phase(server, plan.phases[i], i, plan, repeat);
      }
    }
  }
}

// ---- start ----

void start_once(const ServerSpec& spec, const Plan& plan, std::size_t repeat) {
  Process process(spec, plan.transport);
  auto driver = make_driver(process, spec, plan);
  const Nanoseconds at = driver->greet();
  driver->rest();
  sleep_for(plan.settle);
  const auto memory = process.memory();
  print({{"server", spec.name},
         {"repeat", repeat},
         {"first_answer_ms", static_cast<double>(at - process.began()) / 1e6},
         {"rss_kb", memory.rss_kb},
         {"pss_kb", memory.pss_kb},
         {"threads", process.threads()}});
}

void start(const Plan& plan) {
  for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) {
    for (std::size_t k = 0; k < plan.servers.size(); ++k) {
      start_once(plan.servers[(k + repeat) % plan.servers.size()], plan, repeat);
    }
  }
}

// ---- streams ----

void listen_once(const ServerSpec& spec, const Plan& plan, std::size_t repeat) {
  Process process(spec, plan.transport);
  HttpDriver(process, spec, plan.era).greet();
  sleep_for(plan.settle);
  const double before = process.memory().rss_kb;
  Streams streams(process, spec, plan.streams);
  streams.open();
  sleep_for(plan.settle);
  const double each = (process.memory().rss_kb - before) / static_cast<double>(plan.streams.count);
  for (std::size_t change = 0; change < plan.streams.changes; ++change) {
    const double cpu = process.cpu();
    const auto heard = streams.change();
    print({{"server", spec.name},
           {"repeat", repeat},
           {"change", change},
           {"streams", plan.streams.count},
           {"kb_each", each},
           {"first_ms", heard.first_ms},
           {"last_ms", heard.last_ms},
           {"cpu_ms", (process.cpu() - cpu) * 1e3}});
    sleep_for(plan.settle);
  }
}

void listen(const Plan& plan) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) {
    for (const auto& spec : plan.servers) listen_once(spec, plan, repeat);
  }
}

}  // namespace
}  // namespace lode::bench

int main(int argc, char** argv) {
  using namespace lode::bench;
  ::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read what it prints
  const std::string_view mode = argc == 3 ? argv[1] : "";
  if (mode == "load") {
    load(read_plan(argv[2]));
  } else if (mode == "start") {
    start(read_plan(argv[2]));
  } else if (mode == "streams") {
    listen(read_plan(argv[2]));
  } else {
    die("usage: mcpbench load|start|streams PLAN");
  }
}
