#include "engine/provider_wall.h"

#include <chrono>

namespace lode {
namespace {

constexpr std::chrono::milliseconds kBusyRetry{1000};

}  // namespace

ProviderCall::ProviderCall(const Member& member, const Principal& who)
    : member_(member), guest_(who.guest()), admitted_(count()) {}

ProviderCall::~ProviderCall() {
  --member_.provider->calls_;
  if (guest_) --member_.provider->guest_calls_;
}

bool ProviderCall::count() const {
  Provider& provider = *member_.provider;
  const std::size_t limit = member_.manifest->calls_at_once;
  const bool crowded = guest_ && ++provider.guest_calls_ > limit - limit / 4;
  return (++provider.calls_ <= limit && !crowded) || limit == 0;
}

Error ProviderCall::busy() const {
  return {Code::unavailable,
          fmt::format("the provider {} is busy with {} calls; try again later", member_.name(),
                      member_.manifest->calls_at_once),
          kBusyRetry};
}

}  // namespace lode
