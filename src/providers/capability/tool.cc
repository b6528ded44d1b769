#include "providers/capability/tool.h"

#include <utility>

namespace lode {
namespace {

Manifest make_manifest() {
  Manifest manifest;
  manifest.name = "elements";
  manifest.tools = {element_manage_tool()};
  return manifest;
}

}  // namespace

ElementTool::ElementTool(const ElementManager& manager, Permits permits)
    : manager_(manager), permits_(std::move(permits)), manifest_(make_manifest()) {}

Result<Page<Entry>> ElementTool::list(const Exchange&, const ListQuery&) { return Page<Entry>{}; }

Result<Outcome> ElementTool::read(const Exchange&, const Uri&) {
  return not_found("no such resource");
}

Result<Outcome> ElementTool::invoke(const Exchange& exchange, const Uri&, const Json& arguments) {
  const ElementGate gate(
      [&](Action action, const Uri& address) { return permits_(exchange.who, action, address); });
  auto done = manager_.run(gate, arguments);
  if (!done) return std::move(done).error();
  return Outcome(std::move(*done));
}

}  // namespace lode
