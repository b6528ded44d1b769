// What the official conformance suite expects of a server: its tools,
// resources and prompts, as a provider.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/events.h"
#include "engine/provider.h"

namespace lode::fixture {

// Calls of tools and prompts that go on.
class Running {
 public:
  template <class F>
  auto during(F&& work) {
    ++count_;
    auto outcome = work();
    --count_;
    count_.notify_all();
    return outcome;
  }
  void wait_for_none() const {
    while (const int count = count_) count_.wait(count);
  }

 private:
  std::atomic<int> count_{0};
};

// Its prompts.
class FixturePrompts final : public Prompts {
 public:
  explicit FixturePrompts(Running& running) : running_(running) {}

  Result<Page<Prompt>> list(const Exchange& exchange, const ListQuery& query) override;
  std::optional<Prompt> find(std::string_view name) const override;
  Result<Outcome> get(const Exchange& exchange, std::string_view name,
                      const JsonObject& arguments) override;
  Result<Completions> complete(const Exchange& exchange, const CompletionQuery& query) override;

 private:
  Running& running_;
};

// test://idle, which no list names, is answered when no tool or prompt runs: what these
// had to say comes before it.
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
  Manifest make_manifest();

  Events& events_;
  Running running_;
  FixturePrompts prompts_{running_};
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode::fixture
