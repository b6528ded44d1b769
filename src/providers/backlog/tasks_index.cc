// The index that tasks are searched in: how it is kept alike, and what is found.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <utility>

#include "base/uri.h"
#include "providers/backlog/tasks.h"
#include "search/index_fill.h"

namespace lode {
namespace {

// So many tasks are worth another thread.
constexpr std::size_t kMany = 500;
constexpr unsigned kMostThreads = 4;

constexpr std::string_view kTasks = "mcp://backlog/tasks/";

// A percentage: what is over comes after what is open.
std::uint8_t worth_of(const TaskHead& task) {
  if (!has_status(task.type)) return 90;
  if (task.status == TaskStatus::done) return 40;
  return task.status == TaskStatus::cancelled ? 35 : Corpus::kFullWorth;
}

// In an address that the index has.
Result<std::string> id_in(std::string_view address) {
  return decode(address.substr(std::min(kTasks.size(), address.size())));
}

// Of what lately changed, more: half of the difference is gone after a month. A time to
// come, as a clock that was wrong left it, is now.
double recency(std::int64_t updated_at, std::int64_t now) {
  constexpr double kShare = 0.15;
  constexpr double kHalfLife = 30.0 * 86'400;
  const auto age = static_cast<double>(std::max<std::int64_t>(now - updated_at, 0));
  return 1 - kShare + kShare * std::exp2(-age / kHalfLife);
}

using Words = std::set<std::string, std::less<>>;

Words words_in(std::string_view text) {
  Words words;
  analyze(text, [&](const Term& term) {
    if (!term.stop) words.emplace(term.text);
  });
  return words;
}

// A word of the query counts for more in the title than in the body.
double title_weight(const TaskHead& task, const Words& wanted) {
  constexpr double kInTitle = 2.5;
  const auto title = words_in(task.title);
  return std::ranges::any_of(title, [&](const auto& word) { return wanted.contains(word); })
             ? kInTitle
             : 1;
}

}  // namespace

// ---- one at a time ----

void Tasks::put_in_index(const TaskHead& task, std::string_view text, const PutInIndex& put) {
  std::string words = task.assignee;
  for (const auto& label : task.labels) words.append(" ").append(label);
  const auto title = fmt::format("{} {}", task.id, task.title);
  const auto uri = task.uri();
  auto done = put({uri, kIndexKind, title, words, text, task.stamp, {}, worth_of(task)});
  if (!done) log_.warning("a task is not indexed", {{"problem", done.error().message}});
}

// before: under which address the index may have it. text: what is searched in the file.
void Tasks::update_index(const std::string& key, const std::string& before, const std::string& file,
                         const std::string& text) {
  std::optional<TaskHead> head;
  {
    const Lock lock(mutex_);
    if (const auto* counts = winner(key)) head = *counts;
  }
  const auto uri = head ? head->uri() : "";
  if (!before.empty() && before != uri) index_.remove(before);
  if (!head || index_.stamp(uri) == head->stamp) return;
  const bool here = head->file == file;
  put_in_index(*head, here ? text : searched_now(*head),
               [this](const auto& document) { return index_.put(document); });
}

// ---- all of them ----

void Tasks::drop_unknown_from_index() {
  for (const auto& known : index_.known(kIndexKind)) {
    const auto key = id_in(known.key);
    const Lock lock(mutex_);
    const auto* task = key ? winner(task_key(*key)) : nullptr;
    if (task == nullptr || task->uri() != known.key) index_.remove(known.key);
  }
}

// By key.
std::vector<std::string> Tasks::not_indexed() const {
  struct Wanted {
    std::string key;
    std::uint64_t stamp = 0;
    std::string uri;
  };
  std::vector<Wanted> all;
  {
    const Lock lock(mutex_);
    all.reserve(by_id_.size());
    for (const auto& [key, records] : by_id_) {
      if (records.empty()) continue;
      const auto& task = records.front()->head;
      all.push_back({key, task.stamp, task.uri()});
    }
  }
  std::vector<std::string> keys;
  for (auto& [key, stamp, uri] : all) {
    if (index_.stamp(uri) != stamp) keys.push_back(std::move(key));
  }
  return keys;
}

// What is searched in a file, from when it was read if that is still there.
void Tasks::put_known(const std::string& key, const PutInIndex& put) {
  std::optional<TaskHead> head;
  std::optional<std::string_view> text;  // as long as this fills the index
  {
    const Lock lock(mutex_);
    const auto* counts = winner(key);
    if (counts == nullptr) return;
    head = *counts;
    const auto kept = texts_.find(head->file);
    if (kept != texts_.end() && kept->second.stamp == head->stamp) {
      text = kept->second.text;
    }
  }
  if (text) return put_in_index(*head, *text, put);
  put_in_index(*head, searched_now(*head), put);
}

void Tasks::put_each(const std::vector<std::string>& keys, const PutInIndex& put) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (auto i = next++; i < keys.size() && !stopping_; i = next++) put_known(keys[i], put);
  };
  std::vector<std::jthread> beside;
  const auto threads =
      keys.size() < kMany ? 1 : std::min(std::thread::hardware_concurrency(), kMostThreads);
  for (unsigned i = 1; i < threads; ++i) beside.emplace_back(work);
  work();
}

// Until it is over nobody else changes the index (take()); what changes meanwhile is put in the
// end, while nothing changes.
void Tasks::fill_index() {
  std::uint64_t revision = 0;
  {
    const Lock lock(mutex_);
    revision = revision_;
  }
  drop_unknown_from_index();
  const auto missing = not_indexed();
  if (index_.stats().documents > 0) {
    put_each(missing, [this](const auto& document) { return index_.put(document); });
  } else if (!missing.empty()) {
    IndexFill fill(index_, missing.size());
    put_each(missing, [&](const auto& document) { return fill.put(document); });
    if (stopping_) return;
    if (auto filled = fill.finish(); !filled) {
      log_.warning("the tasks are not indexed", {{"problem", filled.error().message}});
    }
  }
  if (stopping_) return;
  const Lock indexing(indexing_);
  bool again = false;
  {
    const Lock lock(mutex_);
    again = revision != revision_;
    changed_since_saved_ |= !missing.empty();
  }
  if (again) {
    drop_unknown_from_index();
    put_each(not_indexed(), [this](const auto& document) { return index_.put(document); });
  }
  const Lock lock(mutex_);
  texts_ = {};
  text_blocks_ = {};
  index_waits_ = false;
  loaded_.notify_all();
}

// ---- searching ----

std::vector<Tasks::Hit> Tasks::search(std::string_view words, const TaskFilter& filter,
                                      std::size_t limit, const Shows& shows) const {
  const auto fits = [&](const TaskHead& task) {
    if (!filter.ready && !filter.waiting) return true;
    const Lock lock(mutex_);
    return fits_readiness(filter, task, shows);
  };
  const auto counts = [&](const std::optional<TaskHead>& task) {
    return task && filter.matches(*task) && fits(*task) && (!shows || shows(*task));
  };
  const auto begin = words.find_first_not_of(' ');
  const auto id = begin == std::string_view::npos
                      ? std::string_view()
                      : words.substr(begin, words.find_last_not_of(' ') - begin + 1);
  std::vector<Hit> hits;
  auto exact = find(id);
  if (counts(exact)) hits.push_back({*exact, 0});

  constexpr std::size_t kMore = 20;  // that may be better once their age counts
  Index::Options options;
  options.limit = limit * 2 + kMore;
  options.permits = [&](std::string_view key) {
    const auto name = id_in(key);
    return name && counts(find(*name));
  };
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  const auto first = hits.size();
  const auto wanted = words_in(words);
  for (const auto& hit : index_.search(words, options)) {
    const auto name = id_in(hit.key);
    auto task = name ? find(*name) : std::nullopt;
    if (!task || (first == 1 && task->id == exact->id)) continue;
    const double score = hit.score * recency(task->updated_at, now) * title_weight(*task, wanted);
    hits.push_back({std::move(*task), score});
  }
  std::stable_sort(hits.begin() + static_cast<std::ptrdiff_t>(first), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (first == 1) hits.front().score = hits.size() > 1 ? hits[1].score + 1 : 1;
  if (hits.size() > limit) hits.resize(limit);
  return hits;
}

}  // namespace lode
