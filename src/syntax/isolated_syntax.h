// Has worker processes parse, so that no text can hurt this one.
//
// Design. A call takes an idle worker (syntax/worker_process.h) or starts one, hands the
// task over, waits, and puts the worker back. A worker that dies costs the call that it
// worked for, and nothing else. If the text is to blame, or takes all its time, its hash is
// remembered, and it is refused from then on without another try; a query that somebody asks is
// blamed together with its text, not the text alone. Workers that are idle for a while are ended,
// so that a server at rest has none. A worker has the priority of the thread that it was started
// for, and works for such threads alone: what is asked behind the scenes does not slow a user down.
// Guests (GuestTasks) have workers of their own, half as many and of lower priority: theirs can be
// busy all the time, and nobody else waits.
//
// Invariants:
//  (1) No tree-sitter code runs in this process.
//  (2) There are at most Options::workers workers of each lane; who comes then waits.
//  (3) A text is blamed only for how a worker ended that was working on it; a worker that
//      was killed from outside costs another try, or in the end Code::unavailable.
//
// Any thread. docs/adr/0017-parsing-in-processes.md has the reasons and the cost.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "base/log.h"
#include "base/mutex.h"
#include "syntax/limits.h"
#include "syntax/syntax.h"
#include "syntax/worker_process.h"

namespace lode {

class IsolatedSyntax final : public Syntax {
 public:
  struct Options {
    SyntaxLimits limits = {};
    std::size_t workers = 0;                 // 0: one for each processor, 2 to 8
    std::chrono::milliseconds idle{10'000};  // ended after once to twice as long
    std::string program = "/proc/self/exe";  // whose main() calls run_syntax_worker()
    std::size_t remembered = 10'000;         // texts that ended a worker
  };
  // By the text's key, what is wrong with it.
  using Harmful = std::unordered_map<std::string, std::string>;
  using Learn = std::function<void(const std::string& key, const std::string& problem)>;

  // REQUIRES: the log outlives it.
  explicit IsolatedSyntax(Log& log);
  IsolatedSyntax(Log& log, Options options);
  // Stops: see stop().
  ~IsolatedSyntax() override;

  // What earlier runs learnt, and who keeps what this one learns. REQUIRES: called once, at
  // most; what `learn` needs outlives this.
  void remember(Harmful harmful, Learn learn) LODE_EXCLUDES(mutex_);

  // Ends all workers; calls that wait return Code::cancelled, and so do all that come.
  void stop() LODE_EXCLUDES(mutex_);

  // Processes that exist at the moment.
  std::size_t workers() const LODE_EXCLUDES(mutex_);

 private:
  struct Lane {
    int priority = 0;
    bool guest = false;
    auto operator<=>(const Lane&) const = default;
  };
  struct Worker {
    WorkerProcess process;
    Lane lane;
    std::chrono::steady_clock::time_point idle_since;
  };
  using Workers = std::list<Worker>;

  Result<std::string> run(const SyntaxTask& task) const override LODE_EXCLUDES(mutex_);
  // A worker that is in busy_ now.
  Result<Workers::iterator> take(const Lane& lane) const LODE_EXCLUDES(mutex_);
  Result<Workers::iterator> start(const Lane& lane) const LODE_EXCLUDES(mutex_);
  void give_back(Workers::iterator worker, bool alive) const LODE_EXCLUDES(mutex_);
  static Lane lane_of_thread();
  std::size_t most(const Lane& lane) const;
  std::size_t count(const Lane& lane) const LODE_REQUIRES(mutex_);
  // What is known of the text, or of the text with the query.
  std::optional<std::string> find_problem(const std::string& text, const std::string& key) const
      LODE_EXCLUDES(mutex_);
  Error blame(const std::string& key, const SyntaxTask& task, const std::string& what) const
      LODE_EXCLUDES(mutex_);
  void end_idle_workers(const std::stop_token& stop) const LODE_EXCLUDES(mutex_);
  // Waits a while; those that were idle too long then.
  Workers wait_for_expired(const std::stop_token& stop) const LODE_EXCLUDES(mutex_);

  Log& log_;
  const Options options_;
  mutable Mutex mutex_;
  mutable Condition freed_;                       // a worker came back or went, or all ends
  mutable Condition started_;                     // a worker is there, or all ends
  mutable Workers idle_ LODE_GUARDED_BY(mutex_);  // the longest idle first
  mutable Workers busy_ LODE_GUARDED_BY(mutex_);
  mutable std::map<Lane, std::size_t> starting_ LODE_GUARDED_BY(mutex_);
  mutable Harmful harmful_ LODE_GUARDED_BY(mutex_);
  Learn learn_ LODE_GUARDED_BY(mutex_);
  bool stopped_ LODE_GUARDED_BY(mutex_) = false;
  mutable std::jthread janitor_ LODE_GUARDED_BY(mutex_);  // ends idle workers; begun with the first
};

}  // namespace lode
