// What the official conformance suite expects of a server: its tools,
// resources and prompts, as a provider.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "engine/events.h"
#include "engine/provider.h"

namespace lode::fixture {

// Its prompts.
class FixturePrompts final : public Prompts {
 public:
  Result<Page<Prompt>> list(const Exchange& exchange, const ListQuery& query) override;
  std::optional<Prompt> find(std::string_view name) const override;
  Result<Outcome> get(const Exchange& exchange, std::string_view name,
                      const JsonObject& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;
};

class FixtureProvider final : public Provider, public Resources, public Tools {
 public:
  // Publishes changes when a tool is asked to. REQUIRES: events outlives it.
  explicit FixtureProvider(Events& events);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Prompts* prompts() override { return &prompts_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  Events& events_;
  FixturePrompts prompts_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode::fixture
