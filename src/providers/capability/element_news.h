// Tells the events what changed among the elements, and in the files of skills.
//
// An element has an address of its own and stands on every page; a skill has
// those of its files and directories besides. Addresses are told once for each
// change that the collection tells, with the files that made it, as they were if they are
// gone: who may see none of them does not hear of it. Lists, searches and what else has a
// query are told as far as somebody listens to them, by the elements that they are made of;
// a filter is not asked, so that one that shows the same as before may be told. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "engine/events.h"
#include "engine/watched.h"
#include "providers/capability/collection.h"
#include "providers/capability/skill_names.h"

namespace lode {

class ElementNews {
 public:
  using Causes = std::vector<Cause>;
  // Told that the index of elements changed, and why; nothing: by very many, or by all.
  using Searched = std::function<void(const Causes& because)>;

  // REQUIRES: both outlive it.
  ElementNews(const Collection& collection, Events& events, Searched searched = {})
      : collection_(collection),
        names_(collection),
        events_(events),
        searched_(std::move(searched)) {}

  // What Resources::watch() is told.
  void watch(const Uri& uri, bool on) { watched_.watch(uri, on); }
  void publish(const Collection::News& news) LODE_EXCLUDES(mutex_);

 private:
  // What made the elements of each type change; told_singly: else everything may have.
  struct ByType {
    std::array<Causes, kElementTypeCount> causes;
    bool told_singly = true;
  };
  // By the id of the element, the addresses of the SKILL.md that a skill has, and had before.
  using Sheets = std::map<std::string, std::set<std::string>>;
  // causes: to these what changed is added, for the pages that show it. Answers Sheets if an
  // element that changed is a skill.
  Sheets publish_skills(const Collection::News& news, Causes& causes) LODE_EXCLUDES(mutex_);
  void publish_elements(const Collection::News& news, const Sheets& sheets, ByType& changed);
  // causes: of all pages.
  void publish_watched(const ByType& changed, const Causes& causes);

  const Collection& collection_;
  const SkillNames names_;
  Events& events_;
  const Searched searched_;
  WatchedAddresses watched_;
  std::atomic<bool> loading_ = true;  // when pages were last told
  Mutex mutex_;
  // As they were when they were last told.
  std::shared_ptr<const SkillNames::Snapshot> before_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
