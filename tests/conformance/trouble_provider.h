// A provider that breaks every promise: trouble://hang never answers,
// trouble://throw throws, trouble://rubbish gives text that is none, and
// trouble://slow takes as long as the client waits, but stops when asked to.
#pragma once

#include "engine/provider.h"

namespace lode::fixture {

class TroubleProvider final : public Provider {
 public:
  TroubleProvider();

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  // The tool test_trouble: the same, by name.
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  const Manifest manifest_;
};

}  // namespace lode::fixture
