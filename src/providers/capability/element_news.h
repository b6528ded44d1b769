// Tells the events what changed among the elements, and in the files of skills.
//
// An element has an address of its own and stands on every page; a skill has
// those of its files and directories besides. Addresses are told once for each
// change that the collection tells, with the files that made it, as they were if they are
// gone: who may see none of them does not hear of it. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "engine/events.h"
#include "providers/capability/collection.h"
#include "providers/capability/skill_names.h"

namespace lode {

class ElementNews {
 public:
  // REQUIRES: both outlive it.
  ElementNews(const Collection& collection, Events& events)
      : collection_(collection), names_(collection), events_(events) {}

  void publish(const Collection::News& news) LODE_EXCLUDES(mutex_);

 private:
  // causes: to these what changed is added, for the pages that show it.
  void publish_skills(const Collection::News& news, std::vector<Cause>& causes)
      LODE_EXCLUDES(mutex_);
  void publish_elements(const Collection::News& news, std::vector<Cause>& causes);

  const Collection& collection_;
  const SkillNames names_;
  Events& events_;
  std::atomic<bool> loading_ = true;  // when pages were last told
  Mutex mutex_;
  // As they were when they were last told.
  std::shared_ptr<const SkillNames::Snapshot> before_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
