// One request, as a provider sees it.
//
// An Exchange lives as long as the call it is passed to and is never stored.
// It carries no session, no revision of the protocol and no transport: what
// differs between those was settled before the engine was asked.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/principal.h"
#include "base/uri.h"
#include "engine/gate.h"

namespace lode {

// Severity of a message for the client's user (RFC 5424's names).
enum class Severity { debug, info, notice, warning, error, critical, alert, emergency };

// How a provider speaks to the client while it works. Every call is cheap and
// does nothing when the client did not ask for it. Any thread.
class Progress {
 public:
  virtual ~Progress() = default;

  // done must grow with each call; a value that does not is dropped.
  virtual void report(double done, std::optional<double> total, std::string_view message) = 0;
  virtual void log(Severity severity, std::string_view logger, const Json& data) = 0;
  // The work will take long: a client that can come back for the answer may be
  // let go until then. No effect where the transport has no such thing.
  virtual void release() = 0;
};

// Nobody listens.
class NoProgress final : public Progress {
 public:
  void report(double, std::optional<double>, std::string_view) override {}
  void log(Severity, std::string_view, const Json&) override {}
  void release() override {}
};

// What the client said it can do when asked for input.
struct ClientAbilities {
  bool elicit_form = false;
  bool elicit_url = false;
  bool sample = false;
  bool sample_with_tools = false;
  bool list_roots = false;
};

// What the client answered when the provider asked for input (see NeedsInput).
// Empty when the request comes for the first time. The answers are the
// client's: check them. The state is our own and has been verified.
struct Answers {
  JsonObject responses;  // by the key of the question
  std::string state;

  // The form that the user filled in and accepted, or null: no such answer,
  // declined, or not of the right shape.
  const JsonObject* accepted(std::string_view key) const;
  // The answer if it is an object, or null.
  const JsonObject* object(std::string_view key) const;
};

struct Exchange {
  const Principal& who;
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;  // requested when the client gave up or the deadline passed
  Progress& progress;
  const ClientAbilities& client;
  const Answers& answers;
  // Null until the engine passes the exchange on: nothing may be done then.
  const Gate* gate = nullptr;
  // Readings of Manifest::named_only: the exposure list or a rule of the policy
  // names the address, so that what is shown to nobody by chance may be shown.
  bool named = false;
  std::string_view trace{};  // the client's trace id; empty: it gave none

  // Whether the caller may do this with an address beside the one asked for. The
  // only way to ask; see Gate.
  bool may(Action action, const Uri& uri) const {
    return gate != nullptr && gate->may(who, action, uri);
  }
  bool may(Action action, const Uri& uri, const FileBehind& file) const {
    return gate != nullptr && gate->may(who, action, uri, file);
  }
  // What is no address is for nobody.
  bool may(Action action, std::string_view address) const;
  bool may(Action action, std::string_view address, const FileBehind& file) const;
  // Whether an address may be named in an answer: it is exposed, and the caller may do
  // this with it.
  bool offers(Action action, const Uri& uri) const { return exposes(uri) && may(action, uri); }
  bool offers(Action action, const Uri& uri, const FileBehind& file) const {
    return exposes(uri) && may(action, uri, file);
  }
  // Whether an address, in its one spelling, is offered to anybody at all.
  bool exposes(const Uri& uri) const { return gate != nullptr && gate->exposes(uri); }
  bool offers_some(std::string_view uri_template) const {
    return gate != nullptr && gate->offers_some(who, uri_template);
  }
  bool offers_all(Action action, std::string_view begin, std::string_view directory) const {
    return gate != nullptr && gate->may_all(who, action, begin, directory);
  }
  // Whether a rule refuses a file or directory, whatever others allow; real: there are no
  // links in its path.
  bool refuses(Action action, std::string_view path, bool real = false) const {
    return gate == nullptr || gate->refuses(who, action, path, real);
  }
  // Whether a file is to be in no answer: it must not be listed, or not be read.
  bool hides(std::string_view path, bool real = false) const {
    return refuses(Action::list, path, real) || refuses(Action::read, path, real);
  }
};

}  // namespace lode
