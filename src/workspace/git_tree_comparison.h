// Which files differ between two trees of a repository.
//
// Our own, and not the library's: that one cannot be stopped while it meets no file, and
// loses memory where it is refused some. Trees may be anybody's: they may be unsorted, hold
// each other any number of times, or be missing.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "workspace/git_allowance.h"
#include "workspace/git_library.h"

namespace lode {

class GitTreeComparison {
 public:
  static constexpr std::size_t kMostDepth = 256;  // directories in directories

  using Changed = std::function<void(const std::string& path)>;

  // REQUIRES: what is referred to outlives it. changed: called for each file that was added,
  // removed or changed, in no order.
  GitTreeComparison(const GitLibrary& git, git_repository* repository,
                    const GitAllowance& allowance, Changed changed)
      : git_(git), repository_(repository), allowance_(allowance), changed_(std::move(changed)) {}

  // Null stands for the empty tree. False: a tree cannot be read or lies too deep, or the
  // time is over; what differs elsewhere was told.
  bool run(const git_oid* before, const git_oid* after) { return compare(before, after, "", 0); }

 private:
  using Entry = const git_tree_entry*;

  bool compare(const git_oid* before, const git_oid* after, const std::string& path,
               std::size_t depth);
  bool meet(Entry before, Entry after, const std::string& path, std::size_t depth);
  int order(Entry a, Entry b) const;
  bool is_tree(Entry entry) const;
  bool is_same(Entry a, Entry b) const;

  const GitLibrary& git_;
  git_repository* const repository_;
  const GitAllowance& allowance_;
  const Changed changed_;
};

}  // namespace lode
