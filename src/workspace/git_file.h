// One file of a repository: what it is at a commit, and which commits changed it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/git.h"
#include "workspace/git_reading.h"

namespace lode {

// Finds a path in trees, one after another. What was found last is remembered for each
// level: trees of neighbouring commits are mostly the same.
class GitPathLookup {
 public:
  // REQUIRES: the reading outlives it, and has a repository.
  GitPathLookup(const GitReading& reading, std::string_view path);

  struct Found {
    bool readable = true;  // false: a tree on the way is not
    bool exists = false;
    git_oid id{};
    git_filemode_t mode = GIT_FILEMODE_UNREADABLE;

    bool is_file() const {
      return exists && (mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE);
    }
    bool is_directory() const { return exists && mode == GIT_FILEMODE_TREE; }
  };
  // tree: the top of a commit.
  Found find(const git_oid& tree) { return find_from(tree, 0); }

 private:
  struct Last {
    bool known = false;
    git_oid tree{};
    Found found;
  };

  Found find_from(const git_oid& tree, std::size_t level);
  Found look(const git_oid& tree, std::size_t level);

  const GitReading& reading_;
  std::vector<std::string> names_;
  std::vector<Last> last_;  // by level
  bool possible_ = true;    // no repository has a path with empty names or dots
};

// Errors are those of Git::file().
Result<GitFile> read_git_file(const GitReading& reading, const git_oid& commit,
                              std::string_view path);

// The bytes of a file by its id. Code::invalid: it cannot be read, or is none.
// Code::unsupported: it has more bytes than that.
Result<std::string> read_git_blob(const GitReading& reading, const git_oid& id,
                                  std::size_t most_bytes);

// Errors are those of Git::file_history().
Result<GitFileHistory> read_git_file_history(const GitReading& reading,
                                             const std::vector<std::string>& paths,
                                             const GitHistoryPage& page);

}  // namespace lode
