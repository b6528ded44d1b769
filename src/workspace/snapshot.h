// What stood below a root at some time: paths with enough of their state to
// tell whether they changed since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/changes.h"

namespace lode {

struct FileState {
  // stamp_of(its state); of a directory its inode, because time and size change
  // with its entries, which are here themselves.
  std::uint64_t stamp = 0;
  std::uint32_t mode = 0;

  bool operator==(const FileState&) const = default;
};

// Sorted by path; all names in one buffer.
class Snapshot {
 public:
  std::size_t size() const { return entries_.size(); }
  std::string_view path(std::size_t i) const {
    return std::string_view(names_).substr(entries_[i].begin, entries_[i].length);
  }
  const FileState& state(std::size_t i) const { return entries_[i].state; }
  // Null if there is no such path.
  const FileState* find(std::string_view path) const;

  // False: a limit was met, and there is more than is here.
  bool complete() const { return complete_; }
  void set_incomplete() { complete_ = false; }

  // False: full (4 GiB of names).
  bool add(std::string_view path, const FileState& state);
  // REQUIRED after the last add().
  void sort();

  // A derived file (base/derived_file.h).
  Status save(const std::string& file) const;
  // Code::not_found: no such file. Code::invalid: not ours, of another version
  // or damaged; it is to be made anew.
  static Result<Snapshot> load(const std::string& file);

 private:
  struct Entry {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    FileState state;
  };
  std::string encoded() const;
  static Result<Snapshot> decoded(std::string_view bytes);

  std::string names_;
  std::vector<Entry> entries_;
  bool complete_ = true;
};

// Paths that came, went or differ in their state, and the directories whose
// entries are others. Both sorted.
Changes diff(const Snapshot& before, const Snapshot& now);

}  // namespace lode
