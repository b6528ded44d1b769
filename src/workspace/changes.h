// What changed below a root, whoever noticed: the watcher while we run, the
// comparison of two sweeps for the time before.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace lode {

// "Changed" always means "look again": a path named here may be as it was, and
// need not exist. Paths are relative to the root, each list sorted and without
// doubles. To follow along: forget what is known at and below each of `trees`,
// then look at each of `paths`, then at the entries of each of `listings`.
struct Changes {
  bool begun = false;              // from now on changes are told; what was before, a sweep tells
  bool everything = false;         // look at the whole root; the lists are empty
  bool root_gone = false;          // the root was deleted; nothing more will be told
  bool partly = false;             // some directories are not watched: changes are told late
  std::vector<std::string> trees;  // directories that went, with all below
  std::vector<std::string> paths;  // files (and links) that came, went or were written
  std::vector<std::string> listings;  // directories whose entries differ; empty: the root
  // Of the entries that differ, the directories that came, or went unseen.
  std::vector<std::string> directories{};

  bool operator==(const Changes&) const = default;
};

// Whether a path is a directory's or leads below it; every one leads below the empty one.
bool is_within(std::string_view path, std::string_view directory);

// Whether something at the path, or below it, may be another than before.
bool touches(const Changes& changes, std::string_view path);

// What made a directory change, by name. Of more than kMost names, the directories that
// they are in stand for them; none: it may be anything.
class ChangedNames {
 public:
  static constexpr std::size_t kMost = 100;

  // REQUIRES: the changes outlive it.
  explicit ChangedNames(const Changes& changes);

  // Of all that is in it: files, directories that came or went, itself or above it too, and
  // those whose entries differ, if none of the entries is named.
  std::vector<std::string> below(std::string_view directory) const;
  // Of its list of entries: these, as far as they are named, else itself.
  std::vector<std::string> in(std::string_view directory) const;

 private:
  const Changes& changes_;
  std::map<std::string_view, std::vector<std::string_view>> entries_;  // by directory
};

// Collects changes until they are told. Bounded: more than `most` names become
// Changes::everything. One thread.
class ChangeSet {
 public:
  explicit ChangeSet(std::size_t most) : most_(most) {}

  void add_everything();
  void add_root_gone();
  void add_tree(std::string path) { add(trees_, std::move(path)); }
  void add_path(std::string path) { add(paths_, std::move(path)); }
  void add_listing(std::string path) { add(listings_, std::move(path)); }
  void add_directory(std::string path) { add(directories_, std::move(path)); }

  bool empty() const {
    return !everything_ && trees_.empty() && paths_.empty() && listings_.empty() &&
           directories_.empty();
  }
  // Hands over what there is, and is empty again.
  Changes take();

 private:
  using Names = std::unordered_set<std::string>;
  void add(Names& names, std::string path);

  const std::size_t most_;
  bool everything_ = false;
  bool root_gone_ = false;
  Names trees_;
  Names paths_;
  Names listings_;
  Names directories_;
};

}  // namespace lode
