// The objects of one repository, and its commits in the order of their times.
//
// The library sees the directory of objects and nothing else of the repository, and no
// other repository that its objects may refer to. One thread, with an allowance
// (git_allowance.h) that outlives what is made here.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workspace/git_library.h"
#include "workspace/root.h"

namespace lode {

template <class T>
using GitHandle = std::unique_ptr<T, void (*)(T*)>;

class GitRepository {
 public:
  // objects: the directory of objects, relative to the root. Nothing: it cannot be read.
  // REQUIRES: library and root outlive it.
  static std::optional<GitRepository> open(const GitLibrary& git, const Root& root,
                                           const std::string& objects);

  const GitLibrary& library() const { return *git_; }
  git_repository* get() const { return repository_.get(); }

  std::string hex(const git_oid& id) const;
  // Nothing: these are not 40 hexadecimal digits.
  std::optional<git_oid> parse(const std::string& id) const;

  // Null: there is no such commit, it cannot be read, or it has more bytes.
  GitHandle<git_commit> find_commit(const git_oid& id, std::size_t most_bytes) const;
  // When the commit was made, as it says: any number. Clamped to what system_clock can tell,
  // so that it may become a finer time: the years 1677 to 2262.
  std::chrono::sys_seconds time_of(const git_commit& commit) const;
  GitHandle<git_tree> find_tree(const git_oid& id) const;
  // An object of any type. Null: there is none that can be read.
  GitHandle<git_odb_object> find_object(const git_oid& id) const;

  enum class Unique { one, none, several };
  // The object whose id begins with these digits. REQUIRES: digits are 4 to 40 hexadecimal
  // ones, in lower case.
  Unique find_prefix(const std::string& digits, git_oid& found) const;

 private:
  GitRepository(const GitLibrary& git, GitHandle<git_odb> objects,
                GitHandle<git_repository> repository)
      : git_(&git), objects_(std::move(objects)), repository_(std::move(repository)) {}

  const GitLibrary* git_;
  GitHandle<git_odb> objects_;
  GitHandle<git_repository> repository_;
};

// Commits that are still to be looked at, the newest first. One that cannot be
// read, as beyond the end of a shallow clone, is as if it were not there.
class GitCommitQueue {
 public:
  // most: commits that are ever added. REQUIRES: the repository outlives it.
  GitCommitQueue(const GitRepository& repository, std::size_t commit_bytes, std::size_t most)
      : repository_(repository), commit_bytes_(commit_bytes), most_(most) {}

  bool empty() const { return heap_.empty(); }

  // Each commit is added once. False: it cannot be read, or there are too many.
  bool add(const git_oid& id);
  // Adds the parents. False: not all.
  bool add_parents(const git_commit& commit);

  // REQUIRES: !empty().
  GitHandle<git_commit> take();

 private:
  struct Waiting {
    git_time_t time;
    GitHandle<git_commit> commit;
    bool operator<(const Waiting& other) const { return time < other.time; }
  };
  using Id = std::array<unsigned char, GIT_OID_RAWSZ>;

  const GitRepository& repository_;
  const std::size_t commit_bytes_;
  const std::size_t most_;
  std::vector<Waiting> heap_;
  std::set<Id> seen_;
};

}  // namespace lode
