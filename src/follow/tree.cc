#include "follow/tree.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "workspace/ignore.h"

namespace lode {
namespace {

// What the rules of a directory say of one below it.
Result<SecretRules> rules_for(const Root& root, const std::string& within,
                              const SecretRules& secrets) {
  if (within.empty()) return secrets;
  const auto outer = Root::open(within);
  if (!outer) return outer.error();
  const auto begin = outer->path() == "/" ? outer->path() : outer->path() + "/";
  if (root.path() == outer->path()) return secrets;
  if (!root.path().starts_with(begin)) {
    return Error{Code::denied, fmt::format("{} is outside of {}", root.path(), within), {}};
  }
  return secrets.below(std::string_view(root.path()).substr(begin.size()));
}

// A tree and all that it refers to.
struct OwnTree {
  OwnTree(const std::string& path, Root opened, SecretRules rules, std::string entry)
      : root(std::move(opened)),
        only(std::move(entry)),
        ignore(root),
        secrets(std::move(rules)),
        tree(root, PathFilter{ignore, secrets, only}, path) {}

  const Root root;
  const std::string only;
  IgnoreRules ignore;
  const SecretRules secrets;
  const FollowedTree tree;
  std::unique_ptr<Watcher> watcher;
};

}  // namespace

// Where it really is counts too: links on the way may lead elsewhere now. Two that cannot
// be read are alike, for there is nothing to be read from either.
bool FollowedTree::in_place() const {
  if (found_at_.empty()) return true;
  const auto now = Root::open(found_at_);
  if (!now || now->path() != root_.path()) return false;
  const auto held = root_.open_inside("");
  const auto named = now->open_inside("");
  if (!held || !named) return held.ok() == named.ok();
  return held->info.st_dev == named->info.st_dev && held->info.st_ino == named->info.st_ino;
}

Result<std::shared_ptr<const FollowedTree>> open_tree(const std::string& path,
                                                      const std::string& within,
                                                      const SecretRules& secrets, Log& log,
                                                      const Watcher::Callback& callback,
                                                      const std::string& only) {
  auto root = Root::open(path);
  if (!root) return std::move(root).error();
  auto rules = rules_for(*root, within, secrets);
  if (!rules) return std::move(rules).error();
  const auto own = std::make_shared<OwnTree>(path, std::move(*root), std::move(*rules), only);
  if (callback) {
    own->watcher = std::make_unique<Watcher>(own->root, own->tree.filter(), log, callback);
    if (auto started = own->watcher->start(); !started) {
      log.warning("a folder is not watched",
                  {{"folder", path}, {"problem", started.error().message}});
      Changes begun;
      begun.begun = true;
      callback(std::move(begun));
    }
  }
  return std::shared_ptr<const FollowedTree>(own, &own->tree);
}

}  // namespace lode
