#include "providers/capability/element_news.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "providers/capability/element_prompts.h"
#include "providers/capability/pages.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_manifests.h"

namespace lode {
namespace {

using Names = SkillNames::Snapshot;
using Causes = std::vector<Cause>;

// Of more elements at once, as of a first look at a large collection, one change
// is told that concerns them all, and told to anybody.
constexpr std::size_t kToldSingly = 1000;

struct Addresses {
  std::map<std::string, Causes> resources;
  std::map<std::string, Causes> trees;  // with all below
  Causes sheets;                        // of the list of skills
};

Cause cause_of(std::string address, std::string path) {
  return {std::move(address), {std::move(path), false}};
}

void append(const Causes& more, Causes& out) { out.insert(out.end(), more.begin(), more.end()); }

// Skills that came, went, or are elsewhere now.
void add_moved(const Collection& collection, const Names& before, const Names& now,
               Addresses& out) {
  const auto is_in = [](const Names& names, const SkillSpot& spot) {
    const auto found = names.spots.find(spot.name);
    return found != names.spots.end() && found->second.source == spot.source &&
           found->second.file == spot.file;
  };
  const auto add = [&](const SkillSpot& spot) {
    auto cause = cause_of(skill_address(spot.name, SkillFolder::kSheet),
                          collection.path_of(FilePlace{spot.source, spot.file}));
    out.sheets.push_back(cause);
    out.trees[skill_address(spot.name, "")].push_back(std::move(cause));
  };
  for (const auto& [name, spot] : before.spots) {
    if (!is_in(now, spot)) add(spot);
  }
  for (const auto& [name, spot] : now.spots) {
    if (!is_in(before, spot)) add(spot);
  }
}

// A SKILL.md that is another now.
void add_sheets(const Collection::News& news, const Names& now, Addresses& out) {
  for (const auto& [name, spot] : now.spots) {
    const auto changed = news.elements.find({ElementType::skill, spot.id});
    if (changed == news.elements.end()) continue;
    const auto address = skill_address(name, SkillFolder::kSheet);
    auto& causes = out.resources[address];
    for (const auto& path : changed->second) causes.push_back(cause_of(address, path));
    append(causes, out.sheets);
  }
}

// The folders of the skills in one of the collection's.
class SkillPaths {
 public:
  SkillPaths(const Collection& collection, const Names& names, std::size_t source)
      : collection_(collection), source_(source) {
    for (const auto& [name, spot] : names.spots) {
      if (spot.source == source && !spot.alone) folders_.emplace(spot.folder, name);
    }
  }

  void add(const Changes& changes, Addresses& out) const {
    if (changes.everything || changes.root_gone) add_below("", out);
    for (const auto& tree : changes.trees) {
      add_below(tree, out);
      if (const auto address = address_of(tree)) out.trees[*address].push_back(cause(tree));
    }
    for (const auto& path : changes.paths) {
      if (const auto address = address_of(path)) out.resources[*address].push_back(cause(path));
    }
    const ChangedNames names(changes);
    for (const auto& listing : changes.listings) {
      const auto address = address_of(listing);
      if (!address) continue;
      for (const auto& entry : names.in(listing)) out.resources[*address].push_back(cause(entry));
    }
  }

 private:
  void add_below(std::string_view directory, Addresses& out) const {
    for (const auto& [folder, name] : folders_) {
      if (is_within(folder, directory)) out.trees[skill_address(name, "")].push_back(cause(folder));
    }
  }

  // REQUIRES: the path is a skill's.
  Cause cause(const std::string& path) const {
    return cause_of(*address_of(path), collection_.path_of(FilePlace{source_, path}));
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

  const Collection& collection_;
  const std::size_t source_;
  std::map<std::string, std::string, std::less<>> folders_;  // to the name in addresses
};

std::string uri_of(const Collection::Key& key) {
  Element element;
  element.type = key.first;
  element.id = key.second;
  return element.uri();
}

}  // namespace

void ElementNews::publish_skills(const Collection::News& news, Causes& causes) {
  const auto now = names_.now();
  Addresses changed;
  {
    const Lock lock(mutex_);
    const auto before = std::exchange(before_, now);
    add_moved(collection_, before ? *before : Names(), *now, changed);
  }
  add_sheets(news, *now, changed);
  for (const auto& [source, changes] : news.files) {
    SkillPaths(collection_, *now, source).add(changes, changed);
  }
  const auto tell = [&](Change::Kind kind, const auto& addresses) {
    for (const auto& [address, because] : addresses) {
      events_.publish({kind, address, {}, because});
      append(because, causes);
    }
  };
  tell(Change::Kind::tree, changed.trees);
  tell(Change::Kind::resource, changed.resources);
  if (!changed.sheets.empty()) {
    events_.publish({Change::Kind::resource_list, "", {}, std::move(changed.sheets)});
  }
}

void ElementNews::publish_elements(const Collection::News& news, Causes& causes) {
  Change prompts{Change::Kind::prompt_list};
  for (const auto& [key, paths] : news.elements) {
    Causes because;
    for (const auto& path : paths) because.push_back(cause_of(uri_of(key), path));
    append(because, causes);
    if (const auto prompt = ElementPrompts::address_of(key.first, key.second)) {
      prompts.listed.push_back(*prompt);
      append(because, prompts.because);
    }
    events_.publish({Change::Kind::resource, uri_of(key), {}, std::move(because)});
  }
  if (!prompts.listed.empty()) events_.publish(prompts);
}

void ElementNews::publish(const Collection::News& news) {
  Causes causes;
  publish_skills(news, causes);
  const bool many = news.elements.size() > kToldSingly;
  if (many) {
    const auto is_prompt = [](const auto& each) {
      return ElementPrompts::address_of(each.first.first, each.first.second).has_value();
    };
    events_.publish({Change::Kind::tree, "capability-index://elements"});
    if (std::ranges::any_of(news.elements, is_prompt)) {
      events_.publish({Change::Kind::prompt_list});
    }
  } else {
    publish_elements(news, causes);
  }
  for (const auto& [path, address] : news.malformed) causes.push_back(cause_of(address, path));
  const bool all_read = !collection_.loading() && loading_.exchange(false);
  if (many || all_read) {
    causes.clear();  // a page says that there will be more
  } else if (causes.empty()) {
    return;
  }
  for (const auto page : CapabilityPages::kAddresses) {
    events_.publish({Change::Kind::resource, std::string(page), {}, causes});
  }
}

}  // namespace lode
