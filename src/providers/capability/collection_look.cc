// What is asked of a collection; how it is filled is collection.cc.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "providers/capability/collection.h"

namespace lode {

Element Collection::meant_by(const FilePlace& place) {
  Element element;
  const auto type = find_element_type(place.path.substr(0, place.path.find('/')));
  element.type = type.value_or(ElementType::skill);
  element.id = id_of_file(place.path);
  return element;
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
  std::vector<Problem> out;
  for (const auto& [place, record] : files_) {
    const auto add = [&, &at = place, &element = record.element](std::size_t line,
                                                                 std::string text) {
      out.push_back({shown(at), line, std::move(text), (element ? *element : meant_by(at)).uri(),
                     path_of(at)});
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

std::uint64_t Collection::generation(ElementType type) const {
  const Lock lock(mutex_);
  return generations_[static_cast<std::size_t>(type)];
}

std::string Collection::shown(const FilePlace& place) const {
  const auto& name = sources_[place.tree].name;
  return name.empty() ? place.path : fmt::format("{}/{}", name, place.path);
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
