#include "engine/asking.h"

#include <algorithm>

#include "base/utf8.h"

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

Result<Outcome> checked(Log& log, const Member& member, Result<Outcome> outcome) {
  const auto* contents = outcome ? std::get_if<Contents>(&*outcome) : nullptr;
  if (contents == nullptr) return outcome;
  const auto broken = [](const Content& item) {
    return item.form == Content::Form::text && !valid_utf8(item.bytes);
  };
  if (std::none_of(contents->items.begin(), contents->items.end(), broken)) return outcome;
  log.error("provider gave text that is not UTF-8", {{"provider", member.name()}});
  return internal(fmt::format("the provider {} failed", member.name()));
}

void add_contents(Access& access, const std::shared_ptr<const Cached>& contents) {
  access.contents = contents;
  const auto& items = contents->contents().items;
  if (!items.empty()) access.version = items.front().version;
  for (const auto& item : items) access.bytes += item.bytes.size();
}

void Engine::Asking::tell() const {
  Access access{exchange_.who, action_, address_.empty() ? subject_ : address_, verdict_};
  if (contents_) add_contents(access, contents_);
  access.took = std::chrono::steady_clock::now() - began_;
  access.trace = exchange_.trace;
  access.asked = gate_.asked();
  access.refused = gate_.refused();
  log_(access);
}

}  // namespace lode
