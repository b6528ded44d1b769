// The directories that are served, with what is hidden in them.
//
// Constant after opening; any thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/ignore.h"
#include "workspace/root.h"
#include "workspace/secrets.h"

namespace lode {

class Workspace {
 public:
  struct Tree {
    explicit Tree(Root opened) : root(std::move(opened)), ignore(root) {}
    const Root root;
    IgnoreRules ignore;  // does its own locking
  };
  // Where an absolute path lies.
  struct Place {
    Tree* tree;
    std::string relative;  // empty: the root itself
  };

  // At least one path; each a directory.
  static Result<std::unique_ptr<Workspace>> open(const std::vector<std::string>& paths,
                                                 SecretRules secrets);

  // Nothing: outside all roots, or hidden.
  std::optional<Place> find(std::string_view absolute) const;
  // Opens what is there, unless a link leads to something hidden.
  Result<OpenFile> open(const Place& place) const;
  // What open() would find there; opens it only if it is a link.
  std::optional<struct stat> look(const Place& place) const;
  // The visible names in a directory, sorted.
  Result<std::vector<std::string>> names(const Place& directory) const;

  std::deque<Tree>& trees() const { return trees_; }
  const SecretRules& secrets() const { return secrets_; }

 private:
  explicit Workspace(SecretRules secrets) : secrets_(std::move(secrets)) {}

  const SecretRules secrets_;
  mutable std::deque<Tree> trees_;  // stable addresses
};

// Puts a name behind a directory's relative path.
std::string join_path(std::string_view directory, std::string_view name);

}  // namespace lode
