// The tool element_manage, and nothing else: it is there with and without
// resources.
#pragma once

#include <memory>
#include <string_view>

#include "engine/provider.h"
#include "providers/capability/manage.h"

namespace lode {

class ElementTool final : public Provider, public Tools {
 public:
  // REQUIRES: both outlive it.
  ElementTool(const ElementManager& manager, const Collection& collection);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const ElementManager& manager_;
  const Collection& collection_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
