// The directories that are served, with what is hidden in them.
//
// A file has two names. Its absolute path; and the short one, which addresses have
// that people write: relative to the root, or, where there are several roots, with
// the root's own name as its first segment (a second root of the same name is
// "name-2").
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
    Tree(Root opened, std::string its_name)
        : root(std::move(opened)), name(std::move(its_name)), ignore(root) {}
    const Root root;
    const std::string name;
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
  // The same, by the short name; "" and "." are the only root. With several roots
  // there is no place that holds them all.
  std::optional<Place> find_short(std::string_view path) const;
  // The names of a place.
  static std::string absolute(const Place& place) { return absolute(*place.tree, place.relative); }
  static std::string absolute(const Tree& tree, std::string_view relative);
  std::string short_name(const Place& place) const;
  // Opens what is there, unless a link leads to something hidden.
  Result<OpenFile> open(const Place& place) const;
  // The same, with where it really is, after all links.
  struct Opened {
    OpenFile file;
    Place real;
  };
  Result<Opened> open_real(const Place& place) const;
  // The absolute path after all links, of a file that need not be there: then of the
  // nearest directory above that is. Outside all roots too.
  std::string real_path(std::string_view absolute) const;
  // Whether changes there are told (workspace/watcher.h): not in a directory that git ignores.
  // Nothing is looked up but the rules.
  static bool is_followed(const Place& place);
  // What open() would find there; opens it only if it is a link.
  std::optional<struct stat> look(const Place& place) const;
  // The visible names in a directory, sorted.
  Result<std::vector<std::string>> names(const Place& directory) const;
  // The same of one that is open: of no other that has its name by now.
  Result<std::vector<std::string>> names(const Opened& directory) const;

  std::deque<Tree>& trees() const { return trees_; }
  const SecretRules& secrets() const { return secrets_; }

 private:
  explicit Workspace(SecretRules secrets) : secrets_(std::move(secrets)) {}
  std::string free_name(std::string_view path) const;
  std::optional<Place> visible(Tree& tree, std::string_view relative) const;

  const SecretRules secrets_;
  mutable std::deque<Tree> trees_;  // stable addresses
};

// Why what is not followed cannot be subscribed to.
inline constexpr std::string_view kNotFollowed =
    "changes in a directory that git ignores are not followed; read it again instead";

// Puts a name behind a directory's relative path.
std::string join_path(std::string_view directory, std::string_view name);

// ---- the paths by which callers name files; pure functions on values ----

// A path without dots, doubled slashes and a slash at either end. Nothing: it climbs
// above where it begins.
std::optional<std::string> resolve_dots(std::string_view path);

// What an argument names: a short name, an absolute path or a file:/// address.
// Dots and doubled slashes are resolved before anything is looked up. Nothing:
// it is outside of the roots or hidden, or it is all roots, where there are
// several.
std::optional<Workspace::Place> find_place(const Workspace& workspace, std::string_view argument);

// The last segment of a path, and what stands before it.
std::string_view last_name(std::string_view path);
std::string_view parent_path(std::string_view path);

}  // namespace lode
