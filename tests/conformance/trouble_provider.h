// A provider that breaks every promise: trouble://hang never answers,
// trouble://throw throws, trouble://rubbish gives text that is none, and
// trouble://slow takes as long as the client waits, but stops when asked to.
#pragma once

#include <memory>
#include <string_view>

#include "engine/provider.h"

namespace lode::fixture {

class TroubleProvider final : public Provider, public Resources, public Tools {
 public:
  TroubleProvider();

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Tools* tools() override { return this; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  // The tool test_trouble: the same, by name.
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode::fixture
