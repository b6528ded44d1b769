// Runs requests: from a checked envelope to the engine and back.
//
// The transports' edges (pipe.h, endpoint.h) turn what arrives into Calls; the
// server runs them on the worker pool, turns the engine's outcomes into results,
// asks clients for input where a provider needs it, and keeps the open
// subscriptions. It has no thread of its own: tick() is called about once a
// second. Any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "base/log.h"
#include "base/memory_budget.h"
#include "base/mutex.h"
#include "base/worker_pool.h"
#include "engine/engine.h"
#include "server/call.h"
#include "server/listeners.h"
#include "server/render.h"
#include "server/sealed_state.h"
#include "server/session.h"
#include "server/token_ledger.h"

namespace lode {

struct Method;

struct ServerOptions {
  std::string name = "lode";
  std::string title = "Lode";
  std::string version;
  // For the model of this caller, asked at each connection; cheap, any thread.
  std::function<std::string(const Principal&)> instructions = [](const Principal&) {
    return std::string();
  };

  std::chrono::milliseconds request_time{std::chrono::minutes(2)};
  std::chrono::milliseconds input_time{std::chrono::minutes(10)};  // for a person to answer
  int input_rounds = 16;
  std::size_t subscriptions = 1000;  // addresses one client may listen to at once
  KeyRing* keys = nullptr;           // for states that travel; null: this process's own
};

// What became of a request, for whoever counts.
struct Served {
  std::string_view method;  // "unknown" for a method that is not ours
  int error_code = 0;       // 0: a result
  std::chrono::steady_clock::duration took{};
};

// Cheap and thread-safe; either may be missing.
struct Observer {
  std::function<void(const Served&)> served{};
  // What an answer cost the client's model; told some time after it.
  std::function<void(const TokensServed&)> tokens{};
};

class Server {
 public:
  // REQUIRES: everything referred to outlives the server.
  Server(const Engine& engine, Events& events, WorkerPool& pool, MemoryBudget& memory, Log& log,
         ServerOptions options, Observer observer);

  // Runs the request; it will be answered.
  void dispatch(const std::shared_ptr<Call>& call);
  // Legacy: reads `initialize` and makes the session that it begins.
  std::variant<std::shared_ptr<Session>, WireError> initialize(const Message& message,
                                                               std::string session_id,
                                                               const Principal& who);
  // May wait: the instructions are asked for.
  std::string initialize_result(const Session& session) const;
  // Answers it on a worker. False: there is too much to do.
  bool submit_initialize_result(std::shared_ptr<const Session> session, std::string id,
                                std::shared_ptr<Outlet> outlet);
  // The session's client has gone.
  void forget(Session& session);

  // Ends what has run past its deadline, and subscriptions of who was revoked.
  void tick(std::chrono::steady_clock::time_point now) LODE_EXCLUDES(mutex_);
  // Tells the observer what the answers so far cost; may take a moment.
  void settle_tokens() { tokens_.settle(); }
  // Ends every open subscription with its result.
  void end_subscriptions() LODE_EXCLUDES(mutex_);
  std::size_t subscriptions() const LODE_EXCLUDES(mutex_);

  const Engine& engine() const { return engine_; }
  const Renderer& renderer() const { return renderer_; }
  const ServerOptions& options() const { return options_; }
  // Seals the cursors of lists: the engine's name what the caller may not know of.
  const StateSeal& cursors() const { return cursors_; }
  Log& log() { return log_; }
  Listeners& listeners() { return listeners_; }
  // Counts a request that did not come as a message.
  void tell_served(const Served& served) const {
    if (observer_.served) observer_.served(served);
  }
  MemoryShare& memory(const Principal& who) { return memory_.share(who); }

  // The capabilities object of this server for a revision.
  std::string capabilities(Revision revision) const;

 private:
  struct Listened {
    std::shared_ptr<Call> call;
    Listeners::Id listener;
  };

  void run(const std::shared_ptr<Call>& call, const Method& method);
  void needs_input(const std::shared_ptr<Call>& call, const Method& method,
                   const NeedsInput& needs);
  void ask_legacy(const std::shared_ptr<Call>& call, const Method& method, const NeedsInput& needs);
  std::optional<WireError> take_answers(Call& call, const Method& method) const;
  void submit_listen(const std::shared_ptr<Call>& call);
  void listen(const std::shared_ptr<Call>& call);
  void stop_listening(const Call* call) LODE_EXCLUDES(mutex_);
  void end_subscriptions(bool (*whose)(const Principal&)) LODE_EXCLUDES(mutex_);
  void track(const std::shared_ptr<Call>& call, std::string_view method) LODE_EXCLUDES(mutex_);
  void submit(const std::shared_ptr<Call>& call, const Method& method);
  bool answer_warm(Call& call, const Method& method);
  void tell_tokens(const Call& call, const Method& method);

  const Engine& engine_;
  WorkerPool& pool_;
  MemoryBudget& memory_;
  Log& log_;
  const ServerOptions options_;
  const Observer observer_;
  const Renderer renderer_;
  const StateSeal seal_;
  const StateSeal cursors_;
  TokenLedger tokens_;
  Listeners listeners_;
  mutable Mutex mutex_;
  std::unordered_map<const Call*, std::weak_ptr<Call>> active_ LODE_GUARDED_BY(mutex_);
  std::unordered_map<const Call*, Listened> listening_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
