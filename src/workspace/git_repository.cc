#include "workspace/git_repository.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "workspace/git_loose_objects.h"
#include "workspace/workspace.h"

namespace lode {

std::optional<GitRepository> GitRepository::open(const GitLibrary& git, const Root& root,
                                                 const std::string& objects) {
  git_odb* made = nullptr;
  if (git.odb_new(&made) != 0) return std::nullopt;
  GitHandle<git_odb> odb(made, git.odb_free);
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
  GitHandle<git_repository> repository(wrapped, git.repository_free);
  return GitRepository(git, std::move(odb), std::move(repository));
}

std::string GitRepository::hex(const git_oid& id) const {
  std::array<char, GIT_OID_HEXSZ + 1> digits{};
  return git_->oid_tostr(digits.data(), digits.size(), &id);
}

std::optional<git_oid> GitRepository::parse(const std::string& id) const {
  git_oid oid;
  if (id.size() != GIT_OID_HEXSZ || git_->oid_fromstr(&oid, id.c_str()) != 0) return std::nullopt;
  return oid;
}

// An object's size is not asked for first: the library would follow the chain of differences
// that the object may be made of, which can be a circle. Reading takes memory for each step,
// and so it ends.
GitHandle<git_odb_object> GitRepository::find_object(const git_oid& id) const {
  git_odb_object* read = nullptr;
  if (git_->odb_read(&read, objects_.get(), &id) != 0) read = nullptr;
  return {read, git_->odb_object_free};
}

GitHandle<git_commit> GitRepository::find_commit(const git_oid& id, std::size_t most_bytes) const {
  GitHandle<git_commit> none(nullptr, git_->commit_free);
  const auto object = find_object(id);
  if (!object || git_->odb_object_type(object.get()) != GIT_OBJECT_COMMIT) return none;
  if (git_->odb_object_size(object.get()) > most_bytes) return none;
  git_commit* commit = nullptr;
  if (git_->commit_lookup(&commit, repository_.get(), &id) != 0) return none;
  return {commit, git_->commit_free};
}

std::chrono::sys_seconds GitRepository::time_of(const git_commit& commit) const {
  using std::chrono::sys_seconds;
  using Finest = std::chrono::system_clock::time_point;
  constexpr auto kFirst = std::chrono::ceil<std::chrono::seconds>(Finest::min());
  constexpr auto kLast = std::chrono::floor<std::chrono::seconds>(Finest::max());
  return std::clamp(sys_seconds(std::chrono::seconds(git_->commit_time(&commit))), kFirst, kLast);
}

GitHandle<git_tree> GitRepository::find_tree(const git_oid& id) const {
  git_tree* tree = nullptr;
  if (git_->tree_lookup(&tree, repository_.get(), &id) != 0) tree = nullptr;
  return {tree, git_->tree_free};
}

GitRepository::Unique GitRepository::find_prefix(const std::string& digits, git_oid& found) const {
  git_oid begin;
  if (git_->oid_fromstrn(&begin, digits.data(), digits.size()) != 0) return Unique::none;
  const int code = git_->odb_exists_prefix(&found, objects_.get(), &begin, digits.size());
  if (code == 0) return Unique::one;
  return code == GIT_EAMBIGUOUS ? Unique::several : Unique::none;
}

bool GitCommitQueue::add(const git_oid& id) {
  Id key{};
  std::memcpy(key.data(), id.id, key.size());
  if (seen_.contains(key)) return true;
  if (seen_.size() >= most_) return false;
  seen_.insert(key);
  auto commit = repository_.find_commit(id, commit_bytes_);
  if (!commit) return false;
  const auto time = repository_.library().commit_time(commit.get());
  heap_.push_back({time, std::move(commit)});
  std::push_heap(heap_.begin(), heap_.end());
  return true;
}

bool GitCommitQueue::add_parents(const git_commit& commit) {
  const auto& git = repository_.library();
  const auto parents = git.commit_parentcount(&commit);
  bool all = true;
  for (unsigned i = 0; i < parents; ++i) all = add(*git.commit_parent_id(&commit, i)) && all;
  return all;
}

GitHandle<git_commit> GitCommitQueue::take() {
  std::pop_heap(heap_.begin(), heap_.end());
  auto commit = std::move(heap_.back().commit);
  heap_.pop_back();
  return commit;
}

}  // namespace lode
