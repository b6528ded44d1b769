// Tells the events what changed among the elements, and in the files of skills.
//
// An element has an address of its own and stands on every page; a skill has
// those of its files and directories besides. Addresses are told once for each
// change that the collection tells. Any thread.
#pragma once

#include <memory>

#include "base/mutex.h"
#include "engine/events.h"
#include "providers/capability/collection.h"
#include "providers/capability/skill_names.h"

namespace lode {

class ElementNews {
 public:
  // REQUIRES: both outlive it.
  ElementNews(const Collection& collection, Events& events) : names_(collection), events_(events) {}

  void publish(const Collection::News& news) LODE_EXCLUDES(mutex_);

 private:
  void publish_skills(const Collection::News& news) LODE_EXCLUDES(mutex_);

  const SkillNames names_;
  Events& events_;
  Mutex mutex_;
  // As they were when they were last told.
  std::shared_ptr<const SkillNames::Snapshot> before_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
