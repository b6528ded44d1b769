#include "providers/capability/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/derived_file.h"
#include "base/uri.h"
#include "providers/capability/folder.h"
#include "workspace/sweep.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

// How often a folder that is missing is looked for.
constexpr auto kLookForFolder = 2s;

// Of what save() writes.
constexpr std::size_t kRememberedBytes = std::size_t{2} << 30;

// "line 7: …" as a library says it.
Problem problem_of(const std::string& file, const std::string& message) {
  std::size_t line = 1;
  std::string text = message;
  if (text.starts_with("line ")) {
    line = static_cast<std::size_t>(std::strtoul(text.c_str() + 5, nullptr, 10));
    text = text.substr(std::min(text.find(": "), text.size() - 2) + 2);
  }
  return {file, line, text + " (the file is skipped)"};
}

bool is_skill_sheet(std::string_view path) { return path.ends_with("/SKILL.md"); }

std::vector<ElementSource> sources_of(const Collection::Folders& folders) {
  std::vector<ElementSource> out;
  for (const bool of_workspace : {true, false}) {
    const std::string within = of_workspace ? folders.root : "";
    const auto& own = of_workspace ? folders.workspace : folders.user;
    out.push_back({own, "", within, of_workspace, false});
    for (const auto& skills : folders.skills) {
      if (skills.of_workspace != of_workspace) continue;
      out.push_back({skills.path, skills.name, within, of_workspace, true});
    }
  }
  return out;
}

}  // namespace

Collection::Collection(Folders folders, Index& index, Log& log, Changed changed)
    : folders_(std::move(folders)),
      sources_(sources_of(folders_)),
      index_(index),
      log_(log),
      changed_(std::move(changed)),
      open_(sources_.size()),
      unswept_(sources_.size()) {}

Collection::~Collection() { stop(); }

std::string Collection::path_of(const Element& element) const {
  const auto& own = element.of_workspace ? folders_.workspace : folders_.user;
  const auto& folder = element.foreign ? sources_[element.folder].path : own;
  return folder.empty() || element.file.empty() ? "" : folder + "/" + element.file;
}

void Collection::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  wake_.notify_all();
  thread_.join();
}

void Collection::start(Hooks hooks) {
  {
    const Lock lock(mutex_);
    started_ = true;
    open_.assign(sources_.size(), nullptr);  // what load() opened is not watched
  }
  thread_ = std::jthread(
      [this, hooks = std::move(hooks)](const std::stop_token& stop) { run(hooks, stop); });
}

bool Collection::loading() const {
  const Lock lock(mutex_);
  return loading_;
}

bool Collection::wait_loaded(TimePoint deadline) {
  const Lock lock(mutex_);
  awaited_ = true;
  wake_.notify_all();
  while (started_ && loading_ && std::chrono::steady_clock::now() < deadline) {
    loaded_.wait_until(mutex_, deadline);
  }
  return !loading_;
}

// ---- reading files ----

Collection::Update Collection::read(std::size_t which, const std::string& file) const {
  Update update{{which, file}, std::nullopt, {}};
  const auto opened_folder = folder(which);
  if (!opened_folder || opened_folder->filter().skips(file, false)) return update;
  const Root& root = opened_folder->root();
  const auto has_skill = [&](std::string_view directory) {
    return root.stamp(std::string(directory) + "/SKILL.md") != 0;
  };
  const auto type =
      sources_[which].skills_only ? type_of_skill(file, has_skill) : type_of_file(file, has_skill);
  auto opened = type ? root.open_without_links(file) : not_found("");
  if (!opened || !opened->is_regular()) return update;
  auto& record = update.record.emplace();
  record.stamp = stamp_of(opened->info);
  auto text = read_all(*opened, kFileBytes);
  if (!text) {
    record.problems.push_back(
        problem_of(file, fmt::format("an element's file is at most {} bytes", kFileBytes)));
    return update;
  }
  auto reading = read_element({*type, file, *text, modified_of(opened->info)});
  if (!reading) {
    record.problems.push_back(problem_of(file, reading.error().message));
    return update;
  }
  reading->element.stamp = record.stamp;
  record.element = std::move(reading->element);
  record.problems = std::move(reading->problems);
  update.searched = std::move(reading->searched);
  return update;
}

void Collection::open_folder(std::size_t which) {
  const auto& source = sources_[which];
  const Lock lock(mutex_);
  const bool watched = open_[which] && started_;  // else it may be another by now
  if (watched || source.path.empty()) return;
  Watcher::Callback callback;
  if (started_) {
    callback = [this, which](Changes changes) {
      const Lock inner(mutex_);
      told_.emplace_back(which, std::move(changes));
      wake_.notify_all();
    };
  }
  auto folder = ElementFolder::open(source, folders_.secrets, log_, std::move(callback));
  if (!folder && folder.error().code == Code::denied && loading_) {
    log_.warning("elements are not read", {{"problem", folder.error().message}});
  }
  open_[which] = folder ? std::move(*folder) : nullptr;
  unswept_[which] = folder.ok();
}

// Once for each time that the folder was opened, by whomever.
bool Collection::is_unswept(std::size_t which) {
  const Lock lock(mutex_);
  const bool unswept = open_[which] && unswept_[which];
  unswept_[which] = false;
  return unswept;
}

void Collection::reread(const Place& place) {
  const Lock reading(reading_);
  take(read(place.folder, place.file));
}

void Collection::refresh(bool of_workspace, const std::string& file) {
  const auto own = std::find_if(sources_.begin(), sources_.end(), [&](const ElementSource& source) {
    return source.of_workspace == of_workspace && !source.skills_only;
  });
  const auto which = static_cast<std::size_t>(own - sources_.begin());
  open_folder(which);  // it may have been made a moment ago
  reread({which, file});
  tell();
}

// ---- keeping them ----

void Collection::forget(const Place& place) {
  auto found = files_.find(place);
  if (found == files_.end()) return;
  if (const auto& element = found->second.element) {
    const Key key{element->type, element->id};
    auto& places = by_id_[key];
    places.erase(place);
    if (places.empty()) {
      by_id_.erase(key);
      --counts_[static_cast<std::size_t>(element->type)];
      auto named = by_name_.find({element->type, slug(element->name)});
      if (named != by_name_.end()) named->second.erase(key);
    }
    touched_.insert(key);
    ++generations_[static_cast<std::size_t>(element->type)];
  }
  files_.erase(found);
}

// In place of what was known of the file.
void Collection::keep(const Place& place, std::optional<ElementRecord> record) {
  ++revision_;
  forget(place);
  if (!record) return;
  if (auto& element = record->element) {
    element->folder = place.folder;
    element->of_workspace = sources_[place.folder].of_workspace;
    element->foreign = sources_[place.folder].skills_only;
    const Key key{element->type, element->id};
    auto& places = by_id_[key];
    if (places.empty()) ++counts_[static_cast<std::size_t>(element->type)];
    places.insert(place);
    by_name_[{element->type, slug(element->name)}].insert(key);
    touched_.insert(key);
    ++generations_[static_cast<std::size_t>(element->type)];
  } else {
    Problem problem = record->problems.front();
    problem.file = shown(place);
    log_.warning("element skipped", {{"problem", problem.sentence()}});
  }
  files_.insert_or_assign(place, std::move(*record));
}

void Collection::take(Update update) {
  std::set<Key> touched;  // before and after: the id may be another now
  bool indexed = false;
  const auto touch = [&](const std::optional<Element>& element) {
    if (element) touched.insert({element->type, element->id});
  };
  {
    const Lock lock(mutex_);
    indexed = started_;
    const auto before = files_.find(update.place);
    if (before != files_.end()) touch(before->second.element);
    if (update.record) touch(update.record->element);
    if (before != files_.end() || update.record) changed_since_saved_ = true;
    keep(update.place, std::move(update.record));
  }
  if (!indexed) return;
  for (const auto& key : touched) update_index(key, update.place, update.searched);
}

// searched: what is indexed of the file at `place`.
void Collection::update_index(const Key& key, const Place& place, const std::string& searched) {
  std::optional<Element> element;
  std::optional<Place> counts;
  {
    const Lock lock(mutex_);
    if (const auto* found = winner(key)) {
      element = *found;
      counts = *by_id_.at(key).begin();
    }
  }
  if (!element) {
    Element gone;
    gone.type = key.first;
    gone.id = key.second;
    index_.remove(gone.uri());
    return;
  }
  const std::string uri = element->uri();
  if (index_.stamp(uri) == element->stamp) return;
  std::string words;
  for (const auto& tag : element->tags) words.append(tag).append(" ");
  words.append(element->description);
  std::string body = searched;
  if (*counts != place) {
    body = read(counts->folder, counts->file).searched;
  }
  auto put = index_.put({uri, kIndexKind, element->name, words, body, element->stamp});
  if (!put) log_.warning("element not indexed", {{"problem", put.error().message}});
}

void Collection::drop_unknown_from_index() {
  for (const auto& known : index_.known(kIndexKind)) {
    const auto uri = Uri::parse(known.key);
    const auto segments = uri ? uri->segments() : std::vector<std::string>();
    const auto type = segments.size() == 2 ? find_element_type(segments[0]) : std::nullopt;
    const Lock lock(mutex_);
    if (!type || winner(Key{*type, segments[1]}) == nullptr) index_.remove(known.key);
  }
}

void Collection::tell(std::vector<std::pair<std::size_t, Changes>> files) {
  News news{{}, std::move(files)};
  {
    const Lock lock(mutex_);
    news.elements.swap(touched_);
  }
  changed_(news);
}

// ---- following the folders ----

void Collection::sweep_folder(std::size_t which, const std::stop_token& stop) {
  const auto opened = folder(which);
  if (!opened) return;
  auto seen = lode::sweep(opened->root(), opened->filter(), stop);
  if (!seen) return;
  std::vector<Place> gone;
  {
    const Lock lock(mutex_);
    for (auto at = files_.lower_bound({which, ""}); at != files_.end(); ++at) {
      if (at->first.folder != which) break;
      if (seen->find(at->first.file) == nullptr) gone.push_back(at->first);
    }
  }
  for (const auto& place : gone) reread(place);  // it may be back
  for (std::size_t i = 0; i < seen->size() && !stop.stop_requested(); ++i) {
    const auto& state = seen->state(i);
    if (S_ISREG(state.mode)) look_at_file({which, std::string(seen->path(i))}, state.stamp);
  }
}

// Reads a file with this stamp, unless what is known or remembered of it holds.
void Collection::look_at_file(const Place& place, std::uint64_t stamp) {
  const Lock reading(reading_);
  {
    const Lock lock(mutex_);
    if (is_current(place, stamp)) return;
    const auto found = remembered_.find(place);
    if (found != remembered_.end() && found->second.stamp == stamp) {
      const auto& element = found->second.element;
      if (!element || index_.stamp(element->uri()) == stamp) {
        keep(place, std::move(found->second));
        remembered_.erase(found);
        return;
      }
    }
  }
  take(read(place.folder, place.file));
}

// Also as the index has it: that may have been loaded after the file was read.
bool Collection::is_current(const Place& place, std::uint64_t stamp) const {
  const auto found = files_.find(place);
  if (found == files_.end() || found->second.stamp != stamp) return false;
  const auto& element = found->second.element;
  return !element || winner({element->type, element->id}) != &*element ||
         index_.stamp(element->uri()) == stamp;
}

bool Collection::is_known(const Place& place, std::uint64_t stamp) const {
  const Lock lock(mutex_);
  const auto found = files_.find(place);
  return found != files_.end() && found->second.stamp == stamp;
}

void Collection::load_folder(std::size_t which, ElementType type) {
  const auto opened = folder(which);
  const auto seen = opened ? lode::sweep(opened->root(), opened->filter()) : not_found("");
  std::set<Place> places;
  {
    const Lock lock(mutex_);
    for (auto at = files_.lower_bound({which, ""}); at != files_.end(); ++at) {
      if (at->first.folder == which) places.insert(at->first);
    }
  }
  for (std::size_t i = 0; seen && i < seen->size(); ++i) {
    if (S_ISREG(seen->state(i).mode)) places.insert({which, std::string(seen->path(i))});
  }
  for (const auto& place : places) {
    const bool of_type =
        sources_[which].skills_only
            ? type == ElementType::skill
            : find_element_type(place.file.substr(0, place.file.find('/'))) == type;
    const auto stamp = opened ? opened->root().stamp(place.file) : 0;
    if (of_type && !is_known(place, stamp)) reread(place);
  }
}

void Collection::load(ElementType type) {
  if (!loading()) return;
  for (std::size_t which = 0; which < sources_.size(); ++which) {
    open_folder(which);
    load_folder(which, type);
  }
  tell();
}

void Collection::look_at(std::size_t which, const Changes& changes, const std::stop_token& stop) {
  if (changes.root_gone) {
    std::shared_ptr<ElementFolder> closed;  // destroyed without the lock
    std::vector<Place> gone;
    {
      const Lock lock(mutex_);
      closed = std::move(open_[which]);
      for (auto at = files_.lower_bound({which, ""}); at != files_.end(); ++at) {
        if (at->first.folder == which) gone.push_back(at->first);
      }
    }
    for (const auto& place : gone) reread(place);
    return;
  }
  if (changes.everything || !changes.trees.empty()) return sweep_folder(which, stop);
  for (const auto& path : changes.paths) reread({which, path});
  if (std::any_of(changes.paths.begin(), changes.paths.end(), is_skill_sheet)) {
    settle_skills(which, changes.paths, stop);
  }
}

// Where a SKILL.md came, the other files of its folder are elements no more; and
// where one went, they may be.
void Collection::settle_skills(std::size_t which, const std::vector<std::string>& paths,
                               const std::stop_token& stop) {
  std::vector<Place> known;
  {
    const Lock lock(mutex_);
    for (const auto& path : paths) {
      if (!is_skill_sheet(path)) continue;
      const auto folder = path.substr(0, path.rfind('/') + 1);
      for (auto at = files_.lower_bound({which, folder}); at != files_.end(); ++at) {
        if (at->first.folder != which || !at->first.file.starts_with(folder)) break;
        if (at->first.file != path) known.push_back(at->first);
      }
    }
  }
  for (const auto& place : known) reread(place);
  sweep_folder(which, stop);
}

void Collection::rest(std::chrono::milliseconds time, const std::stop_token& stop) {
  const auto until = std::chrono::steady_clock::now() + time;
  const Lock lock(mutex_);
  while (!awaited_ && !stop.stop_requested() && std::chrono::steady_clock::now() < until) {
    wake_.wait_until(mutex_, until);
  }
}

void Collection::end_loading(const Hooks& hooks, const std::stop_token& stop) {
  if (stop.stop_requested()) return;  // not everything was looked at
  drop_unknown_from_index();
  {
    const Lock lock(mutex_);
    loading_ = false;
    if (!remembered_.empty()) changed_since_saved_ = true;
    remembered_.clear();
    loaded_.notify_all();
  }
  if (hooks.loaded) hooks.loaded();
}

void Collection::run(const Hooks& hooks, const std::stop_token& stop) {
  rest(hooks.delay, stop);
  if (hooks.before) hooks.before();
  bool first = true;
  while (!stop.stop_requested()) {
    bool news = false;
    for (std::size_t which = 0; which < sources_.size(); ++which) {
      open_folder(which);
      if (!is_unswept(which)) continue;
      sweep_folder(which, stop);
      news = true;
    }
    if (std::exchange(first, false)) {
      end_loading(hooks, stop);
      news = true;
    }
    std::vector<std::pair<std::size_t, Changes>> told;
    {
      const Lock lock(mutex_);
      told.swap(told_);
    }
    std::erase_if(told, [](const auto& item) { return item.second.begun; });
    for (const auto& [which, changes] : told) look_at(which, changes, stop);
    if (news || !told.empty()) tell(std::move(told));
    const Lock lock(mutex_);
    if (told_.empty() && !stop.stop_requested()) {
      wake_.wait_until(mutex_, std::chrono::steady_clock::now() + kLookForFolder);
    }
  }
}

Status Collection::save(const std::string& file) {
  std::string bytes;
  {
    const Lock lock(mutex_);
    if (!std::exchange(changed_since_saved_, false)) return {};
    bytes = encode(files_);
  }
  return write_derived(file, bytes);
}

Status Collection::remember(const std::string& file) {
  auto bytes = read_derived(file, kRememberedBytes);
  if (!bytes) return std::move(bytes).error();
  auto records = decode_records(bytes->view());
  if (!records) return std::move(records).error().in(file);
  const Lock lock(mutex_);
  remembered_ = std::move(*records);
  changed_since_saved_ = false;
  return {};
}

}  // namespace lode
