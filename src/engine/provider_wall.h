// How the engine calls a provider.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "base/log.h"
#include "engine/catalog.h"

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

}  // namespace lode
