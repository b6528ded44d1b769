#include "providers/capability/element_news.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "providers/capability/pages.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_manifests.h"

namespace lode {
namespace {

using Names = SkillNames::Snapshot;

// Of more elements at once, as of a first look at a large collection, one change
// is told that concerns them all.
constexpr std::size_t kToldSingly = 1000;

struct Addresses {
  std::set<std::string> resources;
  std::set<std::string> trees;  // with all below
};

// Skills that came, went, or are elsewhere now.
void add_moved(const Names& before, const Names& now, Addresses& out) {
  const auto is_in = [](const Names& names, const SkillSpot& spot) {
    const auto found = names.spots.find(spot.name);
    return found != names.spots.end() && found->second.source == spot.source &&
           found->second.file == spot.file;
  };
  for (const auto& [name, spot] : before.spots) {
    if (!is_in(now, spot)) out.trees.insert(skill_address(name, ""));
  }
  for (const auto& [name, spot] : now.spots) {
    if (!is_in(before, spot)) out.trees.insert(skill_address(name, ""));
  }
}

// A SKILL.md that is another now.
void add_sheets(const std::set<Collection::Key>& elements, const Names& now, Addresses& out) {
  for (const auto& [name, spot] : now.spots) {
    if (elements.contains({ElementType::skill, spot.id})) {
      out.resources.insert(skill_address(name, SkillFolder::kSheet));
    }
  }
}

// The folders of the skills in one of the collection's.
class SkillPaths {
 public:
  SkillPaths(const Names& names, std::size_t source) {
    for (const auto& [name, spot] : names.spots) {
      if (spot.source == source && !spot.alone) folders_.emplace(spot.folder, name);
    }
  }

  void add(const Changes& changes, Addresses& out) const {
    if (changes.everything || changes.root_gone) add_below("", out);
    for (const auto& tree : changes.trees) {
      add_below(tree, out);
      if (auto address = address_of(tree)) out.trees.insert(std::move(*address));
    }
    for (const auto* paths : {&changes.paths, &changes.listings}) {
      for (const auto& path : *paths) {
        if (auto address = address_of(path)) out.resources.insert(std::move(*address));
      }
    }
  }

 private:
  void add_below(std::string_view directory, Addresses& out) const {
    for (const auto& [folder, name] : folders_) {
      if (is_within(folder, directory)) out.trees.insert(skill_address(name, ""));
    }
  }

  // Nothing: it is no skill's.
  std::optional<std::string> address_of(std::string_view path) const {
    for (auto end = path.size();; end = path.rfind('/', end - 1)) {
      if (end == std::string_view::npos || end == 0) return std::nullopt;
      const auto found = folders_.find(path.substr(0, end));
      if (found == folders_.end()) continue;
      return skill_address(found->second, path.substr(std::min(end + 1, path.size())));
    }
  }

  std::map<std::string, std::string, std::less<>> folders_;  // to the name in addresses
};

}  // namespace

void ElementNews::publish_skills(const Collection::News& news) {
  const auto now = names_.now();
  Addresses changed;
  {
    const Lock lock(mutex_);
    const auto before = std::exchange(before_, now);
    add_moved(before ? *before : Names(), *now, changed);
  }
  add_sheets(news.elements, *now, changed);
  for (const auto& [source, changes] : news.files) SkillPaths(*now, source).add(changes, changed);
  for (const auto& tree : changed.trees) events_.publish({Change::Kind::tree, tree});
  for (const auto& uri : changed.resources) events_.publish({Change::Kind::resource, uri});
}

void ElementNews::publish(const Collection::News& news) {
  publish_skills(news);
  bool prompts = false;
  bool skills = false;
  const bool many = news.elements.size() > kToldSingly;
  if (many) events_.publish({Change::Kind::tree, "capability-index://elements"});
  for (const auto& [type, id] : news.elements) {
    Element element;
    element.type = type;
    element.id = id;
    if (!many) events_.publish({Change::Kind::resource, element.uri()});
    prompts |= type == ElementType::persona || type == ElementType::template_;
    skills |= type == ElementType::skill;
  }
  for (const auto page : CapabilityPages::kAddresses) {
    events_.publish({Change::Kind::resource, std::string(page)});
  }
  if (prompts) events_.publish({Change::Kind::prompt_list});
  if (skills) events_.publish({Change::Kind::resource_list});
}

}  // namespace lode
