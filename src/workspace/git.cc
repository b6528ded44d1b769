#include "workspace/git.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "workspace/git_directory.h"
#include "workspace/git_file.h"
#include "workspace/git_library.h"
#include "workspace/git_reading.h"
#include "workspace/git_reference.h"
#include "workspace/git_repository.h"
#include "workspace/git_revision.h"
#include "workspace/git_tree_comparison.h"
#include "workspace/workspace.h"

namespace lode {
namespace {

constexpr std::size_t kMostWaiting = 16;     // commits, for each that is looked at
constexpr std::ptrdiff_t kMostLevels = 256;  // directories above a path

GitHistory late() {
  GitHistory none;
  none.in_time = false;
  return none;
}

// How many commits change which path.
struct Count {
  const std::size_t most_paths;
  std::unordered_map<std::string, std::size_t> commits{};  // by path

  void add(const std::string& path) {
    if (commits.size() < most_paths || commits.contains(path)) ++commits[path];
  }
};

// False: it could not be compared with its parent. A merge changes nothing of its
// own.
bool count_changes(const GitReading& reading, const git_commit& commit, Count& count) {
  const auto& repository = *reading.repository;
  const auto& git = repository.library();
  const auto parents = git.commit_parentcount(&commit);
  if (parents > 1) return true;
  GitHandle<git_commit> parent(nullptr, git.commit_free);
  if (parents == 1) {
    parent = repository.find_commit(*git.commit_parent_id(&commit, 0), reading.limits.commit_bytes);
    if (!parent) return false;
  }
  GitTreeComparison trees(git, repository.get(), reading.allowance,
                          [&](const std::string& path) { count.add(path); });
  return trees.run(parent ? git.commit_tree_id(parent.get()) : nullptr,
                   git.commit_tree_id(&commit));
}

// Of the head's commit and those before it. REQUIRES: there is one.
GitHistory count_history(const GitReading& reading) {
  const auto& limits = reading.limits;
  GitCommitQueue queue(*reading.repository, limits.commit_bytes, kMostWaiting * limits.commits);
  if (const auto id = reading.repository->parse(reading.head.id)) queue.add(*id);
  GitHistory history;
  Count count{limits.paths};
  while (history.commits < limits.commits && !queue.empty()) {
    const auto commit = queue.take();
    const bool counted = count_changes(reading, *commit, count);
    history.in_time = !reading.allowance.is_over();
    history.in_memory = !reading.allowance.memory_was_refused();
    if (!history.in_time || !history.in_memory) break;
    if (counted) ++history.commits;
    queue.add_parents(*commit);
  }
  for (auto& [path, commits] : count.commits) history.changed.push_back({path, commits});
  std::sort(history.changed.begin(), history.changed.end(), [](const auto& a, const auto& b) {
    return a.commits != b.commits ? a.commits > b.commits : a.path < b.path;
  });
  return history;
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
  const auto* git = library();
  const Lock lock(reading_);
  GitReading reading(limits_, SteadyTime::max(), {});
  if (auto begun = reading.begin(git, root, directory); !begun) {
    return std::move(begun).error();
  }
  return std::move(reading.head);
}

Result<Git::HistoryPtr> Git::history(const Root& root, const std::string& directory,
                                     SteadyTime deadline, const std::stop_token& stop) {
  const auto* git = library();
  const Lock lock(reading_);
  GitReading reading(limits_, deadline, stop);
  if (reading.allowance.is_over()) return std::make_shared<const GitHistory>(late());
  if (auto begun = reading.begin(git, root, directory); !begun) {
    return std::move(begun).error();
  }
  const auto& id = reading.head.id;
  if (id.empty()) return std::make_shared<const GitHistory>();
  const std::string key = join_path(root.path(), directory);
  if (auto kept = find_kept(key, id)) return kept;
  auto made = std::make_shared<const GitHistory>(count_history(reading));
  if (made->in_time) keep(key, id, made);
  return made;
}

Result<GitFile> Git::file(const Root& root, const std::string& directory, const std::string& path,
                          const std::string& revision, SteadyTime deadline,
                          const std::stop_token& stop) {
  const auto* git = library();
  const Lock lock(reading_);
  GitReading reading(limits_, deadline, stop);
  if (auto begun = reading.begin(git, root, directory); !begun) return std::move(begun).error();
  const auto commit = find_git_revision(reading, revision);
  if (!commit) return commit.error();
  if (reading.allowance.is_over()) return reading.unreadable("");
  return read_git_file(reading, *commit, path);
}

Result<GitFileHistory> Git::file_history(const Root& root, const std::string& directory,
                                         const std::vector<std::string>& paths,
                                         const GitHistoryPage& page, SteadyTime deadline,
                                         const std::stop_token& stop) {
  const auto* git = library();
  const Lock lock(reading_);
  GitReading reading(limits_, deadline, stop);
  if (auto begun = reading.begin(git, root, directory); !begun) return std::move(begun).error();
  if (!reading.repository) return GitFileHistory();
  return read_git_file_history(reading, paths, page);
}

Result<std::vector<std::optional<std::string>>> Git::blobs(const Root& root,
                                                           const std::string& directory,
                                                           const std::vector<std::string>& ids,
                                                           SteadyTime deadline,
                                                           const std::stop_token& stop) {
  const auto* git = library();
  const Lock lock(reading_);
  GitReading reading(limits_, deadline, stop);
  if (auto begun = reading.begin(git, root, directory); !begun) return std::move(begun).error();
  std::vector<std::optional<std::string>> all(ids.size());
  std::size_t room = limits_.file_bytes;
  for (std::size_t i = 0; reading.repository && i < ids.size(); ++i) {
    if (reading.allowance.is_over()) return reading.unreadable("");
    const auto id = reading.repository->parse(ids[i]);
    auto bytes = id ? read_git_blob(reading, *id, room) : not_found("no such object");
    if (!bytes) continue;
    room -= bytes->size();
    all[i] = std::move(*bytes);
  }
  return all;
}

Result<std::string> Git::common_directory(const Root& root, const std::string& directory) {
  auto place = check_git_directory(root, directory);
  if (!place) return std::move(place).error();
  const auto& top = place->root(root).path();
  return place->common.empty() ? top : join_path(top, place->common);
}

std::vector<std::string> Git::incoming(const Root& root, const std::string& directory) {
  const auto place = check_git_directory(root, directory);
  return place ? read_git_incoming(place->root(root), *place) : std::vector<std::string>();
}

Result<std::string> Git::top_of(const Root& root, const std::string& path) {
  if (std::ranges::count(path, '/') > kMostLevels) return not_found("the path is too deep");
  std::string directory = path;
  do {
    directory.resize(parent_path(directory).size());
    const auto place = check_git_directory(root, directory);
    const bool none = place ? place->kind == GitKind::bare : place.error().code == Code::not_found;
    if (!none) return directory;
  } while (!directory.empty());
  return not_found("no git repository here");
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
