#include "base/log.h"
#include "base/worker_pool.h"
#include "channel.h"
#include "engine/engine.h"
#include "fixture_provider.h"
#include "server/pipe.h"
#include "server/server.h"
#include "transport/memory.h"

namespace lode::transcripts {
namespace {

constexpr std::size_t kWorkers = 4;
constexpr std::size_t kQueue = 64;
constexpr std::size_t kMemory = std::size_t{64} << 20;

class MemoryChannel final : public Channel {
 public:
  explicit MemoryChannel(Server& server) : pipe_(server, Principal::local(), sink_) {}

  std::optional<int> send(const std::string& message) override {
    pipe_.receive(message);
    return std::nullopt;
  }
  std::optional<Arrived> next(const Wanted&, Milliseconds patience) override {
    auto line = sink_->next(patience);
    if (!line) return std::nullopt;
    return Arrived{std::move(*line), 200, "", {}};
  }
  Status finish() override {
    pipe_.close();
    return {};
  }

 private:
  const std::shared_ptr<MemorySink> sink_ = std::make_shared<MemorySink>();
  Pipe pipe_;
};

// As the fixture program names itself.
ServerOptions fixture_options() {
  ServerOptions options;
  options.name = "lode-fixture";
  options.title = "Lode conformance fixture";
  options.version = "1.0.0";
  return options;
}

class Memory final : public Transport {
 public:
  Memory()
      : added_(catalog_.add(std::make_shared<fixture::FixtureProvider>(events_))),
        engine_({catalog_, events_, policy_, cache_, log_}, {}),
        pool_(kWorkers, kQueue),
        server_(engine_, events_, pool_, memory_, log_, fixture_options(), {}) {}
  ~Memory() override { pool_.finish(); }

  Result<std::unique_ptr<Channel>> connect() override {
    if (!added_) return Error(added_.error());
    return std::make_unique<MemoryChannel>(server_);
  }

 private:
  Log log_{-1, Log::Form::text, LogLevel::off};
  Events events_;
  CatalogSource catalog_{events_};
  const Status added_;
  Cache cache_;
  PolicySource policy_{Policy::local()};
  Engine engine_;
  MemoryBudget memory_{kMemory};
  WorkerPool pool_;
  Server server_;
};

}  // namespace

std::unique_ptr<Transport> make_memory() { return std::make_unique<Memory>(); }

}  // namespace lode::transcripts
