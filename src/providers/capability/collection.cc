#include "providers/capability/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/uri.h"
#include "providers/capability/folder.h"
#include "workspace/sweep.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

// How often a folder that is missing is looked for.
constexpr auto kLookForFolder = 2s;

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

}  // namespace

Collection::Collection(Folders folders, Index& index, Log& log, Changed changed)
    : folders_(std::move(folders)), index_(index), log_(log), changed_(std::move(changed)) {}

Collection::~Collection() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  wake_.notify_all();
  thread_.join();
}

void Collection::start() {
  {
    const Lock lock(mutex_);
    started_ = true;
    open_ = {};  // what load() opened is not watched
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

bool Collection::loading() const {
  const Lock lock(mutex_);
  return loading_;
}

void Collection::wait_loaded() {
  const Lock lock(mutex_);
  while (loading_) loaded_.wait(mutex_);
}

// ---- reading files ----

Collection::Update Collection::read(std::size_t which, const std::string& file) const {
  Update update{{which, file}, std::nullopt, std::nullopt};
  std::shared_ptr<ElementFolder> folder;
  {
    const Lock lock(mutex_);
    folder = open_[which];
  }
  if (!folder) return update;
  const auto has_skill = [&](std::string_view directory) {
    return folder->root().stamp(std::string(directory) + "/SKILL.md") != 0;
  };
  const auto type = type_of_file(file, has_skill);
  auto opened = type ? folder->root().open_inside(file) : not_found("");
  if (!opened || !opened->is_regular()) return update;
  auto text = read_all(*opened, kFileBytes);
  if (!text) {
    update.malformed =
        problem_of(file, fmt::format("an element's file is at most {} bytes", kFileBytes));
    return update;
  }
  auto reading = read_element({*type, file, *text, modified_of(opened->info)});
  if (!reading) {
    update.malformed = problem_of(file, reading.error().message);
    return update;
  }
  reading->element.of_workspace = which == 0;
  reading->element.stamp = stamp_of(opened->info);
  update.reading = std::move(*reading);
  return update;
}

void Collection::open_folder(std::size_t which) {
  const std::string& path = which == 0 ? folders_.workspace : folders_.user;
  const Lock lock(mutex_);
  if (open_[which] || path.empty()) return;
  Watcher::Callback callback;
  if (started_) {
    callback = [this, which](Changes changes) {
      const Lock inner(mutex_);
      told_.emplace_back(which, std::move(changes));
      wake_.notify_all();
    };
  }
  auto folder = ElementFolder::open(path, log_, std::move(callback));
  if (!folder) return;
  open_[which] = std::move(*folder);
  unswept_[which] = true;
}

// Once for each time that the folder was opened, by whomever.
bool Collection::is_unswept(std::size_t which) {
  const Lock lock(mutex_);
  return open_[which] && std::exchange(unswept_[which], false);
}

void Collection::reread(const Place& place) {
  const Lock reading(reading_);
  take(read(place.folder, place.file));
}

void Collection::refresh(bool of_workspace, const std::string& file) {
  const std::size_t which = of_workspace ? 0 : 1;
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
      auto named = by_name_.find({element->type, slug(element->name)});
      if (named != by_name_.end()) named->second.erase(key);
    }
  }
  files_.erase(found);
}

void Collection::take(Update update) {
  std::set<Key> touched;
  std::string searched;
  bool indexed = false;
  {
    const Lock lock(mutex_);
    indexed = started_;
    const auto before = files_.find(update.place);
    if (before != files_.end() && before->second.element) {
      touched.insert({before->second.element->type, before->second.element->id});
    }
    forget(update.place);
    if (update.malformed) {
      log_.warning("element skipped", {{"problem", update.malformed->sentence()}});
      files_[update.place] = {std::nullopt, {std::move(*update.malformed)}};
    }
    if (update.reading) {
      auto& element = update.reading->element;
      const Key key{element.type, element.id};
      touched.insert(key);
      by_id_[key].insert(update.place);
      by_name_[{element.type, slug(element.name)}].insert(key);
      searched = std::move(update.reading->searched);
      files_[update.place] = {std::move(element), std::move(update.reading->problems)};
    }
    for (const auto& key : touched) ++generations_[static_cast<std::size_t>(key.first)];
  }
  if (indexed) {
    for (const auto& key : touched) update_index(key, update.place, searched);
  }
  const Lock lock(mutex_);
  touched_.merge(touched);
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
    auto other = read(counts->folder, counts->file);
    body = other.reading ? std::move(other.reading->searched) : "";
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

void Collection::tell() {
  std::set<Key> touched;
  {
    const Lock lock(mutex_);
    touched.swap(touched_);
  }
  changed_(touched);
}

// ---- following the folders ----

void Collection::sweep_folder(std::size_t which, const std::stop_token& stop) {
  std::shared_ptr<ElementFolder> folder;
  {
    const Lock lock(mutex_);
    folder = open_[which];
  }
  if (!folder) return;
  auto seen = lode::sweep(folder->root(), folder->filter(), stop);
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
    if (S_ISREG(seen->state(i).mode)) reread({which, std::string(seen->path(i))});
  }
}

bool Collection::is_known(const Place& place, std::uint64_t stamp) const {
  const Lock lock(mutex_);
  const auto found = files_.find(place);
  return found != files_.end() && found->second.element && found->second.element->stamp == stamp;
}

void Collection::load_folder(std::size_t which, ElementType type) {
  const auto opened = folder(which == 0);
  if (!opened) return;
  const auto seen = lode::sweep(opened->root(), opened->filter());
  if (!seen) return;
  std::set<Place> places;
  {
    const Lock lock(mutex_);
    for (auto at = files_.lower_bound({which, ""}); at != files_.end(); ++at) {
      if (at->first.folder == which) places.insert(at->first);
    }
  }
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if (S_ISREG(seen->state(i).mode)) places.insert({which, std::string(seen->path(i))});
  }
  for (const auto& place : places) {
    const bool of_type = find_element_type(place.file.substr(0, place.file.find('/'))) == type;
    if (of_type && !is_known(place, opened->root().stamp(place.file))) reread(place);
  }
}

void Collection::load(ElementType type) {
  if (!loading()) return;
  for (std::size_t which = 0; which < 2; ++which) {
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
}

void Collection::run(const std::stop_token& stop) {
  bool first = true;
  while (!stop.stop_requested()) {
    bool news = false;
    for (std::size_t which = 0; which < 2; ++which) {
      open_folder(which);
      if (!is_unswept(which)) continue;
      sweep_folder(which, stop);
      news = true;
    }
    if (std::exchange(first, false)) {
      drop_unknown_from_index();
      const Lock lock(mutex_);
      loading_ = false;
      loaded_.notify_all();
      news = true;
    }
    std::vector<std::pair<std::size_t, Changes>> told;
    {
      const Lock lock(mutex_);
      told.swap(told_);
    }
    for (const auto& [which, changes] : told) {
      if (changes.begun) continue;
      look_at(which, changes, stop);
      news = true;
    }
    if (news) tell();
    const Lock lock(mutex_);
    if (told_.empty() && !stop.stop_requested()) {
      wake_.wait_until(mutex_, std::chrono::steady_clock::now() + kLookForFolder);
    }
  }
}

// ---- looking ----

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
  Counts counts{};
  const Lock lock(mutex_);
  for (const auto& [key, places] : by_id_) ++counts[static_cast<std::size_t>(key.first)];
  return counts;
}

std::vector<Problem> Collection::problems(std::size_t most) const {
  std::vector<Problem> out;
  const Lock lock(mutex_);
  for (const auto& [place, kept] : files_) {
    for (const auto& problem : kept.problems) out.push_back(problem);
    if (kept.element) {
      const auto& places = by_id_.at({kept.element->type, kept.element->id});
      const auto& first = *places.begin();
      if (first != place && first.folder == place.folder) {
        out.push_back({place.file, 1,
                       fmt::format("the id \"{}\" is also that of {}, which counts",
                                   kept.element->id, first.file)});
      }
      for (const auto& relation : kept.element->relations) {
        if (resolve_locked(relation) != nullptr) continue;
        out.push_back(
            {place.file, relation.line,
             fmt::format("{} \"{}\", which is not there", relation.kind, relation.target)});
      }
    }
    if (out.size() >= most) break;
  }
  if (out.size() > most) out.resize(most);
  return out;
}

std::uint64_t Collection::generation(ElementType type) const {
  const Lock lock(mutex_);
  return generations_[static_cast<std::size_t>(type)];
}

std::shared_ptr<ElementFolder> Collection::folder(bool of_workspace) const {
  const Lock lock(mutex_);
  return open_[of_workspace ? 0 : 1];
}

Result<std::string> Collection::text_of(const Element& element) const {
  std::shared_ptr<ElementFolder> folder;
  {
    const Lock lock(mutex_);
    folder = open_[element.of_workspace ? 0 : 1];
  }
  auto file = folder ? folder->root().open_inside(element.file) : not_found("");
  if (!file) return not_found("the element's file has gone");
  return read_all(*file, kFileBytes);
}

}  // namespace lode
