// One request of the engine, and how it calls a provider. For the engine's own sources.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "engine/access.h"
#include "engine/catalog.h"
#include "engine/engine.h"

namespace lode {

// A call of a provider that goes on, counted against Manifest::calls_at_once. Of
// those, guests may hold three quarters.
class ProviderCall {
 public:
  ProviderCall(const Member& member, const Principal& who);
  ~ProviderCall();
  ProviderCall(const ProviderCall&) = delete;
  ProviderCall& operator=(const ProviderCall&) = delete;

  // False: there are too many, and the provider must not be called.
  bool admitted() const { return admitted_; }
  // The answer then.
  Error busy() const;

 private:
  bool count() const;

  const Member& member_;
  const bool guest_;
  const bool admitted_;
};

// The wall around a provider: whatever it throws becomes one error, and the
// log, not the client, hears what it was.
template <class F>
auto walled(Log& log, const Member& member, F&& work) -> decltype(work()) {
  std::string what = "unknown exception";
  try {
    return work();
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
  }
  log.error("provider threw", {{"provider", member.name()}, {"what", what}});
  return internal(fmt::format("the provider {} failed", member.name()));
}

// The same, for a call that the provider may be too busy for.
template <class F>
auto guarded(Log& log, const Member& member, const Principal& who, F&& work) -> decltype(work()) {
  const ProviderCall call(member, who);
  if (!call.admitted()) return call.busy();
  return walled(log, member, std::forward<F>(work));
}

// What a provider answered, unless it is broken. Text that is none would spoil the whole message
// that it stands in.
Result<Outcome> checked(Log& log, const Member& member, Result<Outcome> outcome);

// Puts what was read into its record.
void add_contents(Access& access, const std::shared_ptr<const Cached>& contents);

// The request: its gate, the exchange that providers see, and the record of it, which is
// told when it ends.
class Engine::Asking {
 public:
  // subject: an address, or the name of a list; valid as long as this.
  Asking(const Engine& engine, const Exchange& asked, Action action, std::string_view subject)
      : log_(engine.access_),
        gate_(engine.admission()),
        exchange_(asked),
        action_(action),
        subject_(subject) {
    exchange_.gate = &gate_;
  }
  ~Asking() {
    if (log_) tell();
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  const Admission& gate() const { return gate_; }
  const Catalog& catalog() const { return gate_.catalog(); }
  const Exchange& exchange() const { return exchange_; }
  const Principal& who() const { return exchange_.who; }

  // The address that the request turned out to be about.
  void about(const Uri& uri) { address_ = uri.text(); }
  void read(std::shared_ptr<const Cached> contents) {
    contents_ = std::move(contents);
    verdict_ = Access::Verdict::allowed;
  }
  // What became of it. A refusal looks to the caller as if nothing were there, so
  // what is not there is recorded as refused too.
  template <class T>
  Result<T> done(Result<T> result) {
    if (result) {
      verdict_ = Access::Verdict::allowed;
    } else {
      const Code code = result.error().code;
      verdict_ = code == Code::denied || code == Code::not_found ? Access::Verdict::refused
                                                                 : Access::Verdict::failed;
    }
    return result;
  }

 private:
  void tell() const;

  const AccessLog& log_;
  const Admission gate_;
  Exchange exchange_;
  const Action action_;
  const std::string_view subject_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::string address_;
  std::shared_ptr<const Cached> contents_;
  Access::Verdict verdict_ = Access::Verdict::failed;
};

}  // namespace lode
