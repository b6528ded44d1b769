// What is asked of the tasks; how they are followed and kept is tasks.cc.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "providers/backlog/tasks.h"

namespace lode {

// ---- one task ----

std::optional<TaskHead> Tasks::find(std::string_view id) const {
  const Lock lock(mutex_);
  const auto* task = winner(task_key(id));
  return task == nullptr ? std::nullopt : std::optional(*task);
}

std::optional<TaskHead> Tasks::in_file(std::string_view file) const {
  const Lock lock(mutex_);
  const auto found = files_.find(file);
  return found == files_.end() ? std::nullopt : std::optional(found->second.head);
}

std::vector<TaskHead> Tasks::all_with(std::string_view id) const {
  const Lock lock(mutex_);
  std::vector<TaskHead> out;
  const auto found = by_id_.find(task_key(id));
  if (found == by_id_.end()) return out;
  for (const auto* record : found->second) out.push_back(record->head);
  return out;
}

// ---- what they mean to each other ----

std::vector<TaskHead> Tasks::heads_of(const Ranked* ranked) const {
  std::vector<TaskHead> out;
  if (ranked == nullptr) return out;
  for (const auto* record : *ranked) out.push_back(record->head);
  return out;
}

std::vector<TaskHead> Tasks::children(std::string_view id) const {
  const Lock lock(mutex_);
  const auto found = by_parent_.find(task_key(id));
  return heads_of(found == by_parent_.end() ? nullptr : &found->second);
}

std::vector<TaskHead> Tasks::blockers(const TaskHead& task) const {
  const Lock lock(mutex_);
  std::vector<TaskHead> out;
  for (const auto& id : task.dependencies) {
    const auto* other = winner(task_key(id));
    if (other != nullptr && other->is_open()) out.push_back(*other);
  }
  return out;
}

std::vector<TaskHead> Tasks::blocked_by(std::string_view id) const {
  const Lock lock(mutex_);
  const auto found = dependents_.find(task_key(id));
  auto out = heads_of(found == dependents_.end() ? nullptr : &found->second);
  std::erase_if(out, [](const TaskHead& task) { return !task.is_open(); });
  return out;
}

bool Tasks::is_ready(const TaskHead& task) const {
  const Lock lock(mutex_);
  return ready_now(task, nullptr);
}

bool Tasks::is_ready(const TaskHead& task, const Shows& shows) const {
  const Lock lock(mutex_);
  return ready_now(task, shows ? &shows : nullptr);
}

// Whether a way leads there; every task is visited once.
bool Tasks::reaches(std::string_view from, std::string_view to, bool by_parent) const {
  std::set<std::string> seen;
  std::vector<std::string> waiting{task_key(from)};
  while (!waiting.empty()) {
    const auto key = std::move(waiting.back());
    waiting.pop_back();
    if (key == to) return true;
    const auto* task = winner(key);
    if (task == nullptr || !seen.insert(key).second) continue;
    if (by_parent) {
      if (!task->parent.empty()) waiting.push_back(task_key(task->parent));
    } else {
      for (const auto& id : task->dependencies) waiting.push_back(task_key(id));
    }
  }
  return false;
}

bool Tasks::depends_on(std::string_view other, std::string_view id) const {
  const Lock lock(mutex_);
  return reaches(other, task_key(id), false);
}

bool Tasks::is_below(std::string_view other, std::string_view id) const {
  const Lock lock(mutex_);
  return reaches(other, task_key(id), true);
}

// ---- many ----

void Tasks::each(const Visit& visit) const { each_from("", visit); }

void Tasks::each_from(std::string_view key, const Visit& visit) const {
  const Lock lock(mutex_);
  for (auto at = by_id_.lower_bound(key); at != by_id_.end(); ++at) {
    if (!at->second.empty() && !visit(at->second.front()->head)) return;
  }
}

// The smallest set that has all that the filter has; null: the filter has nothing.
const Tasks::Ranked* Tasks::narrowest(const Query& query) const {
  const auto& filter = query.filter;
  const Ranked* best = &all_;
  // Who does not see what blocks a task may find it ready.
  if (filter.ready || (filter.waiting && filter.statuses.empty())) {
    const auto& known = filter.ready ? ready_ : waiting_;
    best = query.shows ? &by_status_[static_cast<std::size_t>(TaskStatus::open)] : &known;
  }
  bool empty = false;
  const auto consider = [&](const ByName& names, const std::string& name) {
    if (name.empty() || name == "none") return;
    const auto found = names.find(name);
    if (found == names.end()) {
      empty = true;
    } else if (found->second.size() < best->size()) {
      best = &found->second;
    }
  };
  consider(by_parent_, filter.parent == "none" ? "" : task_key(filter.parent));
  consider(by_label_, filter.label == "none" ? "" : filter.label);
  consider(by_assignee_, filter.assignee);
  if (empty) return nullptr;
  if (filter.statuses.size() == 1) {
    const auto& of_status = by_status_[static_cast<std::size_t>(filter.statuses.front())];
    if (of_status.size() < best->size()) best = &of_status;
  }
  return best;
}

Tasks::Listed Tasks::list(const Query& query) const {
  const Lock lock(mutex_);
  const auto* among = narrowest(query);
  if (among == nullptr || query.limit == 0) return {};
  return query.sort == TaskSort::rank ? list_by_rank(query, *among) : list_sorted(query, *among);
}

std::size_t Tasks::count(const Query& query) const {
  const Lock lock(mutex_);
  const auto* among = narrowest(query);
  if (among == nullptr) return 0;
  if (query.filter.is_everything() && !query.shows) return among->size();
  std::size_t count = 0;
  for (const Record* record : *among) count += has(query, record->head) ? 1 : 0;
  return count;
}

bool Tasks::has(const Query& query, const TaskHead& task) const {
  if (!query.filter.matches(task)) return false;
  if (!fits_readiness(query.filter, task, query.shows)) return false;
  return !query.shows || query.shows(task);
}

// What is not ready is open, unless the filter names statuses: then it is of these.
bool Tasks::fits_readiness(const TaskFilter& filter, const TaskHead& task,
                           const Shows& shows) const {
  if (!filter.ready && !filter.waiting) return true;
  const bool ready = ready_now(task, shows ? &shows : nullptr);
  if (filter.ready || ready) return filter.ready && ready;
  return !filter.statuses.empty() || (task.is_open() && task.status == TaskStatus::open);
}

Tasks::Listed Tasks::list_by_rank(const Query& query, const Ranked& among) const {
  Listed out;
  for (auto at = among.upper_bound(std::string_view(query.after)); at != among.end(); ++at) {
    const auto& task = (*at)->head;
    if (!has(query, task)) continue;
    if (out.tasks.size() == query.limit) {
      out.more = true;
      break;
    }
    out.tasks.push_back(task);
  }
  return out;
}

Tasks::Listed Tasks::list_sorted(const Query& query, const Ranked& among) const {
  std::vector<std::pair<std::string, const TaskHead*>> found;
  for (const auto* record : among) {
    if (!has(query, record->head)) continue;
    auto key = sort_key(query.sort, record->head);
    if (key > query.after) found.emplace_back(std::move(key), &record->head);
  }
  Listed out;
  out.more = found.size() > query.limit;
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), query.limit));
  std::partial_sort(found.begin(), end, found.end());
  for (auto at = found.begin(); at != end; ++at) out.tasks.push_back(*at->second);
  return out;
}

Tasks::Counts Tasks::counts() const {
  const Lock lock(mutex_);
  return counts_;
}

std::size_t Tasks::ready_count() const {
  const Lock lock(mutex_);
  return ready_.size();
}

std::size_t Tasks::size() const {
  const Lock lock(mutex_);
  return all_.size();
}

std::vector<std::string> Tasks::labels(std::string_view begin, std::size_t most) const {
  const Lock lock(mutex_);
  return names_in(by_label_, begin, most);
}

std::vector<std::string> Tasks::assignees(std::string_view begin, std::size_t most) const {
  const Lock lock(mutex_);
  return names_in(by_assignee_, begin, most);
}

std::vector<std::string> Tasks::names_in(const ByName& names, std::string_view begin,
                                         std::size_t most) {
  std::vector<std::string> out;
  for (auto at = names.lower_bound(begin); at != names.end() && out.size() < most; ++at) {
    if (!at->first.starts_with(begin)) break;
    out.push_back(at->first);
  }
  return out;
}

// ---- what is amiss ----

std::vector<Tasks::Problem> Tasks::problems(const Shows& shows) const {
  const Lock lock(mutex_);
  if (shows) return find_problems(shows);
  if (std::exchange(problems_of_, revision_) != revision_) problems_ = find_problems({});
  return problems_;
}

std::size_t Tasks::troubled(const Shows& shows) const {
  const Lock lock(mutex_);
  if (!shows) return troubled_.size();
  // That another has the id is known to who sees the other.
  const auto counts = [&](const Record* record) LODE_REQUIRES(mutex_) {
    if (!shows(record->head)) return false;
    return !record->problems.empty() || shows(*winner(task_key(record->head.id)));
  };
  return static_cast<std::size_t>(std::ranges::count_if(troubled_, counts));
}

Tasks::Seen Tasks::seen_by(const Shows& shows) const {
  Seen seen;
  for (const auto& [key, files] : by_id_) {
    const auto* task = winner(key);
    if (task != nullptr && (!shows || shows(*task))) seen.emplace(key, task);
  }
  return seen;
}

std::vector<Tasks::Problem> Tasks::find_problems(const Shows& shows) const {
  const auto seen = seen_by(shows);
  const auto find = [&](const std::string& id) {
    const auto found = seen.find(task_key(id));
    return found == seen.end() ? nullptr : found->second;
  };
  std::vector<Problem> out;
  for (const auto& [file, record] : files_) {
    if (out.size() >= kMostProblems) break;
    const auto& task = record.head;
    const auto* counts = find(task.id);
    if (counts != &task && shows && !shows(task)) continue;
    const auto add = [&](std::size_t line, std::string text) {
      out.push_back({task, line, std::move(text)});
    };
    for (const auto& problem : record.problems) add(problem.line, problem.text);
    if (counts != nullptr && counts != &task) {
      add(0, fmt::format("the id {} is also that of {}, which counts; lode backlog renumber gives "
                         "this one another",
                         task.id, counts->file));
    }
    if (!task.parent.empty() && find(task.parent) == nullptr) {
      add(0, fmt::format("the parent {} is not there", task.parent));
    }
    for (const auto& id : task.dependencies) {
      if (find(id) == nullptr) add(0, fmt::format("the dependency {} is not there", id));
    }
  }
  find_cycles(seen, out);
  if (out.size() > kMostProblems) out.resize(kMostProblems);
  return out;
}

// Of a graph, by key where each leads to: takes away again and again what leads nowhere.
void Tasks::peel(std::map<std::string, std::set<std::string>>& leads_to) {
  std::map<std::string, std::vector<std::string>> from;
  for (const auto& [key, others] : leads_to) {
    for (const auto& other : others) from[other].push_back(key);
  }
  std::vector<std::string> over;
  for (const auto& [key, others] : leads_to) {
    if (others.empty()) over.push_back(key);
  }
  while (!over.empty()) {
    const auto key = std::move(over.back());
    over.pop_back();
    leads_to.erase(key);
    for (const auto& other : from[key]) {
      const auto left = leads_to.find(other);
      if (left == leads_to.end()) continue;
      left->second.erase(key);
      if (left->second.empty()) over.push_back(other);
    }
  }
}

// What leads nowhere is taken away again and again, then what nothing leads to: what is left
// is in a cycle, or between two.
std::set<std::string> Tasks::keys_in_cycles(const Seen& seen, bool by_parent) {
  std::map<std::string, std::set<std::string>> leads_to;
  for (const auto& [key, task] : seen) {
    auto& others = leads_to[std::string(key)];
    const auto add = [&](const std::string& id) {
      if (auto other = task_key(id); seen.contains(other)) others.insert(std::move(other));
    };
    if (by_parent && !task->parent.empty()) add(task->parent);
    if (by_parent) continue;
    for (const auto& id : task->dependencies) add(id);
  }
  peel(leads_to);
  std::map<std::string, std::set<std::string>> led_from;
  for (const auto& [key, others] : leads_to) {
    led_from[key];
    for (const auto& other : others) led_from[other].insert(key);
  }
  peel(led_from);
  std::set<std::string> keys;
  for (const auto& [key, others] : led_from) keys.insert(key);
  return keys;
}

void Tasks::find_cycles(const Seen& seen, std::vector<Problem>& out) {
  for (const bool by_parent : {false, true}) {
    for (const auto& key : keys_in_cycles(seen, by_parent)) {
      if (out.size() >= kMostProblems) break;
      out.push_back({*seen.at(key), 0,
                     by_parent ? "the parents lead round in a circle"
                               : "the dependencies lead round in a circle"});
    }
  }
}

}  // namespace lode
