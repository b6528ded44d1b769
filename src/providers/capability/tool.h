// The tool element_manage, and nothing else: it is there with and without
// resources.
#pragma once

#include <functional>

#include "engine/provider.h"
#include "providers/capability/manage.h"

namespace lode {

class ElementTool final : public Provider {
 public:
  // The policy: whether someone may do this with an address.
  using Permits = std::function<bool(const Principal& who, Action action, const Uri& address)>;

  // REQUIRES: the manager outlives it, and so does what permits refers to.
  ElementTool(const ElementManager& manager, Permits permits);

  const Manifest& manifest() const override { return manifest_; }
  Result<Page<Entry>> list(const Exchange& exchange, const ListQuery& query) override;
  Result<Outcome> read(const Exchange& exchange, const Uri& uri) override;
  Result<Outcome> invoke(const Exchange& exchange, const Uri& uri, const Json& arguments) override;

 private:
  const ElementManager& manager_;
  const Permits permits_;
  const Manifest manifest_;
};

}  // namespace lode
