// The tool element_manage, and nothing else: it is there with and without
// resources.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/provider.h"
#include "providers/capability/manage.h"
#include "providers/capability/skill_names.h"

namespace lode {

class ElementTool final : public Provider, public Tools {
 public:
  // with_resources: elements can be read at their addresses. REQUIRES: both outlive it.
  ElementTool(const ElementManager& manager, Collection& collection, bool with_resources);

  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Tools* tools() override { return this; }
  std::vector<std::string> shown_at(std::string_view path) const override;
  Result<Outcome> call(const Exchange& exchange, std::string_view tool,
                       const Json& arguments) override;

 private:
  const ElementManager& manager_;
  Collection& collection_;
  const SkillNames skills_;
  const ElementGate::Of of_;
  const std::shared_ptr<const Manifest> manifest_;
};

}  // namespace lode
