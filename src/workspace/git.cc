#include "workspace/git.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "workspace/git_allowance.h"
#include "workspace/git_directory.h"
#include "workspace/git_library.h"
#include "workspace/git_loose_objects.h"
#include "workspace/git_reference.h"
#include "workspace/git_tree_comparison.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMostWaiting = 16;  // commits, for each that is looked at

using SteadyTime = std::chrono::steady_clock::time_point;

template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

GitHistory late() {
  GitHistory none;
  none.in_time = false;
  return none;
}

// The objects of one repository.
class Repository {
 public:
  // objects: the directory of objects, relative to the root. Nothing else of the
  // repository is looked at, and no other repository that its objects may refer to.
  static std::optional<Repository> open(const GitLibrary& git, const Root& root,
                                        const std::string& objects) {
    git_odb* made = nullptr;
    if (git.odb_new(&made) != 0) return std::nullopt;
    Handle<git_odb> odb(made, git.odb_free);
    const auto add = [&](git_odb_backend* backend, int priority) {
      if (backend == nullptr) return false;
      if (git.odb_add_backend(made, backend, priority) == 0) return true;
      backend->free(backend);
      return false;
    };
    git_odb_backend* packs = nullptr;
    const auto path = join_path(root.path(), objects);
    if (git.odb_backend_pack(&packs, path.c_str()) != 0) packs = nullptr;
    if (!add(packs, 2) || !add(make_git_loose_objects(git, root, objects), 1)) return std::nullopt;
    git_repository* wrapped = nullptr;
    if (git.repository_wrap_odb(&wrapped, made) != 0) return std::nullopt;
    Handle<git_repository> repository(wrapped, git.repository_free);
    return Repository(git, std::move(odb), std::move(repository));
  }

  // False: there is no such commit, or it cannot be read.
  bool describe(const std::string& id, std::size_t commit_bytes, GitHead& head) const {
    git_oid oid;
    if (git_->oid_fromstr(&oid, id.c_str()) != 0) return false;
    const auto commit = find_commit(oid, commit_bytes);
    if (!commit) return false;
    const char* subject = git_->commit_summary(commit.get());
    if (subject != nullptr) head.subject = subject;
    head.id = id;
    head.time = std::chrono::sys_seconds(std::chrono::seconds(git_->commit_time(commit.get())));
    return true;
  }

  // Of the commit of that id and those before it.
  GitHistory history(const std::string& id, const GitLimits& limits,
                     const GitAllowance& allowance) const;

 private:
  Repository(const GitLibrary& git, Handle<git_odb> objects, Handle<git_repository> repository)
      : git_(&git), objects_(std::move(objects)), repository_(std::move(repository)) {}

  std::string hex(const git_oid& id) const {
    std::array<char, GIT_OID_HEXSZ + 1> digits{};
    return git_->oid_tostr(digits.data(), digits.size(), &id);
  }

  Handle<git_commit> find_commit(const git_oid& id, std::size_t most_bytes) const {
    Handle<git_commit> none(nullptr, git_->commit_free);
    // Its size is not asked for first: the library would follow the chain of differences
    // that the object may be made of, which can be a circle. Reading takes memory for
    // each step, and so it ends.
    git_odb_object* read = nullptr;
    if (git_->odb_read(&read, objects_.get(), &id) != 0) return none;
    const Handle<git_odb_object> object(read, git_->odb_object_free);
    const bool is_commit = git_->odb_object_type(read) == GIT_OBJECT_COMMIT;
    if (!is_commit || git_->odb_object_size(read) > most_bytes) return none;
    git_commit* commit = nullptr;
    if (git_->commit_lookup(&commit, repository_.get(), &id) != 0) return none;
    return {commit, git_->commit_free};
  }

  struct Count;
  class Queue;
  bool count_changes(const git_commit& commit, std::size_t commit_bytes, Count& count) const;

  const GitLibrary* git_;
  Handle<git_odb> objects_;
  Handle<git_repository> repository_;
};

// How many commits change which path.
struct Repository::Count {
  const std::size_t most_paths;
  const GitAllowance& allowance;
  std::unordered_map<std::string, std::size_t> commits{};  // by path

  void add(const std::string& path) {
    if (commits.size() < most_paths || commits.contains(path)) ++commits[path];
  }
};

// False: it could not be compared with its parent. A merge changes nothing of its
// own.
bool Repository::count_changes(const git_commit& commit, std::size_t commit_bytes,
                               Count& count) const {
  const auto parents = git_->commit_parentcount(&commit);
  if (parents > 1) return true;
  Handle<git_commit> parent(nullptr, git_->commit_free);
  if (parents == 1) {
    parent = find_commit(*git_->commit_parent_id(&commit, 0), commit_bytes);
    if (!parent) return false;
  }
  GitTreeComparison trees(*git_, repository_.get(), count.allowance,
                          [&](const std::string& path) { count.add(path); });
  return trees.run(parent ? git_->commit_tree_id(parent.get()) : nullptr,
                   git_->commit_tree_id(&commit));
}

// Commits that are still to be looked at, the newest first. One that cannot be
// read, as beyond the end of a shallow clone, is as if it were not there.
class Repository::Queue {
 public:
  Queue(const Repository& repository, const GitLimits& limits)
      : repository_(repository), limits_(limits) {}

  bool empty() const { return heap_.empty(); }

  void add(const git_oid& id) {
    if (seen_.size() > kMostWaiting * limits_.commits) return;
    if (!seen_.insert(repository_.hex(id)).second) return;
    auto commit = repository_.find_commit(id, limits_.commit_bytes);
    if (!commit) return;
    const auto time = repository_.git_->commit_time(commit.get());
    heap_.push_back({time, std::move(commit)});
    std::push_heap(heap_.begin(), heap_.end());
  }

  // REQUIRES: !empty().
  Handle<git_commit> take() {
    std::pop_heap(heap_.begin(), heap_.end());
    auto commit = std::move(heap_.back().commit);
    heap_.pop_back();
    return commit;
  }

 private:
  struct Waiting {
    git_time_t time;
    Handle<git_commit> commit;
    bool operator<(const Waiting& other) const { return time < other.time; }
  };

  const Repository& repository_;
  const GitLimits& limits_;
  std::vector<Waiting> heap_;
  std::set<std::string> seen_;
};

GitHistory Repository::history(const std::string& newest, const GitLimits& limits,
                               const GitAllowance& allowance) const {
  Queue queue(*this, limits);
  git_oid id;
  if (git_->oid_fromstr(&id, newest.c_str()) == 0) queue.add(id);
  GitHistory history;
  Count count{limits.paths, allowance};
  while (history.commits < limits.commits && !queue.empty()) {
    const auto commit = queue.take();
    const bool counted = count_changes(*commit, limits.commit_bytes, count);
    history.in_time = !allowance.is_over();
    history.in_memory = !allowance.memory_was_refused();
    if (!history.in_time || !history.in_memory) break;
    if (counted) ++history.commits;
    const auto parents = git_->commit_parentcount(commit.get());
    for (unsigned i = 0; i < parents; ++i) queue.add(*git_->commit_parent_id(commit.get(), i));
  }
  for (auto& [path, commits] : count.commits) history.changed.push_back({path, commits});
  std::sort(history.changed.begin(), history.changed.end(), [](const auto& a, const auto& b) {
    return a.commits != b.commits ? a.commits > b.commits : a.path < b.path;
  });
  return history;
}

// A repository that is being read, and what it may use up.
struct Reading {
  Reading(const GitLimits& limits, SteadyTime deadline, const std::stop_token& stop)
      : allowance(limits.memory_bytes, deadline, stop) {}

  // Opens the repository and describes its head.
  Status begin(const GitLibrary* git, const Root& root, const std::string& directory,
               std::size_t commit_bytes) {
    auto found = check_git_directory(root, directory);
    if (!found) return std::move(found).error();
    place = std::move(*found);
    if (git == nullptr) return Error{Code::unavailable, "libgit2 is not installed", {}};
    const Root& base = place.root(root);
    auto reference = read_git_head(base, place);
    if (!reference) return std::move(reference).error();
    head.branch = reference->branch;
    head.bare = place.kind == GitKind::bare;
    if (reference->id.empty()) return {};
    if (auto checked = check_git_packs(base, place); !checked) return checked;
    repository = Repository::open(*git, base, join_path(place.common, "objects"));
    if (repository && repository->describe(reference->id, commit_bytes, head)) return {};
    return invalid(allowance.memory_was_refused()
                       ? "the repository takes too much memory to be read"
                       : "the commit of the repository's head cannot be read");
  }

  GitAllowance allowance;  // outlives what the library makes
  GitPlace place;          // has the root that the repository reads from
  std::optional<Repository> repository;
  GitHead head;
};

}  // namespace

Git::Git(std::string library, GitLimits limits) : file_(std::move(library)), limits_(limits) {}
Git::~Git() = default;

const GitLibrary* Git::library() {
  const Lock lock(mutex_);
  if (!tried_) library_ = GitLibrary::open(file_);
  tried_ = true;
  return library_.get();
}

Result<GitHead> Git::head(const Root& root, const std::string& directory) {
  const auto* git = library();
  const Lock lock(reading_);
  Reading reading(limits_, SteadyTime::max(), {});
  if (auto begun = reading.begin(git, root, directory, limits_.commit_bytes); !begun) {
    return std::move(begun).error();
  }
  return std::move(reading.head);
}

Result<Git::HistoryPtr> Git::history(const Root& root, const std::string& directory,
                                     SteadyTime deadline, const std::stop_token& stop) {
  const auto* git = library();
  const Lock lock(reading_);
  Reading reading(limits_, deadline, stop);
  if (reading.allowance.is_over()) return std::make_shared<const GitHistory>(late());
  if (auto begun = reading.begin(git, root, directory, limits_.commit_bytes); !begun) {
    return std::move(begun).error();
  }
  const auto& id = reading.head.id;
  if (id.empty()) return std::make_shared<const GitHistory>();
  const std::string key = join_path(root.path(), directory);
  if (auto kept = find_kept(key, id)) return kept;
  auto made = std::make_shared<const GitHistory>(
      reading.repository->history(id, limits_, reading.allowance));
  if (made->in_time) keep(key, id, made);
  return made;
}

Git::HistoryPtr Git::find_kept(const std::string& key, const std::string& head) {
  const Lock lock(mutex_);
  const auto known = kept_.find(key);
  return known != kept_.end() && known->second.head == head ? known->second.history : nullptr;
}

void Git::keep(const std::string& key, const std::string& head, const HistoryPtr& history) {
  const Lock lock(mutex_);
  if (kept_.size() >= kMostKept) kept_.clear();
  kept_[key] = {head, history};
}

std::uint64_t Git::stamp(const Root& root, const std::string& directory) {
  const std::string git = join_path(directory, ".git");
  const auto pointer = root.open_without_links(git);
  if (!pointer || !pointer->is_directory()) return 0;
  std::uint64_t sum = 1;
  for (const char* name : {"HEAD", "logs/HEAD", "index", "packed-refs", "refs/heads"}) {
    sum = sum * 0x9E3779B97F4A7C15U + root.stamp(join_path(git, name));
  }
  return sum == 0 ? 1 : sum;
}

}  // namespace lode
