#include "providers/capability/skill_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/uri.h"
#include "providers/capability/skill_text.h"

namespace lode {
namespace {

constexpr std::string_view kSheet = "/SKILL.md";

std::string name_of(const Element& element) {
  if (is_skill_name(element.name)) return element.name;
  std::string name = skill_name(element.name);
  if (name.empty()) name = skill_name(element.id);
  // Not one letter that an address could have: any name that lasts.
  return name.empty() ? "skill-" + content_hash(element.file).substr(0, 8) : name;
}

SkillSpot spot_of(const Element& element) {
  SkillSpot spot;
  spot.name = name_of(element);
  spot.title = element.name;
  spot.id = element.id;
  spot.file = element.file;
  spot.folder = element.file.substr(0, element.file.rfind('/'));
  // A SKILL.md among the files of all skills does not make them one.
  const bool own_folder = element.foreign || spot.folder.find('/') != std::string::npos;
  spot.alone = !own_folder || !element.file.ends_with(kSheet);
  spot.source = element.folder;
  return spot;
}

bool counts_before(const SkillSpot& a, const SkillSpot& b) {
  return std::tie(a.source, a.file) < std::tie(b.source, b.file);
}

}  // namespace

std::string skill_address(std::string_view name, std::string_view path) {
  std::string out = fmt::format("skill://{}", name);
  if (!path.empty()) out.append("/").append(encode_path(path));
  return out;
}

std::vector<std::string> skill_sheets_of(const Element& element) {
  if (element.type != ElementType::skill) return {};
  return {skill_address(name_of(element), kSheet.substr(1))};
}

std::string SkillSpot::element_uri() const {
  Element element;
  element.type = ElementType::skill;
  element.id = id;
  return element.uri();
}

std::shared_ptr<const SkillNames::Snapshot> SkillNames::now() const {
  const Lock lock(mutex_);
  const auto generation = collection_.generation(ElementType::skill);
  if (snapshot_ && snapshot_->generation == generation) return snapshot_;

  std::vector<SkillSpot> found;
  collection_.each(ElementType::skill, "", [&](const Element& element) {
    found.push_back(spot_of(element));
    return true;
  });
  std::sort(found.begin(), found.end(), counts_before);
  auto made = std::make_shared<Snapshot>();
  made->generation = generation;
  for (auto& spot : found) {
    const auto [at, added] = made->spots.try_emplace(spot.name, spot);
    if (added) continue;
    made->problems.push_back(
        {collection_.shown({spot.source, spot.file}), 1,
         fmt::format("the skill's name in addresses, \"{}\", is also that of {}, which counts",
                     spot.name, collection_.shown({at->second.source, at->second.file})),
         spot.element_uri()});
  }
  snapshot_ = std::move(made);
  return snapshot_;
}

}  // namespace lode
