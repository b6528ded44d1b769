// All elements there are: of the workspace and of the user, as their files say.
//
// Two folders hold them, each with a directory for each type, the workspace's
// first: of two elements with one type and id, the workspace's counts, and of
// two in one folder the one whose file comes first, with a problem noted. A
// folder may be missing, and may come and go.
//
// start() begins a thread that reads everything, follows what changes in the
// folders, and keeps the search index alike (kind "element"). Until the first
// reading is over, loading() is true and there is less than there will be.
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
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "search/index.h"
#include "workspace/changes.h"

namespace lode {

class ElementFolder;

class Collection {
 public:
  static constexpr std::size_t kFileBytes = std::size_t{2} << 20;
  static constexpr std::string_view kIndexKind = "element";

  struct Folders {
    std::string workspace;
    std::string user;
  };
  // Told, from any thread and without a lock held, which elements came, went or
  // changed; none if only loading() did.
  using Key = std::pair<ElementType, std::string>;  // type and id
  using Changed = std::function<void(const std::set<Key>&)>;

  // REQUIRES: index and log outlive it.
  Collection(Folders folders, Index& index, Log& log, Changed changed);
  ~Collection();

  void start();
  bool loading() const LODE_EXCLUDES(mutex_);
  // Until the first reading is over. REQUIRES: started.
  void wait_loaded() LODE_EXCLUDES(mutex_);
  // Reads the files of a type now, as far as they have changed: for who needs
  // them before the first reading is over, or without start(), when nothing is
  // indexed and nobody watches. Does nothing once all are read.
  void load(ElementType type) LODE_EXCLUDES(reading_, mutex_);

  // By type and id; else by type and name, upper and lower case and punctuation
  // aside.
  std::optional<Element> find(ElementType type, std::string_view id) const LODE_EXCLUDES(mutex_);
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
  // lead nowhere. At most `most`.
  std::vector<Problem> problems(std::size_t most) const LODE_EXCLUDES(mutex_);

  // A number that grows whenever an element of the type comes, goes or changes.
  std::uint64_t generation(ElementType type) const LODE_EXCLUDES(mutex_);

  // Where the elements of the workspace or of the user are; null: nowhere now.
  std::shared_ptr<ElementFolder> folder(bool of_workspace) const LODE_EXCLUDES(mutex_);
  // The whole file of an element. Code::not_found: it has gone.
  Result<std::string> text_of(const Element& element) const LODE_EXCLUDES(mutex_);

  // Reads one file again; for who has just written it.
  void refresh(bool of_workspace, const std::string& file) LODE_EXCLUDES(reading_, mutex_);

  const Folders& folders() const { return folders_; }

 private:
  struct Place {
    std::size_t folder = 0;  // 0: the workspace's
    std::string file;
    auto operator<=>(const Place&) const = default;
  };
  struct Kept {
    std::optional<Element> element;  // nothing: malformed
    std::vector<Problem> problems;
  };
  struct Update {
    Place place;
    std::optional<ElementReading> reading;
    std::optional<Problem> malformed;
  };

  void open_folder(std::size_t which) LODE_EXCLUDES(mutex_);
  bool is_unswept(std::size_t which) LODE_EXCLUDES(mutex_);
  void run(const std::stop_token& stop);
  void sweep_folder(std::size_t which, const std::stop_token& stop);
  void load_folder(std::size_t which, ElementType type);
  bool is_known(const Place& place, std::uint64_t stamp) const LODE_EXCLUDES(mutex_);
  void look_at(std::size_t which, const Changes& changes, const std::stop_token& stop);
  void reread(const Place& place) LODE_EXCLUDES(reading_, mutex_);
  Update read(std::size_t which, const std::string& file) const;
  void take(Update update) LODE_REQUIRES(reading_) LODE_EXCLUDES(mutex_);
  void forget(const Place& place) LODE_REQUIRES(mutex_);
  const Element* winner(const Key& key) const LODE_REQUIRES(mutex_);
  const Element* find_locked(ElementType type, std::string_view id) const LODE_REQUIRES(mutex_);
  const Element* resolve_locked(const Relation& relation) const LODE_REQUIRES(mutex_);
  void update_index(const Key& key, const Place& place, const std::string& searched)
      LODE_EXCLUDES(mutex_);
  void drop_unknown_from_index();
  void tell() LODE_EXCLUDES(mutex_);

  const Folders folders_;
  Index& index_;
  Log& log_;
  const Changed changed_;

  // Held from the reading of a file until what it says is kept, so that nothing
  // older is kept after it; taken before mutex_.
  Mutex reading_;
  mutable Mutex mutex_;
  std::map<Place, Kept> files_ LODE_GUARDED_BY(mutex_);
  std::map<Key, std::set<Place>> by_id_ LODE_GUARDED_BY(mutex_);
  std::map<Key, std::set<Key>> by_name_ LODE_GUARDED_BY(mutex_);  // type and slug of the name
  std::set<Key> touched_ LODE_GUARDED_BY(mutex_);                 // and not told yet
  std::array<std::uint64_t, kElementTypeCount> generations_ LODE_GUARDED_BY(mutex_){};
  bool loading_ LODE_GUARDED_BY(mutex_) = true;
  bool started_ LODE_GUARDED_BY(mutex_) = false;

  // What watchers told, for the thread.
  Condition wake_;
  Condition loaded_;
  std::vector<std::pair<std::size_t, Changes>> told_ LODE_GUARDED_BY(mutex_);
  std::array<std::shared_ptr<ElementFolder>, 2> open_ LODE_GUARDED_BY(mutex_);  // null: missing
  std::array<bool, 2> unswept_ LODE_GUARDED_BY(mutex_){};  // opened, and not read yet
  std::jthread thread_;
};

}  // namespace lode
