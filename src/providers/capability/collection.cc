#include "providers/capability/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "base/derived_file.h"
#include "base/uri.h"
#include "providers/capability/folder.h"
#include "providers/capability/skill_links.h"
#include "workspace/changes.h"

namespace lode {
namespace {

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

std::optional<Collection::Key> key_of(const ElementRecord& record) {
  if (!record.element) return std::nullopt;
  return Collection::Key{record.element->type, record.element->id};
}

bool is_skill_sheet(std::string_view path) { return path.ends_with("/SKILL.md"); }

std::string_view parent_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

// Where the links of a folder of skills lead.
void add_linked(const Collection::SkillsFolder& skills, const std::string& within,
                std::vector<ElementSource>& out) {
  for (const auto& link : skill_links(skills.path, within)) {
    if (link.directory.empty()) continue;
    const auto parent = parent_of(link.directory);
    out.push_back({std::string(parent), skills.name + "/" + link.name, within, skills.of_workspace,
                   true, link.directory.substr(parent.size() + 1), skills.path + "/" + link.name});
  }
}

std::vector<ElementSource> sources_of(const Collection::Folders& folders) {
  std::vector<ElementSource> out;
  for (const bool of_workspace : {true, false}) {
    const auto& own = of_workspace ? folders.workspace : folders.user;
    out.push_back({own, "", of_workspace ? folders.root : "", of_workspace, false});
    const auto& within = of_workspace ? folders.root : folders.home;
    for (const auto& skills : folders.skills) {
      if (skills.of_workspace != of_workspace) continue;
      out.push_back({skills.path, skills.name, within, of_workspace, true});
      add_linked(skills, within, out);
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
      follower_(*this, log, {.trees = sources_.size(), .threads = 1, .nice = 0, .watches = true}) {}

Collection::~Collection() { stop(); }

std::string Collection::path_of(const Element& element) const {
  if (element.foreign) return path_of(FilePlace{element.folder, element.file});
  const auto& own = element.of_workspace ? folders_.workspace : folders_.user;
  return own.empty() || element.file.empty() ? "" : own + "/" + element.file;
}

std::string Collection::path_of(const FilePlace& place) const {
  const auto& source = sources_[place.tree];
  if (source.only.empty()) return source.path + "/" + place.path;
  return source.link + place.path.substr(std::min(source.only.size(), place.path.size()));
}

void Collection::stop() { follower_.stop(); }

void Collection::start(Hooks hooks) {
  {
    const Lock lock(mutex_);
    started_ = true;
    hooks_ = std::move(hooks);
    rest_.emplace(hooks_.delay);
  }
  follower_.start(&*rest_);
}

bool Collection::loading() const {
  const Lock lock(mutex_);
  return loading_;
}

bool Collection::wait_loaded(TimePoint deadline) {
  const Lock lock(mutex_);
  if (started_) rest_->end();
  while (started_ && !told_loaded_ && std::chrono::steady_clock::now() < deadline) {
    loaded_.wait_until(mutex_, deadline);
  }
  return !loading_;
}

// ---- which files ----

std::shared_ptr<const FollowedTree> Collection::open(std::size_t which,
                                                     const Watcher::Callback& changed) {
  const auto& source = sources_[which];
  if (source.path.empty()) return nullptr;
  auto opened = open_tree(source.path, source.within, folders_.secrets, log_, changed, source.only);
  if (opened) return std::move(*opened);
  if (opened.error().code == Code::denied && loading()) {
    log_.warning("elements are not read", {{"problem", opened.error().message}});
  }
  return nullptr;
}

std::function<bool(std::string_view)> Collection::skill_finder(std::size_t which) const {
  return [opened = follower_.tree(which)](std::string_view directory) {
    return opened && opened->root().stamp(std::string(directory) + "/SKILL.md") != 0;
  };
}

std::optional<ElementType> Collection::type_of(const FilePlace& place) const {
  const auto has_skill = skill_finder(place.tree);
  return sources_[place.tree].skills_only ? type_of_skill(place.path, has_skill)
                                          : type_of_file(place.path, has_skill);
}

std::optional<std::string> Collection::misplaced(const FilePlace& place) const {
  if (sources_[place.tree].skills_only) return std::nullopt;
  return lode::misplaced(place.path, skill_finder(place.tree));
}

FileReader::Standing Collection::standing(const FilePlace& place, std::uint64_t stamp) {
  {
    const Lock indexing(indexing_);
    const Lock lock(mutex_);
    if (is_current(place, stamp) || adopt(place, stamp)) return Standing::current;
    if (files_.contains(place)) return Standing::outdated;
  }
  return type_of(place) || misplaced(place) ? Standing::unknown : Standing::unwanted;
}

// Also as the index has it: that may have been loaded after the file was read.
bool Collection::is_current(const FilePlace& place, std::uint64_t stamp) const {
  const auto found = files_.find(place);
  if (found == files_.end() || found->second.stamp != stamp) return false;
  const auto& element = found->second.element;
  return !started_ || !element || winner({element->type, element->id}) != &*element ||
         index_.stamp(element->uri()) == stamp;
}

// Whether what is remembered of the file holds; then it is known.
bool Collection::adopt(const FilePlace& place, std::uint64_t stamp) {
  const auto found = remembered_.find(place);
  if (found == remembered_.end() || found->second.stamp != stamp) return false;
  const auto& element = found->second.element;
  if (element && index_.stamp(element->uri()) != stamp) return false;
  keep(place, std::move(found->second));
  remembered_.erase(found);
  return true;
}

std::size_t Collection::known_files() const {
  const Lock lock(mutex_);
  return files_.size();
}

void Collection::each_known(std::size_t which, std::string_view directory,
                            const FileReader::Visit& visit) const {
  const Lock lock(mutex_);
  for (auto at = files_.lower_bound({which, std::string(directory)}); at != files_.end(); ++at) {
    const auto& [tree, path] = at->first;
    if (tree != which || !path.starts_with(directory)) break;
    if (is_within(path, directory)) visit(path);
  }
}

// Where a SKILL.md came, the other files of its folder are elements no more; and
// where one went, they may be.
FileReader::More Collection::more(std::size_t which, const Changes& changes) const {
  More more;
  more.tree = !changes.trees.empty();
  for (const auto& path : changes.paths) {
    if (!is_skill_sheet(path)) continue;
    more.tree = true;
    each_known(which, path.substr(0, path.rfind('/')),
               [&](std::string_view known) { more.paths.emplace_back(known); });
  }
  return more;
}

// ---- what they say ----

Collection::Reading Collection::reading_of(const FilePlace& place, const OpenFile& file) const {
  Reading out;
  const auto type = type_of(place);
  const auto wrong = type ? std::nullopt : misplaced(place);
  if (!type && !wrong) return out;
  auto& record = out.record.emplace();
  record.stamp = stamp_of(file.info);
  if (wrong) {
    record.problems.push_back(problem_of(place.path, *wrong));
    return out;
  }
  auto text = read_all(file, kFileBytes);
  if (!text) {
    record.problems.push_back(
        problem_of(place.path, fmt::format("an element's file is at most {} bytes", kFileBytes)));
    return out;
  }
  auto reading = read_element({*type, place.path, *text, modified_of(file.info)});
  if (!reading) {
    record.problems.push_back(problem_of(place.path, reading.error().message));
    return out;
  }
  reading->element.stamp = record.stamp;
  record.element = std::move(reading->element);
  record.problems = std::move(reading->problems);
  out.searched = std::move(reading->searched);
  return out;
}

bool Collection::read(const FilePlace& place, const OpenFile& file) {
  take(place, reading_of(place, file));
  return true;
}

void Collection::forget(const FilePlace& place) { take(place, {}); }

FilePlace Collection::own_place(bool of_workspace, const std::string& file) const {
  const auto own = std::find_if(sources_.begin(), sources_.end(), [&](const ElementSource& source) {
    return source.of_workspace == of_workspace && !source.skills_only;
  });
  return {static_cast<std::size_t>(own - sources_.begin()), file};
}

void Collection::refresh(bool of_workspace, const std::string& file) {
  follower_.look_now(own_place(of_workspace, file));
  tell();
}

void Collection::load(ElementType type) {
  if (!loading()) return;
  for (std::size_t which = 0; which < sources_.size(); ++which) {
    const bool skills_only = sources_[which].skills_only;
    if (skills_only && type != ElementType::skill) continue;
    follower_.look_through_now(which, [&](const std::string& path) {
      return skills_only || find_element_type(path.substr(0, path.find('/'))) == type;
    });
  }
  tell();
}

// ---- keeping them ----

void Collection::touch(const FilePlace& place, const ElementRecord& record) {
  const auto key = key_of(record);
  if (!key) {
    touched_.malformed[path_of(place)] = address_meant(place, sources_[place.tree].skills_only);
    return;
  }
  touched_.elements[*key].insert(path_of(place));
  ++generations_[static_cast<std::size_t>(key->first)];
}

// The file comes before others with its id, or went: the next is seen no more, or again.
void Collection::touch_next(const FilePlace& place, const Key& key) {
  const auto& places = by_id_.at(key);
  if (*places.begin() != place || places.size() == 1) return;
  touched_.elements[key].insert(path_of(*std::next(places.begin())));
}

void Collection::erase(const FilePlace& place) {
  auto found = files_.find(place);
  if (found == files_.end()) return;
  touch(place, found->second);
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
  }
  files_.erase(found);
}

// In place of what was known of the file.
void Collection::keep(const FilePlace& place, std::optional<ElementRecord> record) {
  ++revision_;
  const auto known = files_.find(place);
  const auto before = known == files_.end() ? std::nullopt : key_of(known->second);
  const auto now = record ? key_of(*record) : std::nullopt;
  if (before && before != now) touch_next(place, *before);
  erase(place);
  if (!record) return;
  if (auto& element = record->element) {
    element->folder = place.tree;
    element->of_workspace = sources_[place.tree].of_workspace;
    element->foreign = sources_[place.tree].skills_only;
    const Key key{element->type, element->id};
    auto& places = by_id_[key];
    if (places.empty()) ++counts_[static_cast<std::size_t>(element->type)];
    places.insert(place);
    by_name_[{element->type, slug(element->name)}].insert(key);
    if (before != key) touch_next(place, key);
  } else {
    Problem problem = record->problems.front();
    problem.file = shown(place);
    log_.warning("element skipped", {{"problem", problem.sentence()}});
  }
  touch(place, *record);
  files_.insert_or_assign(place, std::move(*record));
}

void Collection::take(const FilePlace& place, Reading reading) {
  std::set<Key> touched;  // before and after: the id may be another now
  bool indexed = false;
  const auto touch = [&](const std::optional<Element>& element) {
    if (element) touched.insert({element->type, element->id});
  };
  const Lock indexing(indexing_);
  {
    const Lock lock(mutex_);
    indexed = started_;
    const auto before = files_.find(place);
    if (before == files_.end() && !reading.record) return;
    if (before != files_.end()) touch(before->second.element);
    if (reading.record) touch(reading.record->element);
    changed_since_saved_ = true;
    keep(place, std::move(reading.record));
  }
  if (!indexed) return;
  for (const auto& key : touched) update_index(key, place, reading.searched);
}

// searched: what is indexed of the file at `place`.
void Collection::update_index(const Key& key, const FilePlace& place, const std::string& searched) {
  std::optional<Element> element;
  std::optional<FilePlace> counts;
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
    const auto file = follower_.open(*counts);
    body = file ? reading_of(*counts, *file).searched : "";
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

void Collection::tell(ToldChanges files) {
  News news;
  {
    const Lock lock(mutex_);
    news = std::exchange(touched_, {});
  }
  news.files = std::move(files);
  changed_(news);
}

// ---- from the first batch to the last ----

void Collection::load_kept() {
  if (hooks_.before) hooks_.before();
}

void Collection::settled(const Settled& settled) {
  if (loading() && settled.swept) end_loading();
  tell(settled.told);
  const Lock lock(mutex_);
  told_loaded_ = !loading_;
  loaded_.notify_all();
}

void Collection::end_loading() {
  drop_unknown_from_index();
  {
    const Lock lock(mutex_);
    loading_ = false;
    if (!remembered_.empty()) changed_since_saved_ = true;
    remembered_.clear();
  }
  if (hooks_.loaded) hooks_.loaded();
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
