// How the engine calls a provider.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "base/log.h"
#include "engine/provider.h"

namespace lode {

// The wall around a provider: whatever it throws becomes one error, and the
// log, not the client, hears what it was.
template <class F>
auto walled(Log& log, const Provider& provider, F&& work) -> decltype(work()) {
  std::string what = "unknown exception";
  try {
    return work();
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
  }
  const auto& name = provider.manifest().name;
  log.error("provider threw", {{"provider", name}, {"what", what}});
  return internal(fmt::format("the provider {} failed", name));
}

// The same, for a call that the provider may be too busy for.
template <class F>
auto guarded(Log& log, Provider& provider, const Principal& who, F&& work) -> decltype(work()) {
  const ProviderCall call(provider, who);
  if (!call.admitted()) return call.busy();
  return walled(log, provider, std::forward<F>(work));
}

}  // namespace lode
