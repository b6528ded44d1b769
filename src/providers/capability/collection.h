// All elements there are: of the workspace and of the user, as their files say.
//
// Two folders hold them, each with a directory for each type, the workspace's
// first; and there may be folders of agent skills that other programs keep, each
// directory with a SKILL.md a skill, which count after the folder of the same
// owner and are never written. A skill that is linked there is followed where it really is
// (skill_links.h), if the link was there at the start. Of two elements with one type and id, the
// workspace's counts, else the one whose folder or file comes first, with a
// problem noted. A folder may be missing, and may come and go.
//
// start() begins a thread that looks at every file, follows what changes in the
// folders (follow/follower.h), and keeps the search index alike (kind "element").
// Until every file has been looked at, loading() is true and there is less than
// there will be. What save() kept spares it to read the files that are as they were.
//
// Invariants:
//  (1) What find() and each() give is what a file said when it was last read;
//      after refresh(file), what it says now.
//  (2) The index holds exactly the elements that count, once nothing is left to
//      be read.
//  (3) A file that is malformed gives a problem and no element, and is not
//      touched.
//
// Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "base/result.h"
#include "follow/file_reader.h"
#include "follow/follower.h"
#include "providers/capability/collection_file.h"
#include "providers/capability/element.h"
#include "providers/capability/folder.h"
#include "search/index.h"
#include "workspace/secrets.h"

namespace lode {

class Collection final : private FileReader {
 public:
  static constexpr std::size_t kFileBytes = std::size_t{2} << 20;
  static constexpr std::string_view kIndexKind = "element";

  // Of agent skills.
  struct SkillsFolder {
    std::string path;
    std::string name;  // for people: ".claude/skills"
    bool of_workspace = false;
  };
  struct Folders {
    std::string workspace;
    std::string user;
    std::vector<SkillsFolder> skills{};
    // The directory that the workspace's folders are in and must not lead out
    // of, and what is hidden in it. Empty: wherever they lead.
    std::string root{};
    SecretRules secrets{};
    // What links in the user's folders of skills must not lead out of. Empty: wherever.
    std::string home{};
  };
  using Key = std::pair<ElementType, std::string>;  // type and id
  struct News {
    // Came, went or changed; with the paths of the files that did it.
    std::map<Key, std::set<std::string>> elements;
    ToldChanges files;  // what else changed, by folder, as its watcher told it
    // Files that are no element, or were none, because something is wrong with them: by
    // path, the address that they would have.
    std::map<std::string, std::string> malformed{};
  };
  // Told, from any thread and without a lock held; of nothing, if only loading()
  // changed.
  using Changed = std::function<void(const News&)>;

  // REQUIRES: index and log outlive it.
  Collection(Folders folders, Index& index, Log& log, Changed changed);
  ~Collection() override;

  // What the thread does before it looks at the first file, and after the last.
  struct Hooks {
    std::function<void()> before;
    std::function<void()> loaded;
    // How long it rests first, unless somebody waits for it: the program's first
    // answer is to have the processor for itself.
    std::chrono::milliseconds delay{0};
  };
  void start() { start(Hooks()); }
  void start(Hooks hooks);
  // Ends the thread; nothing is followed any more.
  void stop();
  bool loading() const LODE_EXCLUDES(mutex_);
  // Until everything has been looked at; false: it was not by then, or nobody
  // started.
  using TimePoint = std::chrono::steady_clock::time_point;
  bool wait_loaded(TimePoint deadline = TimePoint::max()) LODE_EXCLUDES(mutex_);
  // Reads the files of a type now, as far as they have changed: for who needs
  // them before the first reading is over, or without start(), when nothing is
  // indexed and nobody watches. Does nothing once all are read.
  void load(ElementType type) LODE_EXCLUDES(mutex_);

  // By type and id; else by type and name, upper and lower case and punctuation
  // aside, if one alone has it.
  std::optional<Element> find(ElementType type, std::string_view id) const LODE_EXCLUDES(mutex_);
  // The same among those that are shown: one that counts and is not shown hides none
  // that has its id too. Of several with a name, the first. The function is called without
  // a lock.
  using Shows = std::function<bool(const Element&)>;
  std::optional<Element> find(ElementType type, std::string_view id, const Shows& shows) const
      LODE_EXCLUDES(mutex_);
  // The ids of those that are shown and have a name, upper and lower case and punctuation
  // aside: more than one, and the name says not which is meant.
  std::vector<std::string> ids_of(ElementType type, std::string_view name, const Shows& shows) const
      LODE_EXCLUDES(mutex_);
  // What finds the element and is short: its id, or its name in lower case with dashes, if
  // that is shorter and no other has it.
  std::string short_id(const Element& element) const LODE_EXCLUDES(mutex_);
  // What a file of the workspace's or the user's own folder says.
  std::optional<Element> in_file(bool of_workspace, const std::string& file) const
      LODE_EXCLUDES(mutex_);
  // The element that a relation means, if there is one.
  std::optional<Element> resolve(const Relation& relation) const LODE_EXCLUDES(mutex_);

  // Each element that counts, by type and id, from the first after a key on,
  // until the callback says false. The lock is held meanwhile.
  using Visit = std::function<bool(const Element&)>;
  void each(const Visit& visit) const LODE_EXCLUDES(mutex_);
  void each(ElementType type, std::string_view after, const Visit& visit) const
      LODE_EXCLUDES(mutex_);

  using Counts = std::array<std::size_t, kElementTypeCount>;
  Counts counts() const LODE_EXCLUDES(mutex_);
  // What is amiss: malformed files, wrong fields, ids used twice, relations that
  // lead nowhere. At most `most`, and no more than kMostProblems.
  static constexpr std::size_t kMostProblems = 1000;
  std::vector<Problem> problems(std::size_t most) const LODE_EXCLUDES(mutex_);

  // Of links in the folders of agent skills that are not followed. Looks at the folders.
  std::vector<Problem> link_problems() const;

  // A number that grows whenever an element of the type comes, goes or changes.
  std::uint64_t generation(ElementType type) const LODE_EXCLUDES(mutex_);

  // Element::folder, opened; null: it is not there now.
  std::shared_ptr<const FollowedTree> folder(std::size_t which) const;
  // The whole file of an element. Code::not_found: it has gone.
  Result<std::string> text_of(const Element& element) const;

  // Reads one file of the workspace's or the user's own folder again; for who has
  // just written it.
  void refresh(bool of_workspace, const std::string& file) LODE_EXCLUDES(mutex_);

  // Keeps what the files said for another start, if the file does not hold it
  // already.
  Status save(const std::string& file) LODE_EXCLUDES(mutex_);
  // What save() kept is believed of each file whose stamp is the same, and that is
  // in the index. REQUIRES: not started, or in Hooks::before. Code::not_found: no
  // such file. Code::invalid: of another version, or damaged.
  Status remember(const std::string& file) LODE_EXCLUDES(mutex_);

  const Folders& folders() const { return folders_; }
  // The path of an element's file, as its folder is known: it may lead through links,
  // and nothing need be there. Empty: there is no such folder.
  std::string path_of(const Element& element) const;
  std::string path_of(const FilePlace& place) const;
  // Of a folder: whose it is.
  bool is_of_workspace(std::size_t which) const { return sources_[which].of_workspace; }
  // The other way: which file of its folders a path names, by the name of the folder or where
  // that really is. Nothing: it is in none.
  std::optional<FilePlace> place_of(std::string_view path) const;
  // The address of the element that a file is, or would be if it were not malformed.
  std::optional<std::string> address_at(const FilePlace& place) const LODE_EXCLUDES(mutex_);
  // Reads the file now, and the SKILL.md of the folder that it is in, unless all that changes
  // is followed: for who must know what they say.
  void look_again(const FilePlace& place) LODE_EXCLUDES(mutex_);
  // A file's name for people.
  std::string shown(const FilePlace& place) const;

 private:
  // What a file says; no record: it is no element's.
  struct Reading {
    std::optional<ElementRecord> record{};
    std::string searched{};
  };

  // What the follower asks and tells.
  std::shared_ptr<const FollowedTree> open(std::size_t which,
                                           const Watcher::Callback& changed) override
      LODE_EXCLUDES(mutex_);
  Standing standing(const FilePlace& place, std::uint64_t stamp) override
      LODE_EXCLUDES(indexing_, mutex_);
  std::size_t known_files() const override LODE_EXCLUDES(mutex_);
  void each_known(std::size_t which, std::string_view directory,
                  const FileReader::Visit& visit) const override LODE_EXCLUDES(mutex_);
  More more(std::size_t which, const Changes& changes) const override LODE_EXCLUDES(mutex_);
  bool read(const FilePlace& place, const OpenFile& file) override LODE_EXCLUDES(indexing_, mutex_);
  void forget(const FilePlace& place) override LODE_EXCLUDES(indexing_, mutex_);
  void load_kept() override;
  void settled(const Settled& settled) override LODE_EXCLUDES(mutex_);

  FilePlace own_place(bool of_workspace, const std::string& file) const;
  std::vector<Element> candidates(ElementType type, std::string_view id) const
      LODE_EXCLUDES(mutex_);
  std::optional<ElementType> type_of(const FilePlace& place) const;
  std::function<bool(std::string_view)> skill_finder(std::size_t which) const;
  // Of a file that looks like an element's and is none: what is wrong.
  std::optional<std::string> misplaced(const FilePlace& place) const;
  // The address of the element that a malformed file would be.
  static std::string address_meant(const FilePlace& place, bool skills_only);
  Reading reading_of(const FilePlace& place, const OpenFile& file) const;
  bool is_current(const FilePlace& place, std::uint64_t stamp) const LODE_REQUIRES(mutex_);
  bool adopt(const FilePlace& place, std::uint64_t stamp) LODE_REQUIRES(indexing_, mutex_);
  void take(const FilePlace& place, Reading reading) LODE_EXCLUDES(indexing_, mutex_);
  void keep(const FilePlace& place, std::optional<ElementRecord> record) LODE_REQUIRES(mutex_);
  void erase(const FilePlace& place) LODE_REQUIRES(mutex_);
  // Notes what is to be told.
  void touch(const FilePlace& place, const ElementRecord& record) LODE_REQUIRES(mutex_);
  void touch_next(const FilePlace& place, const Key& key) LODE_REQUIRES(mutex_);
  void end_loading() LODE_EXCLUDES(mutex_);
  std::vector<Problem> find_problems() const LODE_REQUIRES(mutex_);
  const Element* winner(const Key& key) const LODE_REQUIRES(mutex_);
  const Element* find_locked(ElementType type, std::string_view id) const LODE_REQUIRES(mutex_);
  const Element* resolve_locked(const Relation& relation) const LODE_REQUIRES(mutex_);
  void update_index(const Key& key, const FilePlace& place, const std::string& searched)
      LODE_REQUIRES(indexing_) LODE_EXCLUDES(mutex_);
  void drop_unknown_from_index() LODE_EXCLUDES(mutex_);
  void tell(ToldChanges files = {}) LODE_EXCLUDES(mutex_);

  const Folders folders_;
  const std::vector<ElementSource> sources_;  // the first counts first
  Index& index_;
  Log& log_;
  const Changed changed_;
  Hooks hooks_;               // both set before the thread begins
  std::optional<Rest> rest_;  //

  // Held from when another file counts until the index says so: of several with one id
  // it holds one. Taken before mutex_.
  Mutex indexing_;
  mutable Mutex mutex_;
  ElementRecords files_ LODE_GUARDED_BY(mutex_);
  ElementRecords remembered_ LODE_GUARDED_BY(mutex_);  // of an earlier run, and not looked at yet
  std::map<Key, std::set<FilePlace>> by_id_ LODE_GUARDED_BY(mutex_);
  std::map<Key, std::set<Key>> by_name_ LODE_GUARDED_BY(mutex_);  // type and slug of the name
  News touched_ LODE_GUARDED_BY(mutex_);                          // and not told yet
  std::array<std::uint64_t, kElementTypeCount> generations_ LODE_GUARDED_BY(mutex_){};
  Counts counts_ LODE_GUARDED_BY(mutex_){};
  std::uint64_t revision_ LODE_GUARDED_BY(mutex_) = 1;
  mutable std::uint64_t problems_of_ LODE_GUARDED_BY(mutex_) = 0;  // the revision
  mutable std::vector<Problem> problems_ LODE_GUARDED_BY(mutex_);
  bool changed_since_saved_ LODE_GUARDED_BY(mutex_) = true;
  bool loading_ LODE_GUARDED_BY(mutex_) = true;
  bool told_loaded_ LODE_GUARDED_BY(mutex_) = false;  // who waits does not hear of the start later
  bool started_ LODE_GUARDED_BY(mutex_) = false;
  Condition loaded_;

  Follower follower_;
};

}  // namespace lode
