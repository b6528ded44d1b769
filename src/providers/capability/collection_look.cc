// What is asked of a collection; how it is filled is collection.cc.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/uri.h"
#include "providers/capability/collection.h"
#include "providers/capability/skill_links.h"
#include "providers/capability/skill_names.h"
#include "workspace/workspace.h"

namespace lode {

std::string Collection::address_meant(const FilePlace& place, bool skills_only) {
  Element element;
  element.type = ElementType::skill;
  element.id = id_of_file(place.path);
  if (skills_only) return element.uri();
  const auto slash = place.path.find('/');
  if (slash == std::string::npos)
    return "capability-index://elements/" + encode_component(element.id);
  const auto type = find_element_type(std::string_view(place.path).substr(0, slash));
  if (type) {
    element.type = *type;
    return element.uri();
  }
  return fmt::format("capability-index://elements/{}/{}",
                     encode_component(std::string_view(place.path).substr(0, slash)),
                     encode_component(element.id));
}

const Element* Collection::winner(const Key& key) const {
  const auto found = by_id_.find(key);
  if (found == by_id_.end() || found->second.empty()) return nullptr;
  return &*files_.at(*found->second.begin()).element;
}

const Element* Collection::find_locked(ElementType type, std::string_view id) const {
  if (const auto* element = winner({type, std::string(id)})) return element;
  const auto named = by_name_.find({type, slug(id)});
  if (named == by_name_.end() || named->second.empty()) return nullptr;
  return winner(*named->second.begin());
}

std::optional<Element> Collection::find(ElementType type, std::string_view id) const {
  const Lock lock(mutex_);
  const auto* element = find_locked(type, id);
  if (element == nullptr || element->id == id) {
    return element == nullptr ? std::nullopt : std::optional(*element);
  }
  const auto named = by_name_.find({type, slug(id)});
  if (named != by_name_.end() && named->second.size() > 1) return std::nullopt;
  return element == nullptr ? std::nullopt : std::optional(*element);
}

// Those with the id, the one that counts first; then those with the name.
std::vector<Element> Collection::candidates(ElementType type, std::string_view id) const {
  const Lock lock(mutex_);
  std::vector<Element> out;
  const auto add = [&](const Key& key) LODE_REQUIRES(mutex_) {
    const auto found = by_id_.find(key);
    if (found == by_id_.end()) return;
    for (const auto& place : found->second) out.push_back(*files_.at(place).element);
  };
  add({type, std::string(id)});
  const auto named = by_name_.find({type, slug(id)});
  if (named == by_name_.end()) return out;
  for (const auto& key : named->second) add(key);
  return out;
}

std::optional<Element> Collection::find(ElementType type, std::string_view id,
                                        const Shows& shows) const {
  for (auto& element : candidates(type, id)) {
    if (shows(element)) return std::move(element);
  }
  return std::nullopt;
}

std::string Collection::short_id(const Element& element) const {
  auto name = slug(element.name);
  if (name.size() >= element.id.size()) return element.id;
  const Lock lock(mutex_);
  const auto named = by_name_.find({element.type, name});
  const bool alone = named != by_name_.end() && named->second.size() == 1;
  return alone && winner({element.type, name}) == nullptr ? name : element.id;
}

std::vector<std::string> Collection::ids_of(ElementType type, std::string_view name,
                                            const Shows& shows) const {
  std::vector<std::string> ids;
  for (const auto& element : candidates(type, name)) {
    if (slug(element.name) != slug(name) || !shows(element)) continue;
    if (std::ranges::find(ids, element.id) == ids.end()) ids.push_back(element.id);
  }
  return ids;
}

std::optional<Element> Collection::in_file(bool of_workspace, const std::string& file) const {
  const Lock lock(mutex_);
  const auto found = files_.find(own_place(of_workspace, file));
  return found == files_.end() ? std::nullopt : found->second.element;
}

const Element* Collection::resolve_locked(const Relation& relation) const {
  const std::string_view target = relation.target;
  const auto colon = target.find(':');
  if (colon != std::string_view::npos) {
    if (const auto type = find_element_type(target.substr(0, colon))) {
      return find_locked(*type, target.substr(colon + 1));
    }
  }
  if (relation.type) {
    if (const auto* element = find_locked(*relation.type, target)) return element;
  }
  for (const auto type : kElementTypes) {
    if (const auto* element = winner({type, std::string(target)})) return element;
  }
  return nullptr;
}

std::optional<Element> Collection::resolve(const Relation& relation) const {
  const Lock lock(mutex_);
  const auto* element = resolve_locked(relation);
  return element == nullptr ? std::nullopt : std::optional(*element);
}

void Collection::each(const Visit& visit) const {
  const Lock lock(mutex_);
  for (const auto& [key, places] : by_id_) {
    const auto* element = winner(key);
    if (element != nullptr && !visit(*element)) return;
  }
}

void Collection::each(ElementType type, std::string_view after, const Visit& visit) const {
  const Lock lock(mutex_);
  for (auto at = by_id_.upper_bound({type, std::string(after)}); at != by_id_.end(); ++at) {
    if (at->first.first != type) return;
    const auto* element = winner(at->first);
    if (element != nullptr && !visit(*element)) return;
  }
}

Collection::Counts Collection::counts() const {
  const Lock lock(mutex_);
  return counts_;
}

std::vector<Problem> Collection::problems(std::size_t most) const {
  const Lock lock(mutex_);
  if (std::exchange(problems_of_, revision_) != revision_) problems_ = find_problems();
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, problems_.size()));
  return {problems_.begin(), problems_.begin() + count};
}

std::vector<Problem> Collection::find_problems() const {
  using Addresses = std::vector<std::string>;
  std::vector<Problem> out;
  for (const auto& [place, record] : files_) {
    const auto add = [&, &at = place, &element = record.element](std::size_t line,
                                                                 std::string text) {
      out.push_back({shown(at), line, std::move(text),
                     element ? element->uri() : address_meant(at, sources_[at.tree].skills_only),
                     path_of(at), false, element ? skill_sheets_of(*element) : Addresses()});
    };
    for (const auto& problem : record.problems) add(problem.line, problem.text);
    if (out.size() >= kMostProblems) break;
    if (!record.element) continue;
    const auto& first = *by_id_.at({record.element->type, record.element->id}).begin();
    // One of the workspace in place of the user's is as it should be.
    const bool same_owner = sources_[first.tree].of_workspace == sources_[place.tree].of_workspace;
    if (first != place && same_owner) {
      add(1, fmt::format("the id \"{}\" is also that of {}, which counts", record.element->id,
                         shown(first)));
    }
    for (const auto& relation : record.element->relations) {
      if (resolve_locked(relation) != nullptr) continue;
      add(relation.line,
          fmt::format("{} \"{}\", which is not there", relation.kind, relation.target));
    }
  }
  if (out.size() > kMostProblems) out.resize(kMostProblems);
  return out;
}

std::vector<Problem> Collection::link_problems() const {
  std::vector<Problem> out;
  const auto is_source = [&](const std::string& directory) {
    return std::ranges::any_of(sources_, [&](const ElementSource& source) {
      return !source.only.empty() && join_path(source.path, source.only) == directory;
    });
  };
  for (const auto& skills : folders_.skills) {
    const auto& within = skills.of_workspace ? folders_.root : folders_.home;
    for (const auto& link : skill_links(skills.path, within)) {
      if (!link.directory.empty() && is_source(link.directory)) continue;
      const auto below = link.name.empty() ? "" : "/" + link.name;
      Element meant;
      meant.type = ElementType::skill;
      meant.id = slug(link.name.empty() ? skills.name : link.name);
      out.push_back(
          {skills.name + below, 1,
           link.problem.empty() ? "the link is followed from the next start on" : link.problem,
           meant.uri(), skills.path + below});
    }
  }
  return out;
}

std::uint64_t Collection::generation(ElementType type) const {
  const Lock lock(mutex_);
  return generations_[static_cast<std::size_t>(type)];
}

std::string Collection::shown(const FilePlace& place) const {
  const auto& name = sources_[place.tree].name;
  const auto& only = sources_[place.tree].only;
  if (!only.empty()) return name + place.path.substr(std::min(only.size(), place.path.size()));
  return name.empty() ? place.path : fmt::format("{}/{}", name, place.path);
}

std::optional<FilePlace> Collection::place_of(std::string_view path) const {
  const auto below = [&](std::string_view folder) {
    return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) &&
           path[folder.size()] == '/';
  };
  for (std::size_t which = 0; which < sources_.size(); ++which) {
    const auto& source = sources_[which];
    if (below(source.link)) {
      return FilePlace{which, source.only + std::string(path.substr(source.link.size()))};
    }
    std::string folder = source.path;
    if (!below(folder)) {
      const auto opened = follower_.tree(which);
      folder = opened ? opened->root().path() : "";
    }
    if (!below(folder)) continue;
    std::string rest(path.substr(folder.size() + 1));
    if (source.only.empty() || is_within(rest, source.only)) return FilePlace{which, rest};
  }
  return std::nullopt;
}

std::optional<std::string> Collection::address_at(const FilePlace& place) const {
  {
    const Lock lock(mutex_);
    const auto found = files_.find(place);
    if (found != files_.end() && found->second.element) return found->second.element->uri();
  }
  if (!type_of(place)) return std::nullopt;
  return address_meant(place, sources_[place.tree].skills_only);
}

void Collection::look_again(const FilePlace& place) {
  if (!loading()) return;
  follower_.look_now(place);
  std::string_view folder = place.path;
  while (folder.find('/') != folder.npos) {
    folder = folder.substr(0, folder.rfind('/'));
    follower_.look_now({place.tree, std::string(folder) + "/SKILL.md"});
  }
}

std::shared_ptr<const FollowedTree> Collection::folder(std::size_t which) const {
  auto opened = follower_.tree(which);
  return opened && opened->in_place() ? opened : nullptr;
}

Result<std::string> Collection::text_of(const Element& element) const {
  const auto opened = folder(element.folder);
  auto file = opened ? opened->root().open_without_links(element.file) : not_found("");
  if (!file) return not_found("the element's file has gone");
  return read_all(*file, kFileBytes);
}

}  // namespace lode
