#include "providers/capability/tool.h"

#include <utility>

namespace lode {
namespace {

std::shared_ptr<const Manifest> make_manifest() {
  Manifest manifest;
  manifest.name = "elements";
  manifest.tools = {element_manage_tool()};
  return std::make_shared<const Manifest>(std::move(manifest));
}

}  // namespace

ElementTool::ElementTool(const ElementManager& manager, const Collection& collection)
    : manager_(manager), collection_(collection), manifest_(make_manifest()) {}

Result<Outcome> ElementTool::call(const Exchange& exchange, std::string_view,
                                  const Json& arguments) {
  auto done = manager_.run(ElementGate(exchange, collection_, ElementGate::Of::tool), arguments);
  if (!done) return std::move(done).error();
  return Outcome(std::move(*done));
}

}  // namespace lode
