#include "providers/backlog/tasks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/heap.h"
#include "providers/backlog/layout.h"
#include "workspace/changes.h"

namespace lode {
namespace {

// The first bytes of a file, as many as there are room for.
std::string read_beginning(const OpenFile& file, std::size_t most) {
  const auto size = static_cast<std::size_t>(std::max<off_t>(file.info.st_size, 0));
  std::string text(std::min(size, most), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const auto got = ::pread(file.descriptor.get(), text.data() + have, text.size() - have,
                             static_cast<off_t>(have));
    if (got <= 0) break;  // it has become shorter
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

Task task_in(const std::string& name, const OpenFile& file) {
  const auto text = read_beginning(file, kTaskTextBytes);
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(file.info.st_size, 0));
  const bool whole = text.size() < kTaskTextBytes;
  auto task = read_task({name, text, whole ? text.size() : size, modified_of(file.info)});
  task.stamp = stamp_of(file.info);
  return task;
}

// What a search looks for words in; the body is taken.
std::string searched_in(Task& task) {
  std::string text = std::move(task.body);
  for (const auto* texts : {&task.evidence, &task.blocked_reason}) {
    for (const auto& each : *texts) text.append("\n").append(each);
  }
  for (const auto& reference : task.references) text.append("\n").append(reference.title);
  return text;
}

}  // namespace

Tasks::Tasks(Place place, Log& log, Tell tell)
    : place_(std::move(place)),
      log_(log),
      tell_(std::move(tell)),
      follower_(*this, log, {.trees = 1, .threads = 1, .nice = 0, .watches = true}) {}

Tasks::~Tasks() { stop(); }

std::string Tasks::path_of(std::string_view file) const {
  return std::string(place_.directory).append("/").append(file);
}

std::optional<std::string> Tasks::file_at(std::string_view path) const {
  const auto below = [&](std::string_view directory) {
    return !directory.empty() && path.size() > directory.size() && path.starts_with(directory) &&
           path[directory.size()] == '/';
  };
  if (below(place_.directory)) return std::string(path.substr(place_.directory.size() + 1));
  const auto opened = follower_.tree(0);
  if (!opened || !below(opened->root().path())) return std::nullopt;
  return std::string(path.substr(opened->root().path().size() + 1));
}

void Tasks::look_again(const std::string& file) {
  if (loading()) follower_.look_now({0, file});
}

void Tasks::start(Rest* rest) {
  {
    const Lock lock(mutex_);
    started_ = true;
    index_waits_ = true;
    rest_ = rest;
  }
  follower_.start(rest);
}

void Tasks::stop() {
  stopping_ = true;
  if (follower_.stop()) save();
}

bool Tasks::loading() const {
  const Lock lock(mutex_);
  return loading_;
}

bool Tasks::wait_loaded(TimePoint deadline) {
  const Lock lock(mutex_);
  if (started_ && rest_ != nullptr) rest_->end();
  while (started_ && loading_ && std::chrono::steady_clock::now() < deadline) {
    loaded_.wait_until(mutex_, deadline);
  }
  return !loading_;
}

bool Tasks::searchable() const {
  const Lock lock(mutex_);
  return !loading_ && !index_waits_;
}

bool Tasks::wait_searchable(TimePoint deadline) {
  if (!wait_loaded(deadline)) return false;
  const Lock lock(mutex_);
  while (index_waits_ && std::chrono::steady_clock::now() < deadline) {
    loaded_.wait_until(mutex_, deadline);
  }
  return !index_waits_;
}

// ---- which files ----

std::shared_ptr<const FollowedTree> Tasks::open(std::size_t, const Watcher::Callback& changed) {
  if (place_.directory.empty()) return nullptr;
  auto opened = open_tree(place_.directory, place_.within, place_.secrets, log_, changed);
  if (opened) return std::move(*opened);
  if (opened.error().code == Code::denied && loading()) {
    log_.warning("the backlog is not read", {{"problem", opened.error().message}});
  }
  return nullptr;
}

FileReader::Standing Tasks::standing(const FilePlace& place, std::uint64_t stamp) {
  if (!type_of_task_file(place.path)) return Standing::unwanted;
  const Lock lock(mutex_);
  const auto found = files_.find(place.path);
  if (found == files_.end()) return Standing::unknown;
  return found->second.head.stamp == stamp ? Standing::current : Standing::outdated;
}

std::size_t Tasks::known_files() const {
  const Lock lock(mutex_);
  return files_.size();
}

void Tasks::each_known(std::size_t, std::string_view directory,
                       const FileReader::Visit& visit) const {
  const Lock lock(mutex_);
  for (auto at = files_.lower_bound(directory); at != files_.end(); ++at) {
    if (!at->first.starts_with(directory)) break;
    if (is_within(at->first, directory)) visit(at->first);
  }
}

// ---- what they say ----

bool Tasks::read(const FilePlace& place, const OpenFile& file) {
  auto task = task_in(place.path, file);
  const auto text = searched_in(task);
  Record record{std::move(static_cast<TaskHead&>(task)), std::move(task.problems), {}};
  if (record.head.malformed) {
    log_.warning("a task's file is malformed",
                 {{"file", path_of(place.path)}, {"problem", record.problems.front().text}});
  }
  take(place.path, std::move(record), text);
  return true;
}

void Tasks::forget(const FilePlace& place) { take(place.path, std::nullopt, ""); }

void Tasks::load_now() {
  {
    const Lock lock(mutex_);
    if (!loading_) return;
    index_waits_ = true;
  }
  follower_.look_through_now(0, [](const std::string&) { return true; });
  tell(What::changes);
}

void Tasks::refresh(const std::string& file) {
  follower_.look_now({0, file});
  tell(What::changes);
}

std::shared_ptr<const FollowedTree> Tasks::folder() const {
  auto opened = follower_.tree(0);
  return opened && opened->in_place() ? opened : nullptr;
}

Result<Tasks::Bytes> Tasks::bytes_of(const TaskHead& task, std::size_t most) const {
  const auto file = follower_.open({0, task.file});
  if (!file) return not_found("the task's file has gone");
  Bytes bytes;
  bytes.stamp = stamp_of(file->info);
  bytes.modified = modified_of(file->info);
  bytes.size = static_cast<std::uint64_t>(std::max<off_t>(file->info.st_size, 0));
  auto text = read_all(*file, most);
  if (!text) return std::move(text).error();
  bytes.text = std::move(*text);
  return bytes;
}

Result<Task> Tasks::read_whole(const TaskHead& task) const {
  const auto file = follower_.open({0, task.file});
  if (!file) return not_found("the task's file has gone");
  return task_in(task.file, *file);
}

std::string Tasks::searched_now(const TaskHead& task) const {
  auto whole = read_whole(task);
  return whole ? searched_in(*whole) : "";
}

// ---- keeping them ----

const Tasks::Record* Tasks::first_with(std::string_view key) const {
  const auto found = by_id_.find(key);
  return found == by_id_.end() || found->second.empty() ? nullptr : found->second.front();
}

const TaskHead* Tasks::winner(std::string_view key) const {
  const auto* record = first_with(key);
  return record == nullptr ? nullptr : &record->head;
}

// What was there before the first change since the last telling.
void Tasks::touch(const std::string& key) {
  if (touched_many_ || touched_.contains(key)) return;
  if (touched_.size() == kToldSingly) {
    touched_many_ = true;
    touched_.clear();
    return;
  }
  const auto* before = winner(key);
  touched_.emplace(key, before == nullptr ? std::nullopt : std::optional(*before));
}

void Tasks::count(const TaskHead& task, bool comes) {
  if (task.malformed) return;
  const auto status = has_status(task.type) ? task.status : TaskStatus::open;
  auto& number = counts_[static_cast<std::size_t>(task.type)][static_cast<std::size_t>(status)];
  comes ? ++number : --number;
}

// REQUIRES: it counts, and stays where it is until leave().
void Tasks::enter(const Record& record) {
  const auto& task = record.head;
  all_.insert(&record);
  count(task, true);
  if (task.malformed) return;
  if (has_status(task.type)) by_status_[static_cast<std::size_t>(task.status)].insert(&record);
  if (!task.parent.empty()) by_parent_[task_key(task.parent)].insert(&record);
  for (const auto& label : task.labels) by_label_[label].insert(&record);
  if (!task.assignee.empty()) by_assignee_[task.assignee].insert(&record);
  for (const auto& other : task.dependencies) dependents_[task_key(other)].insert(&record);
  update_ready(record);
}

void Tasks::leave(const Record& record) {
  const auto& task = record.head;
  const auto drop = [&](ByName& names, const std::string& name) {
    const auto found = names.find(name);
    if (found == names.end()) return;
    found->second.erase(&record);
    if (found->second.empty()) names.erase(found);
  };
  all_.erase(&record);
  count(task, false);
  if (task.malformed) return;
  if (has_status(task.type)) by_status_[static_cast<std::size_t>(task.status)].erase(&record);
  if (!task.parent.empty()) drop(by_parent_, task_key(task.parent));
  for (const auto& label : task.labels) drop(by_label_, label);
  if (!task.assignee.empty()) drop(by_assignee_, task.assignee);
  for (const auto& other : task.dependencies) drop(dependents_, task_key(other));
  ready_.erase(&record);
  waiting_.erase(&record);
}

bool Tasks::ready_now(const TaskHead& task, const Shows* shows) const {
  if (task.malformed || task.type != TaskType::task || task.status != TaskStatus::open)
    return false;
  return std::none_of(task.dependencies.begin(), task.dependencies.end(),
                      [&](const std::string& id) LODE_REQUIRES(mutex_) {
                        const auto* other = winner(task_key(id));
                        return other != nullptr && other->is_open() &&
                               (shows == nullptr || (*shows)(*other));
                      });
}

void Tasks::update_ready(const Record& record) {
  const auto& task = record.head;
  ready_.erase(&record);
  waiting_.erase(&record);
  if (task.malformed || !has_status(task.type) || task.status != TaskStatus::open) return;
  (ready_now(task, nullptr) ? ready_ : waiting_).insert(&record);
}

void Tasks::update_trouble(const std::string& key) {
  const auto found = by_id_.find(key);
  if (found == by_id_.end()) return;
  for (const auto* record : found->second) {
    if (record->problems.empty() && record == found->second.front()) {
      troubled_.erase(record);
    } else {
      troubled_.insert(record);
    }
  }
}

void Tasks::update_dependents(const std::string& key) {
  const auto found = dependents_.find(key);
  if (found == dependents_.end()) return;
  for (const auto* record : found->second) update_ready(*record);
}

// In place of what was known of the file. Sets point into files_, so that what counts leaves
// them before a record goes, and enters them afterwards.
void Tasks::keep(const std::string& file, std::optional<Record> record) {
  ++revision_;
  std::set<std::string> keys;
  const auto known = files_.find(file);
  if (known != files_.end()) keys.insert(task_key(known->second.head.id));
  if (record) keys.insert(task_key(record->head.id));
  for (const auto& key : keys) {
    touch(key);
    if (const auto* before = first_with(key)) leave(*before);
  }
  if (known != files_.end()) {
    const auto at = by_id_.find(task_key(known->second.head.id));
    if (at != by_id_.end()) {
      std::erase(at->second, &known->second);
      if (at->second.empty()) by_id_.erase(at);
    }
    troubled_.erase(&known->second);
    files_.erase(known);
  }
  if (record) {
    record->rank = sort_key(TaskSort::rank, record->head);
    const auto& now = files_.insert_or_assign(file, std::move(*record)).first->second;
    auto& with_id = by_id_[task_key(now.head.id)];
    const auto place = std::upper_bound(with_id.begin(), with_id.end(), &now,
                                        [](const Record* a, const Record* b) {
                                          const auto& [x, y] = std::tie(a->head.file, b->head.file);
                                          return std::pair(x.size(), std::string_view(x)) <
                                                 std::pair(y.size(), std::string_view(y));
                                        });
    with_id.insert(place, &now);
  }
  for (const auto& key : keys) {
    if (const auto* now = first_with(key)) enter(*now);
  }
  for (const auto& key : keys) {
    update_trouble(key);
    update_dependents(key);
  }
}

// Until the index is filled. What a file said before is lost room.
void Tasks::keep_text(const std::string& file, std::uint64_t stamp, std::string_view text) {
  texts_.erase(file);
  if (text_blocks_.bytes() + text.size() > kKeptTextBytes) return;
  char* const at = text_blocks_.add(text.size());
  std::copy(text.begin(), text.end(), at);
  texts_.emplace(file, KeptText{stamp, {at, text.size()}});
}

void Tasks::take(const std::string& file, std::optional<Record> record, const std::string& text) {
  // Before and after, for the id may be another now; with the address that each had.
  std::map<std::string, std::string> keys;
  const Lock indexing(indexing_);
  {
    const Lock lock(mutex_);
    const auto add = [&](const TaskHead& head) LODE_REQUIRES(mutex_) {
      const auto key = task_key(head.id);
      const auto* counts = winner(key);
      keys.emplace(key, counts == nullptr ? "" : counts->uri());
    };
    const auto before = files_.find(file);
    if (before == files_.end() && !record) return;
    if (before != files_.end()) add(before->second.head);
    if (record) add(record->head);
    changed_since_saved_ = true;
    if (index_waits_ && started_ && record) keep_text(file, record->head.stamp, text);
    keep(file, std::move(record));
    if (index_waits_) return;
  }
  for (const auto& [key, uri] : keys) update_index(key, uri, file, text);
}

void Tasks::tell(What what) {
  News news;
  news.loaded = what == What::loaded;
  news.searchable = what == What::searchable;
  {
    const Lock lock(mutex_);
    for (auto& [key, before] : touched_) {
      const auto* now = winner(key);
      news.tasks[key] = {std::move(before), now == nullptr ? std::nullopt : std::optional(*now)};
    }
    touched_.clear();
    news.many = std::exchange(touched_many_, false);
  }
  if (!news.tasks.empty() || news.many || what != What::changes) tell_(news);
}

// ---- from the first batch to the last ----

// Lists need no index: who waits for one has it before the words of all bodies are counted.
void Tasks::settled(const Settled& settled) {
  if (!loading() || !settled.swept) return tell(What::changes);
  {
    const Lock lock(mutex_);
    loading_ = false;
    loaded_.notify_all();
  }
  tell(What::loaded);
  fill_index();
  if (searchable()) tell(What::searchable);
  save();
  trim_heap();
}

}  // namespace lode
