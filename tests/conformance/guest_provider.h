// Providers that come and go, for the tests of the catalog.
//
// The tool test_guests adds, changes and removes a provider called "guest" as often as
// it is told to: guest://{id}, the tool guest_call, the prompt guest_prompt. The
// provider "raw" stays: every address that begins with raw://box/ answers with itself,
// and it owns ui://panel/Main#top and, of a scheme that is not its own, ui://panel/{id}.
#pragma once

#include <memory>
#include <string_view>

#include "engine/catalog.h"
#include "engine/provider.h"

namespace lode::fixture {

class GuestHost final : public Provider, public Tools {
 public:
  // REQUIRES: the catalog outlives it.
  explicit GuestHost(CatalogSource& catalog);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  CatalogSource& catalog_;
  const std::shared_ptr<const Manifest> manifest_;
};

class RawProvider final : public Provider, public Resources {
 public:
  RawProvider();

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;

 private:
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode::fixture
