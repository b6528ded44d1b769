// Resources as a tool, for clients whose model sees only tools: resource_read
// reads any address that the caller may read.
#pragma once

#include "engine/engine.h"
#include "engine/provider.h"

namespace lode {

class MirrorProvider final : public Provider {
 public:
  // REQUIRES: the engine outlives the provider.
  explicit MirrorProvider(const Engine& engine);

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  const Engine& engine_;
  const Manifest manifest_;
};

}  // namespace lode
