#include "workspace/git.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>

#include "workspace/git_directory.h"
#include "workspace/git_library.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMostWaiting = 16;  // commits, for each that is looked at

using SteadyTime = std::chrono::steady_clock::time_point;

template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

// What the library says went wrong; no paths, which may lie outside of the root.
Error unreadable(const GitLibrary& git) {
  const git_error* last = git.error_last();
  std::string why = last == nullptr || last->message == nullptr ? "" : last->message;
  if (why.find('/') != std::string::npos) why.clear();
  return invalid("the repository cannot be read" + (why.empty() ? "" : ": " + why));
}

// One opened repository.
class Repository {
 public:
  static Result<Repository> open(const GitLibrary& git, const std::string& path) {
    git_repository* made = nullptr;
    if (git.repository_open_ext(&made, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
      return unreadable(git);
    }
    Handle<git_repository> repository(made, git.repository_free);
    git_odb* objects = nullptr;
    if (git.repository_odb(&objects, made) != 0) return unreadable(git);
    return Repository(git, std::move(repository), {objects, git.odb_free});
  }

  Result<GitHead> head(std::size_t commit_bytes) const {
    git_reference* found = nullptr;
    const int code = git_->repository_head(&found, repository_.get());
    if (code == GIT_EUNBORNBRANCH) return unborn();
    if (code != 0) return unreadable(*git_);
    const Handle<git_reference> reference(found, git_->reference_free);
    const git_oid* target = git_->reference_target(found);
    if (target == nullptr) return invalid("the repository's head is no commit");
    GitHead head;
    if (git_->repository_head_detached(repository_.get()) != 1) {
      head.branch = git_->reference_shorthand(found);
    }
    const auto commit = find_commit(*target, commit_bytes);
    if (!commit) return invalid("the commit of the repository's head cannot be read");
    head.id = hex(*target);
    const char* subject = git_->commit_summary(commit.get());
    if (subject != nullptr) head.subject = subject;
    head.time = std::chrono::sys_seconds(std::chrono::seconds(git_->commit_time(commit.get())));
    return head;
  }

  // Of the commit of that id and those before it.
  GitHistory history(const std::string& id, const GitLimits& limits, SteadyTime deadline,
                     const std::stop_token& stop) const;

 private:
  Repository(const GitLibrary& git, Handle<git_repository> repository, Handle<git_odb> objects)
      : git_(&git), repository_(std::move(repository)), objects_(std::move(objects)) {}

  Result<GitHead> unborn() const {
    git_reference* found = nullptr;
    if (git_->reference_lookup(&found, repository_.get(), "HEAD") != 0) return unreadable(*git_);
    const Handle<git_reference> reference(found, git_->reference_free);
    const char* target = git_->reference_symbolic_target(found);
    constexpr std::string_view kBranches = "refs/heads/";
    GitHead head;
    head.branch = target == nullptr ? "" : target;
    if (head.branch.starts_with(kBranches)) head.branch.erase(0, kBranches.size());
    return head;
  }

  std::string hex(const git_oid& id) const {
    std::array<char, GIT_OID_HEXSZ + 1> digits{};
    return git_->oid_tostr(digits.data(), digits.size(), &id);
  }

  Handle<git_commit> find_commit(const git_oid& id, std::size_t most_bytes) const {
    Handle<git_commit> none(nullptr, git_->commit_free);
    std::size_t bytes = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (git_->odb_read_header(&bytes, &type, objects_.get(), &id) != 0) return none;
    if (type != GIT_OBJECT_COMMIT || bytes > most_bytes) return none;
    git_commit* commit = nullptr;
    if (git_->commit_lookup(&commit, repository_.get(), &id) != 0) return none;
    return {commit, git_->commit_free};
  }

  Handle<git_tree> tree_of(const git_commit* commit) const {
    git_tree* tree = nullptr;
    if (git_->commit_tree(&tree, commit) != 0) tree = nullptr;
    return {tree, git_->tree_free};
  }

  struct Count;
  class Queue;
  bool count_changes(const git_commit& commit, std::size_t commit_bytes, Count& count) const;

  const GitLibrary* git_;
  Handle<git_repository> repository_;
  Handle<git_odb> objects_;
};

// What is counted while the library compares trees.
struct Repository::Count {
  const std::size_t most_paths;
  const SteadyTime deadline;
  const std::stop_token& stop;
  std::unordered_map<std::string, std::size_t> commits{};  // by path

  bool over() const {
    return stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
  }

  // Called for each difference, which is then dropped; ends the comparison when
  // there is no time left.
  static int notice(const git_diff*, const git_diff_delta* delta, const char*, void* payload) {
    auto& count = *static_cast<Count*>(payload);
    if (count.over()) return GIT_EUSER;
    const char* path = delta->new_file.path;
    if (path == nullptr) return 1;
    if (count.commits.size() < count.most_paths || count.commits.contains(path)) {
      ++count.commits[path];
    }
    return 1;
  }
};

// False: it could not be compared with its parent. A merge changes nothing of its
// own.
bool Repository::count_changes(const git_commit& commit, std::size_t commit_bytes,
                               Count& count) const {
  const auto parents = git_->commit_parentcount(&commit);
  if (parents > 1) return true;
  Handle<git_tree> before(nullptr, git_->tree_free);
  if (parents == 1) {
    const auto parent = find_commit(*git_->commit_parent_id(&commit, 0), commit_bytes);
    if (!parent) return false;
    before = tree_of(parent.get());
    if (!before) return false;
  }
  const auto after = tree_of(&commit);
  git_diff_options options;
  if (!after || git_->diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) != 0) return false;
  options.notify_cb = Count::notice;
  options.payload = &count;
  git_diff* diff = nullptr;
  const int code =
      git_->diff_tree_to_tree(&diff, repository_.get(), before.get(), after.get(), &options);
  const Handle<git_diff> made(diff, git_->diff_free);
  return code == 0;
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
                               SteadyTime deadline, const std::stop_token& stop) const {
  Queue queue(*this, limits);
  git_oid id;
  if (git_->oid_fromstr(&id, newest.c_str()) == 0) queue.add(id);
  GitHistory history;
  Count count{limits.paths, deadline, stop};
  while (history.commits < limits.commits && !queue.empty()) {
    const auto commit = queue.take();
    const bool counted = count_changes(*commit, limits.commit_bytes, count);
    history.in_time = !count.over();
    if (!history.in_time) break;
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

Result<Repository> open_checked(const GitLibrary* git, const Root& root,
                                const std::string& directory, GitKind& kind) {
  auto checked = check_git_directory(root, directory);
  if (!checked) return std::move(checked).error();
  if (git == nullptr) return Error{Code::unavailable, "libgit2 is not installed", {}};
  kind = *checked;
  return Repository::open(*git, join_path(root.path(), directory));
}

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
  GitKind kind{};
  auto repository = open_checked(library(), root, directory, kind);
  if (!repository) return std::move(repository).error();
  auto head = repository->head(limits_.commit_bytes);
  if (head) head->bare = kind == GitKind::bare;
  return head;
}

Result<Git::HistoryPtr> Git::history(const Root& root, const std::string& directory,
                                     SteadyTime deadline, const std::stop_token& stop) {
  GitKind kind{};
  auto repository = open_checked(library(), root, directory, kind);
  if (!repository) return std::move(repository).error();
  const auto head = repository->head(limits_.commit_bytes);
  if (!head) return head.error();
  if (head->id.empty()) return std::make_shared<const GitHistory>();
  const std::string key = join_path(root.path(), directory);
  {
    const Lock lock(mutex_);
    const auto known = kept_.find(key);
    if (known != kept_.end() && known->second.head == head->id) return known->second.history;
  }
  auto made =
      std::make_shared<const GitHistory>(repository->history(head->id, limits_, deadline, stop));
  if (made->in_time) {
    const Lock lock(mutex_);
    if (kept_.size() >= kMostKept) kept_.clear();
    kept_[key] = {head->id, made};
  }
  return made;
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
