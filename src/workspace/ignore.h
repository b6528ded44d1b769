// Which paths of a root git would ignore: the .gitignore of every directory
// from the root down, then .git/info/exclude.
//
// Invariants:
//  1. The last line that matches decides, in the deepest file that has one.
//  2. What is below an ignored directory is ignored; its .gitignore is not read.
//  3. Nothing outside the root is read: a .gitignore above it, the user's own
//     file and the exclude file of a linked work tree have no say.
//  4. A .gitignore that is a link, or longer than kMaxIgnoreFile, has no say.
//
// Files are read when a directory is first asked about and remembered until
// changed() or refresh(). Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "workspace/ignore_pattern.h"
#include "workspace/root.h"

namespace lode {

inline constexpr std::size_t kMaxIgnoreFile = 1024 * 1024;

// The rules of one directory, as they were when asked for. Cheap to copy.
class DirectoryRules {
 public:
  // path: of an entry of that directory, relative to the root.
  bool ignored(std::string_view path, bool is_directory) const;

 private:
  friend class IgnoreRules;
  // A file of rules and those that it overrides; a directory without a file of
  // its own shares its parent's.
  struct Scope {
    std::shared_ptr<const Scope> outer;
    std::size_t base = 0;  // how much of a path stands before what the patterns see
    std::vector<IgnorePattern> patterns;
    bool all = false;  // the directory is ignored, and so is everything in it
  };

  explicit DirectoryRules(std::shared_ptr<const Scope> scope) : scope_(std::move(scope)) {}

  std::shared_ptr<const Scope> scope_;
};

class IgnoreRules {
 public:
  // REQUIRES: the root outlives it.
  explicit IgnoreRules(const Root& root) : root_(root) {}

  // path: relative to the root. The root itself is never ignored.
  bool ignored(std::string_view path, bool is_directory) LODE_EXCLUDES(mutex_);
  // directory: relative to the root; empty: the root.
  DirectoryRules in(std::string_view directory)LODE_EXCLUDES(mutex_);

  // Something happened to the path: what depended on it is read again. True:
  // the path is a file of rules, so other paths may be judged differently now.
  bool changed(std::string_view path) LODE_EXCLUDES(mutex_);
  // Anything may have happened.
  void refresh() LODE_EXCLUDES(mutex_);

 private:
  using Scope = DirectoryRules::Scope;
  using ScopePtr = std::shared_ptr<const Scope>;

  ScopePtr outermost() const;
  ScopePtr entered(const ScopePtr& parent, const std::string& directory) const;
  void forget(std::string_view directory) LODE_REQUIRES(mutex_);

  const Root& root_;
  Mutex mutex_;
  std::map<std::string, ScopePtr, std::less<>> scopes_ LODE_GUARDED_BY(mutex_);
};

}  // namespace lode
