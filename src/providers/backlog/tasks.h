// All tasks of the backlog, as their files say, and what they mean to each other.
//
// One directory holds them (layout.h says which of its files). It may be missing, and may
// come and go. start() begins a thread that looks at every file, follows what changes
// (follow/follower.h) and keeps the search index alike (kind "task"). Until every file has
// been looked at, loading() is true and there is less than there will be. Then the index gets
// the words of what it does not have; until that is done searchable() is false, and a search
// may find less. What was known is kept in a file, with the index: a later start looks at every
// file's stamp, and reads those alone that differ.
//
// What is kept in memory is the head of each task (task.h); a body is read when it is asked
// for. Sets of tasks, by status, label, parent and so on, are kept up to date with every
// change: the board, and what is ready, cost what they show, however many tasks there are.
//
// A task is ready if it is of the type task, open, has no reason that blocks it, and each of
// its dependencies is over or not there.
//
// Invariants:
//  (1) What find() and each() give is what a file said when it was last read; after
//      refresh(file), what it says now.
//  (2) Of files with one id the one with the shortest path counts; the others are problems. The
//      index holds exactly the tasks that count, while searchable() is true.
//  (3) A file is read once, for its head and for its words, as long as the texts that wait for the
//      index have at most kKeptTextBytes; what is beyond that is read again for its words.
//  (4) A malformed file is a task without fields, and is not touched.
//
// Any thread.
#pragma once

#include <array>
#include <atomic>
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
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/rest.h"
#include "base/result.h"
#include "follow/file_reader.h"
#include "follow/follower.h"
#include "providers/backlog/task.h"
#include "providers/backlog/task_query.h"
#include "search/blocks.h"
#include "search/index.h"
#include "workspace/secrets.h"

namespace lode {

class Tasks final : private FileReader {
 public:
  static constexpr std::string_view kIndexKind = "task";
  static constexpr std::size_t kToldSingly = 1000;
  static constexpr std::size_t kKeptTextBytes = std::size_t{16} << 20;

  struct Place {
    std::string directory;  // absolute; as it is known, perhaps through links
    // A directory that it must not lead out of, and what is hidden in that. Empty: wherever it
    // leads.
    std::string within{};
    SecretRules secrets{};
    // Where what is known is kept between runs. Empty: nowhere.
    std::string kept_in{};
  };
  // What changed: tasks that came, went or are another, as they were and as they are, by key.
  struct Changed {
    std::optional<TaskHead> before{};
    std::optional<TaskHead> now{};
  };
  struct News {
    std::map<std::string, Changed> tasks;
    bool many = false;        // more than kToldSingly: they are not named
    bool loaded = false;      // loading() became false
    bool searchable = false;  // searchable() became true
  };
  // Told from any thread, without a lock held.
  using Tell = std::function<void(const News&)>;

  // REQUIRES: the log outlives it.
  Tasks(Place place, Log& log, Tell tell);
  ~Tasks() override;

  // REQUIRES: called once; the rest, if there is one, outlives this.
  void start(Rest* rest = nullptr);
  // Ends the thread, and saves; nothing is followed any more.
  void stop();
  bool loading() const LODE_EXCLUDES(mutex_);
  // Until everything has been looked at; false: it was not by then, or nobody started.
  using TimePoint = std::chrono::steady_clock::time_point;
  bool wait_loaded(TimePoint deadline = TimePoint::max()) LODE_EXCLUDES(mutex_);
  // Reads now, on the caller's thread, the files that have changed: for who needs all of them
  // without start(), when nobody watches. Does nothing once all are read. They are not searched.
  void load_now() LODE_EXCLUDES(mutex_);
  // Whether the index has all tasks; and until it does. False: it had not by then.
  bool searchable() const LODE_EXCLUDES(mutex_);
  bool wait_searchable(TimePoint deadline = TimePoint::max()) LODE_EXCLUDES(mutex_);

  // ---- one task ----

  // In any case. Nothing: there is none.
  std::optional<TaskHead> find(std::string_view id) const LODE_EXCLUDES(mutex_);
  // By its file, whether or not it counts.
  std::optional<TaskHead> in_file(std::string_view file) const LODE_EXCLUDES(mutex_);
  // All files with that id, the one that counts first.
  std::vector<TaskHead> all_with(std::string_view id) const LODE_EXCLUDES(mutex_);
  // The whole of it, from its file as it is now. Code::not_found: it has gone.
  Result<Task> read_whole(const TaskHead& task) const;
  // The bytes of its file, of at most so many; with its attributes.
  struct Bytes {
    std::string text;
    std::uint64_t size = 0;
    std::uint64_t stamp = 0;
    std::chrono::system_clock::time_point modified;
  };
  Result<Bytes> bytes_of(const TaskHead& task, std::size_t most) const;

  // ---- what they mean to each other ----

  using Shows = std::function<bool(const TaskHead&)>;
  // Those whose parent it is, by rank.
  std::vector<TaskHead> children(std::string_view id) const LODE_EXCLUDES(mutex_);
  // Its dependencies that are not over: what blocks it.
  std::vector<TaskHead> blockers(const TaskHead& task) const LODE_EXCLUDES(mutex_);
  // Those that depend on it and are not over.
  std::vector<TaskHead> blocked_by(std::string_view id) const LODE_EXCLUDES(mutex_);
  bool is_ready(const TaskHead& task) const LODE_EXCLUDES(mutex_);
  // The same for who does not see every task: one that is not shown blocks nothing.
  bool is_ready(const TaskHead& task, const Shows& shows) const LODE_EXCLUDES(mutex_);
  // Whether, if `id` depended on (or had as its parent) `other`, there would be a cycle.
  bool depends_on(std::string_view other, std::string_view id) const LODE_EXCLUDES(mutex_);
  bool is_below(std::string_view other, std::string_view id) const LODE_EXCLUDES(mutex_);

  // ---- many ----

  // Each task that counts, by id, until the callback says false. The lock is held meanwhile.
  using Visit = std::function<bool(const TaskHead&)>;
  void each(const Visit& visit) const LODE_EXCLUDES(mutex_);
  // The same from a key on (task_key()).
  void each_from(std::string_view key, const Visit& visit) const LODE_EXCLUDES(mutex_);

  struct Query {
    TaskFilter filter{};
    TaskSort sort = TaskSort::rank;
    std::string after{};      // the sort_key() of the last one of the page before
    std::size_t limit = 100;  // at most so many
    Shows shows{};            // called with the lock held; none: all
  };
  struct Listed {
    std::vector<TaskHead> tasks;
    bool more = false;
  };
  Listed list(const Query& query) const LODE_EXCLUDES(mutex_);
  // How many that list has, on all of its pages.
  std::size_t count(const Query& query) const LODE_EXCLUDES(mutex_);

  // How many there are, of each type and status; of folders and artifacts under `open`, and of
  // malformed ones nowhere.
  using ByStatus = std::array<std::size_t, kTaskStatusCount>;
  using Counts = std::array<ByStatus, kTaskTypeCount>;
  Counts counts() const LODE_EXCLUDES(mutex_);
  std::size_t ready_count() const LODE_EXCLUDES(mutex_);
  std::size_t size() const LODE_EXCLUDES(mutex_);  // tasks that count

  // Labels and assignees that some task has, by name.
  std::vector<std::string> labels(std::string_view begin, std::size_t most) const
      LODE_EXCLUDES(mutex_);
  std::vector<std::string> assignees(std::string_view begin, std::size_t most) const
      LODE_EXCLUDES(mutex_);

  // ---- what is amiss ----

  struct Problem {
    TaskHead task;  // whose file it is
    std::size_t line = 0;
    std::string text;
  };
  // Malformed files, wrong fields, ids used twice, parents and dependencies that are not there,
  // and cycles. At most kMostProblems. For who does not see every task (shows is called with the
  // lock held; none: all): of those that he sees, and as if there were no others.
  static constexpr std::size_t kMostProblems = 1000;
  std::vector<Problem> problems(const Shows& shows = {}) const LODE_EXCLUDES(mutex_);
  // How many files have a problem of their own or an id that another has: what is known without
  // looking at all of them. As for problems().
  std::size_t troubled(const Shows& shows) const LODE_EXCLUDES(mutex_);

  // ---- for who writes ----

  // Reads one file again; for who has just written it. file: below the directory.
  void refresh(const std::string& file) LODE_EXCLUDES(mutex_);
  // The directory, opened; null: it is not there now.
  std::shared_ptr<const FollowedTree> folder() const;
  const std::string& directory() const { return place_.directory; }
  const Place& place() const { return place_; }
  // The path of a task's file, as the directory is known.
  std::string path_of(const TaskHead& task) const { return path_of(task.file); }
  std::string path_of(std::string_view file) const;
  // The other way: what a path is below the directory, by its name or where that really is.
  // Nothing: it is not in it.
  std::optional<std::string> file_at(std::string_view path) const;
  // Reads the file now, unless all that changes is followed, and tells nobody: for who must know
  // what it says. file: below the directory.
  void look_again(const std::string& file) LODE_EXCLUDES(mutex_);

  // ---- searching ----

  const Index& index() const { return index_; }
  struct Hit {
    TaskHead task;
    double score = 0;
  };
  // Best first: the task with that very id, then by words, where the title weighs more than the
  // body, what is open more than what is over, and what was changed lately more than what was
  // not. Of the tasks that the filter has and that are shown; that is asked without a lock,
  // unless the filter says whether they are ready.
  std::vector<Hit> search(std::string_view words, const TaskFilter& filter, std::size_t limit,
                          const Shows& shows) const LODE_EXCLUDES(mutex_);

 private:
  struct Record {
    TaskHead head;
    std::vector<TaskProblem> problems;
    std::string rank{};  // sort_key(TaskSort::rank)
  };
  using Records = std::map<std::string, Record, std::less<>>;  // by file
  struct ByRank {
    using is_transparent = void;
    bool operator()(const Record* a, const Record* b) const { return a->rank < b->rank; }
    bool operator()(const Record* a, std::string_view b) const { return a->rank < b; }
    bool operator()(std::string_view a, const Record* b) const { return a < b->rank; }
  };
  struct KeptText {
    std::uint64_t stamp = 0;  // of the file
    std::string_view text;    // in text_blocks_
  };
  // Some of the tasks that count; in files_.
  using Ranked = std::set<const Record*, ByRank>;
  using ByName = std::map<std::string, Ranked, std::less<>>;

  // What the follower asks and tells.
  std::shared_ptr<const FollowedTree> open(std::size_t which,
                                           const Watcher::Callback& changed) override;
  Standing standing(const FilePlace& place, std::uint64_t stamp) override LODE_EXCLUDES(mutex_);
  std::size_t known_files() const override LODE_EXCLUDES(mutex_);
  void each_known(std::size_t which, std::string_view directory,
                  const FileReader::Visit& visit) const override LODE_EXCLUDES(mutex_);
  bool read(const FilePlace& place, const OpenFile& file) override LODE_EXCLUDES(indexing_, mutex_);
  void forget(const FilePlace& place) override LODE_EXCLUDES(indexing_, mutex_);
  void load_kept() override LODE_EXCLUDES(indexing_, mutex_);
  void settled(const Settled& settled) override LODE_EXCLUDES(mutex_);

  // text: what is searched in it.
  void take(const std::string& file, std::optional<Record> record, const std::string& text)
      LODE_EXCLUDES(indexing_, mutex_);
  void keep_text(const std::string& file, std::uint64_t stamp, std::string_view text)
      LODE_REQUIRES(mutex_);
  void keep(const std::string& file, std::optional<Record> record) LODE_REQUIRES(mutex_);
  void touch(const std::string& key) LODE_REQUIRES(mutex_);
  void enter(const Record& record) LODE_REQUIRES(mutex_);
  void leave(const Record& record) LODE_REQUIRES(mutex_);
  void count(const TaskHead& task, bool comes) LODE_REQUIRES(mutex_);
  void update_ready(const Record& record) LODE_REQUIRES(mutex_);
  void update_trouble(const std::string& key) LODE_REQUIRES(mutex_);
  void update_dependents(const std::string& key) LODE_REQUIRES(mutex_);
  bool ready_now(const TaskHead& task, const Shows* shows) const LODE_REQUIRES(mutex_);
  // The one that counts; null: there is none.
  const Record* first_with(std::string_view key) const LODE_REQUIRES(mutex_);
  const TaskHead* winner(std::string_view key) const LODE_REQUIRES(mutex_);
  const Ranked* narrowest(const Query& query) const LODE_REQUIRES(mutex_);
  bool has(const Query& query, const TaskHead& task) const LODE_REQUIRES(mutex_);
  // What TaskFilter::matches() leaves out.
  bool fits_readiness(const TaskFilter& filter, const TaskHead& task, const Shows& shows) const
      LODE_REQUIRES(mutex_);
  Listed list_by_rank(const Query& query, const Ranked& among) const LODE_REQUIRES(mutex_);
  Listed list_sorted(const Query& query, const Ranked& among) const LODE_REQUIRES(mutex_);
  std::vector<TaskHead> heads_of(const Ranked* ranked) const LODE_REQUIRES(mutex_);
  bool reaches(std::string_view from, std::string_view to, bool by_parent) const
      LODE_REQUIRES(mutex_);
  static void peel(std::map<std::string, std::set<std::string>>& leads_to);
  // Of the tasks that count, those that somebody sees, by key.
  using Seen = std::map<std::string_view, const TaskHead*>;
  Seen seen_by(const Shows& shows) const LODE_REQUIRES(mutex_);
  static std::set<std::string> keys_in_cycles(const Seen& seen, bool by_parent);
  static std::vector<std::string> names_in(const ByName& names, std::string_view begin,
                                           std::size_t most);
  std::vector<Problem> find_problems(const Shows& shows) const LODE_REQUIRES(mutex_);
  static void find_cycles(const Seen& seen, std::vector<Problem>& out);
  using PutInIndex = std::function<Status(const Index::Document&)>;
  void put_in_index(const TaskHead& task, std::string_view text, const PutInIndex& put);
  // What a search looks for words in, as the file says it now.
  std::string searched_now(const TaskHead& task) const;
  void update_index(const std::string& key, const std::string& before, const std::string& file,
                    const std::string& text) LODE_REQUIRES(indexing_) LODE_EXCLUDES(mutex_);
  void fill_index() LODE_EXCLUDES(indexing_, mutex_);
  std::vector<std::string> not_indexed() const LODE_EXCLUDES(mutex_);
  void put_known(const std::string& key, const PutInIndex& put) LODE_EXCLUDES(mutex_);
  void put_each(const std::vector<std::string>& keys, const PutInIndex& put) LODE_EXCLUDES(mutex_);
  void drop_unknown_from_index() LODE_EXCLUDES(mutex_);
  Status load_file() LODE_EXCLUDES(mutex_);
  void save() LODE_EXCLUDES(mutex_);
  enum class What : std::uint8_t { changes, loaded, searchable };
  void tell(What what) LODE_EXCLUDES(mutex_);

  const Place place_;
  Log& log_;
  const Tell tell_;
  Index index_;
  Rest* rest_ = nullptr;  // set before the thread begins

  // Held from when another file counts until the index says so. Taken before mutex_.
  Mutex indexing_;
  mutable Mutex mutex_;
  Records files_ LODE_GUARDED_BY(mutex_);
  // By key; the files that have it, the one that counts first.
  std::map<std::string, std::vector<const Record*>, std::less<>> by_id_ LODE_GUARDED_BY(mutex_);
  // Of those that count, and malformed ones in `all_` alone.
  Ranked all_ LODE_GUARDED_BY(mutex_);
  Ranked ready_ LODE_GUARDED_BY(mutex_);
  Ranked waiting_ LODE_GUARDED_BY(mutex_);                    // open, and not ready
  std::set<const Record*> troubled_ LODE_GUARDED_BY(mutex_);  // see troubled()
  std::array<Ranked, kTaskStatusCount> by_status_ LODE_GUARDED_BY(mutex_);
  ByName by_parent_ LODE_GUARDED_BY(mutex_);  // by the parent's key
  ByName by_label_ LODE_GUARDED_BY(mutex_);
  ByName by_assignee_ LODE_GUARDED_BY(mutex_);
  ByName dependents_ LODE_GUARDED_BY(mutex_);  // by the key of what they depend on
  Counts counts_ LODE_GUARDED_BY(mutex_){};
  std::map<std::string, std::optional<TaskHead>> touched_ LODE_GUARDED_BY(mutex_);  // as it was
  bool touched_many_ LODE_GUARDED_BY(mutex_) = false;
  std::uint64_t revision_ LODE_GUARDED_BY(mutex_) = 1;
  mutable std::uint64_t problems_of_ LODE_GUARDED_BY(mutex_) = 0;  // the revision
  mutable std::vector<Problem> problems_ LODE_GUARDED_BY(mutex_);  // of who sees all
  bool changed_since_saved_ LODE_GUARDED_BY(mutex_) = false;
  bool loading_ LODE_GUARDED_BY(mutex_) = true;
  bool started_ LODE_GUARDED_BY(mutex_) = false;
  // Nothing is put into the index but by fill_index(); until then texts are kept, by file.
  bool index_waits_ LODE_GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, KeptText> texts_ LODE_GUARDED_BY(mutex_);
  Blocks text_blocks_ LODE_GUARDED_BY(mutex_);  // apart from what stays, and let go as a whole
  std::atomic<bool> stopping_ = false;
  Condition loaded_;  // or searchable

  Follower follower_;
};

}  // namespace lode
