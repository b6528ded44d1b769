// One request of one client, from the moment its envelope was accepted to its
// answer.
//
// A Call is shared between the transport that may cancel it, the worker that
// runs it and the clock that may end it; whoever answers first wins, the others
// do nothing. What is public and not const is set before the call is
// dispatched, and answers are replaced only between two runs.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/memory_budget.h"
#include "base/mutex.h"
#include "engine/cached.h"
#include "engine/exchange.h"
#include "protocol/jsonrpc.h"
#include "protocol/revision.h"
#include "server/token_ledger.h"
#include "transport/http_server.h"
#include "transport/reply.h"

namespace lode {

struct Method;
class Session;

class Call final : public Progress {
 public:
  static constexpr std::size_t kAlwaysAnswered = 4096;  // bytes
  static constexpr std::chrono::milliseconds kBusyRetry{250};

  Call(std::shared_ptr<const JsonDocument> document, Message message, Revision revision,
       Principal who, std::shared_ptr<Outlet> outlet);

  // What was asked.
  const Message& message() const { return message_; }
  JsonView params() const { return message_.params; }
  Revision revision() const { return revision_; }

  // Filled in by the edge that received it.
  const Method* method = nullptr;  // if the edge had to know it
  std::string trace;               // the client's trace id; empty: it gave none
  ClientAbilities abilities;
  Answers answers;
  std::optional<Severity> log_from;      // the least severe message the client wants
  std::string progress_token;            // JSON text; empty: no reports wanted
  std::shared_ptr<Session> session;      // legacy only
  std::optional<HttpHeaders> headers;    // modern HTTP only: the Mcp-Param-* of the request
  std::function<void()> before_answer;   // runs once, just before the answer is sent, if one is
  std::function<void(Call&)> on_answer;  // runs once, just after the answer
  std::chrono::steady_clock::time_point deadline;
  const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  int rounds = 0;  // how often the client was asked for input
  // Counts the answer from now until it is written; null: nobody counts.
  MemoryShare* memory = nullptr;
  MemoryCharge working;  // of what the run holds, while it does
  // What the answer costs a model; set with the result, asked after it was sent. Of a
  // reading: its contents, which are counted some time later.
  std::function<TokensServed()> count_tokens;  // without the method
  std::shared_ptr<const Cached> contents;

  // Lets go of what was asked, except the id: a subscription lasts for hours and
  // has no more use for it. REQUIRES: nobody else looks at method or params.
  void forget_request();

  // The request as a provider sees it; valid as long as this call.
  Exchange exchange();
  const Principal& who() const { return who_; }

  // Fails as busy() if memory is short, unless the answer is too small to matter:
  // what was done should be heard of.
  void result(Payload json);
  void busy();
  static Error busy_error();
  void fail(const WireError& error);
  // The client gave up: work stops, and no answer is sent.
  void cancel();
  bool answered() const { return reply_.answered(); }
  // The code of the error that was answered; 0: a result, or none.
  int error_code() const { return error_code_; }

  // A message to the client before the answer; dropped after it.
  void send(std::string message) { reply_.send(std::move(message)); }
  // Runs once if the client goes away before the answer.
  void on_close(std::function<void()> gone) { reply_.outlet().on_close(std::move(gone)); }

  // Progress.
  void report(double done, std::optional<double> total, std::string_view message) override;
  void log(Severity severity, std::string_view logger, const Json& data) override;
  void release() override;

 private:
  void answered(bool by_this_call);
  std::string lost_text() const;

  std::shared_ptr<const JsonDocument> document_;  // message_ points into it
  Message message_;
  const Revision revision_;
  const Principal who_;
  Reply reply_;
  std::stop_source stop_;
  std::atomic<int> error_code_{0};
  Mutex mutex_;
  std::optional<double> reported_ LODE_GUARDED_BY(mutex_);
};

// What a client's capabilities object says, in any revision.
ClientAbilities read_abilities(JsonView capabilities);

}  // namespace lode
