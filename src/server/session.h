// A legacy client's session: what its requests leave unsaid.
//
// Modern requests carry everything themselves; a legacy client says it once, in
// `initialize`, and is known by its pipe or by a session id afterwards. The
// session holds the negotiated revision, the client's abilities, its
// subscriptions, the requests under way in both directions, and its streams.
// Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/mutex.h"
#include "engine/content.h"
#include "engine/exchange.h"
#include "protocol/jsonrpc.h"
#include "server/in_flight.h"
#include "server/listeners.h"
#include "server/stream.h"

namespace lode {

class Call;

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Answered = std::function<void(std::variant<Answers, WireError>)>;

  // memory: counts what its streams keep; null: nobody counts.
  Session(std::string session_id, Revision negotiated, ClientAbilities can, Principal who,
          MemoryShare* memory);

  const std::string id;  // empty on a pipe
  const Revision revision;
  const ClientAbilities abilities;
  const Principal owner;
  InFlight in_flight;

  std::optional<Severity> log_level() LODE_EXCLUDES(mutex_);
  void log_level(Severity least) LODE_EXCLUDES(mutex_);

  // Asks the client everything in needs, on the call's own stream; answered
  // runs once, on the thread that brings the last response. Not at all if the
  // call is cancelled before.
  void ask(const std::shared_ptr<Call>& call, const NeedsInput& needs, Answered answered)
      LODE_EXCLUDES(mutex_);
  // A response of the client to something we asked; unknown ones are ignored.
  void respond(const Message& response) LODE_EXCLUDES(mutex_);

  // Where notifications go that belong to no request. On HTTP that is a stream
  // the client opens with GET; until then they wait there.
  void notify(std::string message) { own_stream_->send({std::move(message), "", {}}); }
  void own_stream(std::shared_ptr<Outlet> stream) { own_stream_ = std::move(stream); }

  // HTTP: a new stream for one request, and the stream that an event id names.
  std::shared_ptr<Stream> open_stream() LODE_EXCLUDES(mutex_);
  std::shared_ptr<Stream> find_stream(std::uint64_t number) LODE_EXCLUDES(mutex_);
  // HTTP: the stream for notifications that belong to no request.
  std::shared_ptr<Stream> standing_stream() const { return standing_; }

  void touch(std::chrono::steady_clock::time_point now) LODE_EXCLUDES(mutex_);
  std::chrono::steady_clock::time_point used() LODE_EXCLUDES(mutex_);

  // The client has said that it is ready.
  std::atomic<bool> ready{false};
  // Its entry among the listeners, given by the server; 0: none yet.
  std::atomic<Listeners::Id> listener{0};

  // Gives up the questions that the client has not answered; their requests
  // are answered as lost.
  void stop_asking() LODE_EXCLUDES(mutex_);
  // Cancels what is under way and ends its streams.
  void close() LODE_EXCLUDES(mutex_);

 private:
  // Questions asked together, for one call.
  struct Asked {
    std::weak_ptr<Call> call;
    Answers answers;
    std::size_t open = 0;
    Answered answered;
  };
  struct Waiting {
    std::shared_ptr<Asked> asked;
    std::string key;
  };

  std::string params_for(const Question& question) const;
  static bool over(const Asked& asked);  // its call has been answered

  MemoryShare* const memory_;
  std::shared_ptr<Stream> standing_;
  std::shared_ptr<Outlet> own_stream_;
  Mutex mutex_;
  std::optional<Severity> log_level_ LODE_GUARDED_BY(mutex_);
  std::map<std::string, Waiting, std::less<>> waiting_ LODE_GUARDED_BY(mutex_);  // by id as text
  std::uint64_t next_request_ LODE_GUARDED_BY(mutex_) = 1;
  std::map<std::uint64_t, std::shared_ptr<Stream>> streams_ LODE_GUARDED_BY(mutex_);
  std::uint64_t next_stream_ LODE_GUARDED_BY(mutex_) = 1;
  std::chrono::steady_clock::time_point used_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
