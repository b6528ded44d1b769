// Tells the events what changed among the tasks.
//
// A task has an address of its own, its file's and its history's; it stands in those of its
// parent, of what it depends on and of what depends on it; and in the board and in lists. Each
// is told with the tasks that made the change, as they were if they are gone: who may see none
// of them does not hear of it. Of lists, those alone that somebody listens to; what is kept of
// others is made from the board. Any thread.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "engine/events.h"
#include "engine/watched.h"
#include "providers/backlog/tasks.h"

namespace lode {

class TaskNews {
 public:
  using Causes = std::vector<Cause>;

  // searched: who tells of searches over all kinds. REQUIRES: all outlive it.
  TaskNews(const Tasks& tasks, const WatchedAddresses& watched, Events& events,
           std::function<void(const Causes& because)> searched)
      : tasks_(tasks), watched_(watched), events_(events), searched_(std::move(searched)) {}

  void publish(const Tasks::News& news) const;

 private:
  Causes causes_of(const Tasks::Changed& changed) const;
  void publish_singly(const Tasks::News& news) const;
  void publish_lists(const Tasks::News& news, const Causes& causes) const;
  void publish_listed(const Tasks::News& news) const;

  const Tasks& tasks_;
  const WatchedAddresses& watched_;
  Events& events_;
  const std::function<void(const Causes& because)> searched_;
};

}  // namespace lode
