#include "providers/backlog/task_news.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "providers/backlog/task_address.h"

namespace lode {
namespace {

using Causes = TaskNews::Causes;

void append(const Causes& more, Causes& out) { out.insert(out.end(), more.begin(), more.end()); }

// Whether what a list of resources says of it differs.
bool lists_differ(const Tasks::Changed& changed) {
  const bool before = changed.before && changed.before->is_open();
  const bool now = changed.now && changed.now->is_open();
  if (before != now) return true;
  return now && (changed.before->title != changed.now->title ||
                 changed.before->excerpt != changed.now->excerpt);
}

bool concerns_list(const TaskListQuery& query, const Tasks::News& news) {
  if (!query.words.empty() || query.filter.ready || query.filter.waiting) return true;
  return std::ranges::any_of(news.tasks, [&](const auto& each) {
    const auto& [before, now] = each.second;
    return (before && query.filter.matches(*before)) || (now && query.filter.matches(*now));
  });
}

}  // namespace

Causes TaskNews::causes_of(const Tasks::Changed& changed) const {
  Causes causes;
  for (const auto* task : {&changed.before, &changed.now}) {
    if (!*task) continue;
    const auto path = tasks_.path_of(**task);
    const bool again = !causes.empty() && causes.front().file.path == path;
    if (!again) causes.push_back({(*task)->uri(), {path, false}});
  }
  return causes;
}

void TaskNews::publish_singly(const Tasks::News& news) const {
  std::map<std::string, Causes> addresses;
  const auto tell = [&](std::string address, const Causes& causes) {
    append(causes, addresses[std::move(address)]);
  };
  for (const auto& [key, changed] : news.tasks) {
    const auto causes = causes_of(changed);
    for (const auto* task : {&changed.before, &changed.now}) {
      if (!*task) continue;
      const auto uri = (*task)->uri();
      for (const char* end : {"", "/file", "/history"}) tell(uri + end, causes);
      std::set<std::string> others((*task)->dependencies.begin(), (*task)->dependencies.end());
      if (!(*task)->parent.empty()) others.insert((*task)->parent);
      for (const auto& id : others) {
        if (const auto other = tasks_.find(id)) tell(other->uri(), causes);
      }
    }
    for (const auto& other : tasks_.blocked_by(key)) tell(other.uri(), causes);
  }
  for (auto& [address, causes] : addresses) {
    events_.publish({Change::Kind::resource, address, {}, std::move(causes)});
  }
}

void TaskNews::publish_lists(const Tasks::News& news, const Causes& causes) const {
  for (const auto& uri : watched_.all()) {
    const auto query = parse_task_list(uri);
    if (!query || (!causes.empty() && !concerns_list(*query, news))) continue;
    events_.publish({Change::Kind::resource, std::string(uri.text()), {}, causes});
  }
}

void TaskNews::publish_listed(const Tasks::News& news) const {
  Change change{Change::Kind::resource_list};
  for (const auto& [key, changed] : news.tasks) {
    if (!lists_differ(changed)) continue;
    append(causes_of(changed), change.because);
    change.listed.push_back((changed.now ? changed.now : changed.before)->uri());
  }
  if (!change.listed.empty()) events_.publish(change);
}

void TaskNews::publish(const Tasks::News& news) const {
  // Of many at once, as of a first look at a large backlog, one change is told that concerns them
  // all, and told to anybody.
  Causes causes;
  if (news.searchable) searched_(causes);
  if (!news.many && !news.loaded) {
    for (const auto& [key, changed] : news.tasks) append(causes_of(changed), causes);
    if (causes.empty()) return;
  }
  for (const auto page : {kBoard, kTaskProblems}) {
    events_.publish({Change::Kind::resource, std::string(page), {}, causes});
  }
  searched_(causes);
  if (news.many) {
    events_.publish({Change::Kind::tree, std::string(kTaskList)});
    events_.publish({Change::Kind::resource_list});
    return;
  }
  publish_singly(news);
  publish_lists(news, causes);
  publish_listed(news);
}

}  // namespace lode
