#include "providers/capability/element_news.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "providers/capability/addresses.h"
#include "providers/capability/element_prompts.h"
#include "providers/capability/pages.h"
#include "providers/capability/skill_folder.h"
#include "providers/capability/skill_manifests.h"

namespace lode {
namespace {

using Names = SkillNames::Snapshot;
using Causes = ElementNews::Causes;

// Of more elements at once, as of a first look at a large collection, one change
// is told that concerns them all, and told to anybody.
constexpr std::size_t kToldSingly = 1000;
constexpr std::string_view kElements = "capability-index://elements";

struct Addresses {
  std::map<std::string, Causes> resources;
  std::map<std::string, Causes> trees;  // with all below
  Causes sheets;                        // of the list of skills
};

Cause cause_of(std::string address, std::string path, std::vector<std::string> also = {}) {
  return {std::move(address), {std::move(path), false, false, std::move(also)}};
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
    auto cause =
        cause_of(skill_address(spot.name, SkillFolder::kSheet),
                 collection.path_of(FilePlace{spot.source, spot.file}), {spot.element_uri()});
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
    for (const auto& path : changed->second) {
      causes.push_back(cause_of(address, path, {spot.element_uri()}));
    }
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

// A fixed page with a query.
bool is_part_of_page(const Uri& uri) {
  const auto page = uri.text_without_query();
  const auto is = [&](std::string_view each) { return each == page; };
  return uri.has_query() && std::ranges::any_of(CapabilityPages::kAddresses, is);
}

bool has_skill(const Collection::News& news) {
  const auto is_skill = [](const auto& each) { return each.first.first == ElementType::skill; };
  return std::ranges::any_of(news.elements, is_skill);
}

std::string uri_of(const Collection::Key& key) {
  Element element;
  element.type = key.first;
  element.id = key.second;
  return element.uri();
}

}  // namespace

ElementNews::Sheets ElementNews::publish_skills(const Collection::News& news, Causes& causes) {
  const auto now = names_.now();
  const auto before = [&] {
    const Lock lock(mutex_);
    const auto known = std::exchange(before_, now);
    return known ? known : std::make_shared<const Names>();
  }();
  Addresses changed;
  add_moved(collection_, *before, *now, changed);
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
  Sheets sheets;
  for (const auto& names : {before, now}) {
    if (!has_skill(news)) break;
    for (const auto& [name, spot] : names->spots) {
      sheets[spot.id].insert(skill_address(name, SkillFolder::kSheet));
    }
  }
  return sheets;
}

void ElementNews::publish_elements(const Collection::News& news, const Sheets& sheets,
                                   ByType& changed) {
  Change prompts{Change::Kind::prompt_list};
  for (const auto& [key, paths] : news.elements) {
    Causes because;
    const auto skill = key.first == ElementType::skill ? sheets.find(key.second) : sheets.end();
    const std::vector<std::string> also =
        skill == sheets.end() ? std::vector<std::string>()
                              : std::vector(skill->second.begin(), skill->second.end());
    for (const auto& path : paths) because.push_back(cause_of(uri_of(key), path, also));
    append(because, changed.causes[static_cast<std::size_t>(key.first)]);
    if (const auto prompt = ElementPrompts::address_of(collection_, key.first, key.second)) {
      prompts.listed.push_back(*prompt);
      append(because, prompts.because);
    }
    events_.publish({Change::Kind::resource, uri_of(key), {}, std::move(because)});
  }
  if (!prompts.listed.empty()) events_.publish(prompts);
}

void ElementNews::publish_watched(const ByType& changed, const Causes& causes) {
  Causes of_elements;
  for (const auto& of_type : changed.causes) append(of_type, of_elements);
  const bool any = !changed.told_singly || !of_elements.empty();
  for (const auto& uri : watched_.all()) {
    if (!changed.told_singly && uri.text().starts_with(kElements)) continue;  // told as one
    const auto parts = made_of(uri);
    if (parts ? !any : !is_part_of_page(uri)) continue;
    Causes because = parts ? of_elements : causes;
    if (parts && parts->type && changed.told_singly) {
      because = changed.causes[static_cast<std::size_t>(*parts->type)];
      if (because.empty()) continue;
    }
    events_.publish({Change::Kind::resource, std::string(uri.text()), {}, std::move(because)});
  }
  if (any && searched_) searched_(of_elements);
}

void ElementNews::publish(const Collection::News& news) {
  Causes causes;
  const auto sheets = publish_skills(news, causes);
  ByType changed;
  changed.told_singly = news.elements.size() <= kToldSingly;
  if (!changed.told_singly) {
    const auto is_prompt = [](const auto& each) {
      const auto type = each.first.first;
      return type == ElementType::persona || type == ElementType::template_;
    };
    events_.publish({Change::Kind::tree, std::string(kElements)});
    if (std::ranges::any_of(news.elements, is_prompt)) {
      events_.publish({Change::Kind::prompt_list});
    }
  } else {
    publish_elements(news, sheets, changed);
    for (const auto& of_type : changed.causes) append(of_type, causes);
  }
  for (const auto& [path, address] : news.malformed) causes.push_back(cause_of(address, path));
  const bool all_read = !collection_.loading() && loading_.exchange(false);
  if (!changed.told_singly || all_read) {
    causes.clear();  // a page says that there will be more
  } else if (causes.empty()) {
    return;
  }
  for (const auto page : CapabilityPages::kAddresses) {
    events_.publish({Change::Kind::resource, std::string(page), {}, causes});
  }
  // After `full`, which they are made of: what the cache has of them is gone by now.
  publish_watched(changed, causes);
}

}  // namespace lode
