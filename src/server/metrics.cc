#include "server/metrics.h"

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <map>
#include <sstream>
#include <vector>

#include "server/event_endpoint.h"
#include "server/methods.h"
#include "server/resource_endpoint.h"

namespace lode {
namespace {

const prometheus::Histogram::BucketBoundaries kSeconds = {
    0.00001, 0.00003, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120};

std::string_view outcome_of(int error_code) {
  switch (error_code) {
    case 0: return "ok";
    case wire::kInternal: return "failed";
    case wire::kDenied: return "denied";
    default: return "refused";
  }
}

// Whose answers a model reads.
constexpr std::array<std::string_view, 3> kWithContents = {"prompts/get", "resources/read",
                                                           "tools/call"};

constexpr std::array<std::string_view, 3> kVerdicts = {"allowed", "refused", "failed"};

// A value that somebody else keeps.
struct Read {
  std::string name;
  std::string help;
  std::string type;
  std::function<double()> read;
};

}  // namespace

struct Metrics::State {
  struct PerMethod {
    std::map<std::string_view, prometheus::Counter*> by_outcome;
    prometheus::Histogram* seconds = nullptr;
  };

  prometheus::Registry registry;
  struct Tokens {
    prometheus::Counter* exact = nullptr;
    prometheus::Counter* estimated = nullptr;
  };
  std::map<std::string_view, PerMethod> methods;
  std::map<std::string_view, Tokens> tokens;
  struct Verdicts {
    std::array<prometheus::Counter*, kVerdicts.size()> of_requests{};
    std::array<prometheus::Counter*, kVerdicts.size()> of_others{};  // of addresses beside them
  };
  std::array<Verdicts, kActionNames.size()> actions;
  prometheus::Counter* bytes = nullptr;
  std::vector<Read> reads;
};

Metrics::Metrics() : state_(std::make_unique<State>()) {
  auto& requests = prometheus::BuildCounter()
                       .Name("lode_requests_total")
                       .Help("Requests answered, by method and outcome.")
                       .Register(state_->registry);
  auto& seconds = prometheus::BuildHistogram()
                      .Name("lode_request_seconds")
                      .Help("Time from a request's arrival to its answer.")
                      .Register(state_->registry);
  auto names = method_names();
  names.push_back(ResourceEndpoint::kPath);
  names.push_back(EventEndpoint::kPath);
  for (const auto method : names) {
    auto& entry = state_->methods[method];
    for (const std::string_view outcome : {"ok", "refused", "denied", "failed"}) {
      entry.by_outcome[outcome] =
          &requests.Add({{"method", std::string(method)}, {"outcome", std::string(outcome)}});
    }
    entry.seconds = &seconds.Add({{"method", std::string(method)}}, kSeconds);
  }
  auto& tokens = prometheus::BuildCounter()
                     .Name("lode_tokens_served_total")
                     .Help("What answers cost their models, in tokens of o200k_base.")
                     .Register(state_->registry);
  for (const auto method : kWithContents) {
    const std::string name(method);
    state_->tokens[method] = {&tokens.Add({{"method", name}, {"counted", "exactly"}}),
                              &tokens.Add({{"method", name}, {"counted", "estimated"}})};
  }
  add_accesses();
}

void Metrics::add_accesses() {
  auto& accesses = prometheus::BuildCounter()
                       .Name("lode_accesses_total")
                       .Help("Requests of the engine, by action and by what was decided.")
                       .Register(state_->registry);
  auto& decisions = prometheus::BuildCounter()
                        .Name("lode_decisions_total")
                        .Help("Addresses that lists, searches and tools asked about.")
                        .Register(state_->registry);
  for (std::size_t action = 0; action < kActionNames.size(); ++action) {
    for (std::size_t verdict = 0; verdict < kVerdicts.size(); ++verdict) {
      const prometheus::Labels labels{{"action", std::string(kActionNames[action])},
                                      {"verdict", std::string(kVerdicts[verdict])}};
      auto& counters = state_->actions[action];
      counters.of_requests[verdict] = &accesses.Add(labels);
      if (kVerdicts[verdict] != "failed") counters.of_others[verdict] = &decisions.Add(labels);
    }
  }
  state_->bytes = &prometheus::BuildCounter()
                       .Name("lode_read_bytes_total")
                       .Help("Bytes of contents that were read.")
                       .Register(state_->registry)
                       .Add({});
}

Metrics::~Metrics() = default;

void Metrics::observe(const Access& access) {
  auto& counters = state_->actions[static_cast<std::size_t>(access.action)];
  counters.of_requests[static_cast<std::size_t>(access.verdict)]->Increment();
  if (access.bytes > 0) state_->bytes->Increment(static_cast<double>(access.bytes));
  if (access.asked == 0) return;
  counters.of_others[0]->Increment(static_cast<double>(access.asked - access.refused));
  counters.of_others[1]->Increment(static_cast<double>(access.refused));
}

void Metrics::observe(const Served& served) {
  auto found = state_->methods.find(served.method);
  if (found == state_->methods.end()) return;
  found->second.by_outcome.at(outcome_of(served.error_code))->Increment();
  found->second.seconds->Observe(std::chrono::duration<double>(served.took).count());
}

void Metrics::observe(const TokensServed& tokens) {
  auto found = state_->tokens.find(tokens.method);
  if (found == state_->tokens.end()) return;
  auto* counter = tokens.count.estimated ? found->second.estimated : found->second.exact;
  counter->Increment(static_cast<double>(tokens.count.tokens));
}

void Metrics::add_gauge(const std::string& name, const std::string& help,
                        std::function<double()> read) {
  state_->reads.push_back({name, help, "gauge", std::move(read)});
}

void Metrics::add_counter(const std::string& name, const std::string& help,
                          std::function<double()> read) {
  state_->reads.push_back({name, help, "counter", std::move(read)});
}

std::string Metrics::text() const {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, state_->registry.Collect());
  for (const auto& value : state_->reads) {
    out << fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", value.name, value.help,
                       value.type, value.read());
  }
  return out.str();
}

}  // namespace lode
