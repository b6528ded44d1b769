#include "providers/capability/tool.h"

#include <utility>

#include "providers/capability/skill_manifests.h"
#include "workspace/changes.h"

namespace lode {
namespace {

std::shared_ptr<const Manifest> make_manifest() {
  Manifest manifest;
  manifest.name = "elements";
  manifest.tools = {element_manage_tool()};
  manifest.shows_files_at = {"capability-index://elements/", "skill://"};
  return std::make_shared<const Manifest>(std::move(manifest));
}

}  // namespace

ElementTool::ElementTool(const ElementManager& manager, Collection& collection, bool with_resources)
    : manager_(manager),
      collection_(collection),
      skills_(collection),
      of_(with_resources ? ElementGate::Of::tool : ElementGate::Of::tool_alone),
      manifest_(make_manifest()) {}

Result<Outcome> ElementTool::call(const Exchange& exchange, std::string_view,
                                  const Json& arguments) {
  auto done = manager_.run(ElementGate(exchange, collection_, of_), arguments);
  if (!done) return std::move(done).error();
  return Outcome(std::move(*done));
}

// The element that a file is, and what a skill has at the path.
std::vector<std::string> ElementTool::shown_at(std::string_view path) const {
  std::vector<std::string> out;
  const auto place = collection_.place_of(path);
  if (!place) return out;
  collection_.look_again(*place);
  if (auto address = collection_.address_at(*place)) out.push_back(std::move(*address));
  const auto names = skills_.now();
  for (const auto& [name, spot] : names->spots) {
    if (spot.source != place->tree) continue;
    if (spot.file == place->path) {
      out.push_back(skill_address(name, SkillFolder::kSheet));
    } else if (!spot.alone && is_within(place->path, spot.folder)) {
      const auto rest = std::string_view(place->path).substr(spot.folder.size());
      out.push_back(skill_address(name, rest.empty() ? rest : rest.substr(1)));
    }
  }
  return out;
}

}  // namespace lode
