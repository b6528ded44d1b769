#include "workspace/git_tree_comparison.h"

#include <cstring>
#include <memory>
#include <string_view>

namespace lode {
namespace {

using Tree = std::unique_ptr<git_tree, void (*)(git_tree*)>;

Tree find_tree(const GitLibrary& git, git_repository* repository, const git_oid* id) {
  git_tree* tree = nullptr;
  if (id != nullptr && git.tree_lookup(&tree, repository, id) != 0) tree = nullptr;
  return {tree, git.tree_free};
}

}  // namespace

bool GitTreeComparison::is_tree(Entry entry) const {
  return git_.tree_entry_type(entry) == GIT_OBJECT_TREE;
}

bool GitTreeComparison::is_same(Entry a, Entry b) const {
  return std::memcmp(git_.tree_entry_id(a), git_.tree_entry_id(b), sizeof(git_oid)) == 0 &&
         git_.tree_entry_filemode(a) == git_.tree_entry_filemode(b);
}

// As git sorts: the name of a tree ends with a slash. What is a file here and a tree there
// is two things.
int GitTreeComparison::order(Entry a, Entry b) const {
  if (a == nullptr || b == nullptr) return a == nullptr ? 1 : -1;
  const auto key = [this](Entry entry) {
    return std::string(git_.tree_entry_name(entry)) + (is_tree(entry) ? "/" : "");
  };
  return key(a).compare(key(b));
}

// One of them may be null: there is none of that name.
bool GitTreeComparison::meet(Entry before, Entry after, const std::string& path,
                             std::size_t depth) {
  const Entry one = before != nullptr ? before : after;
  const std::string name = path + git_.tree_entry_name(one);
  if (is_tree(one)) {
    return compare(before == nullptr ? nullptr : git_.tree_entry_id(before),
                   after == nullptr ? nullptr : git_.tree_entry_id(after), name + "/", depth + 1);
  }
  changed_(name);
  return true;
}

bool GitTreeComparison::compare(const git_oid* before, const git_oid* after,
                                const std::string& path, std::size_t depth) {
  if (depth > kMostDepth || allowance_.is_over()) return false;
  const auto old = find_tree(git_, repository_, before);
  const auto fresh = find_tree(git_, repository_, after);
  if ((before != nullptr && !old) || (after != nullptr && !fresh)) return false;
  const std::size_t olds = old ? git_.tree_entrycount(old.get()) : 0;
  const std::size_t freshes = fresh ? git_.tree_entrycount(fresh.get()) : 0;
  bool whole = true;
  for (std::size_t i = 0, j = 0; (i < olds || j < freshes) && !allowance_.is_over();) {
    const Entry a = i < olds ? git_.tree_entry_byindex(old.get(), i) : nullptr;
    const Entry b = j < freshes ? git_.tree_entry_byindex(fresh.get(), j) : nullptr;
    const int which = order(a, b);
    i += which <= 0 ? 1 : 0;
    j += which >= 0 ? 1 : 0;
    if (which == 0 && is_same(a, b)) continue;
    whole = meet(which <= 0 ? a : nullptr, which >= 0 ? b : nullptr, path, depth) && whole;
  }
  return whole;
}

}  // namespace lode
