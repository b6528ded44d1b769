// What the official conformance suite expects of a server: its tools,
// resources and prompts, as a provider.
#pragma once

#include "engine/events.h"
#include "engine/provider.h"

namespace lode::fixture {

class FixtureProvider final : public Provider {
 public:
  // Publishes changes when a tool is asked to. REQUIRES: events outlives it.
  explicit FixtureProvider(Events& events);

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  Events& events_;
  const Manifest manifest_;
};

}  // namespace lode::fixture
