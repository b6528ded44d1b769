#include "engine/provider.h"

#include <fmt/format.h>

#include <cassert>
#include <chrono>

namespace lode {
namespace {

constexpr std::chrono::milliseconds kBusyRetry{1000};

Uri named(std::string_view kind, std::string_view name) {
  auto uri = Uri::parse("lode://" + std::string(kind) + "/" + encode_component(name));
  assert(uri.ok());
  return std::move(uri).value();
}

}  // namespace

Uri tool_uri(std::string_view name) { return named("tools", name); }
Uri prompt_uri(std::string_view name) { return named("prompts", name); }

std::string name_of(const Uri& uri) {
  auto segments = uri.segments();
  return segments.empty() ? std::string() : std::move(segments.back());
}

Result<Outcome> Provider::invoke(const Exchange&, const Uri& uri, const Json&) {
  return not_found("nothing to call at " + std::string(uri.text()));
}

Result<Completions> Provider::complete(const Exchange&, const CompletionQuery&) {
  return Completions{};
}

std::uint64_t Provider::stamp(const Uri&) const { return 0; }

std::optional<std::string> Provider::local_path(const Uri&) const { return std::nullopt; }

void Provider::watch(const Uri&, bool) {}

ProviderCall::ProviderCall(Provider& provider)
    : provider_(provider),
      admitted_(++provider.calls_ <= provider.manifest().calls_at_once ||
                provider.manifest().calls_at_once == 0) {}

Error ProviderCall::busy() const {
  return {Code::unavailable,
          fmt::format("the provider {} is busy with {} calls; try again later",
                      provider_.manifest().name, provider_.manifest().calls_at_once),
          kBusyRetry};
}

}  // namespace lode
