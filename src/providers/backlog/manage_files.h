// The files of the backlog, for who writes them.
//
// From open() until it is destroyed nobody else has the backlog open this way, in this
// process or another: what is read, changed and written meanwhile is not lost. Editors know
// nothing of that; a file that one of them changed since it was read is not overwritten.
//
// Several changes are written as one. They are first put, together and durably, into a journal
// in the state directory; then each file is changed; then the journal is removed. Whoever
// opens the backlog next finds the journal of a process that was killed, and finishes what it
// says: each file that is still as it was before is changed, and one that somebody else has
// changed since is left alone.
//
// Every path is below the backlog's directory and resolved without links; in the workspace
// that directory itself is found without links too: a repository cannot send a write
// elsewhere. What git or Lode obeys is not written (workspace/write_rule.h). One thread.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

class TaskFiles {
 public:
  static constexpr std::chrono::milliseconds kPatience{10'000};
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of a file that is moved
  // That are written as one.
  static constexpr std::size_t kMostChanges = 100'000;
  static constexpr std::size_t kMostJournalBytes = std::size_t{256} << 20;  // of their texts

  struct Place {
    std::string directory;  // the backlog's; absolute
    std::string within;     // a directory that it must be in, without links; empty: any
    std::string state;      // the state directory; empty: there is none, and no trash
  };
  // What is missing of the directory is made. Code::denied: there is a link, or no permission.
  // Code::unavailable: others had it all the time.
  static Result<TaskFiles> open(const Place& place, std::chrono::milliseconds patience = kPatience);

  // What the journal of a killed process made open() do: files that were changed as it says,
  // and those that were left because somebody else had changed them.
  struct Recovery {
    std::vector<std::string> finished{};
    std::vector<std::string> left{};
  };
  const Recovery& recovery() const { return recovery_; }
  // Whether a process that was killed may have left something to be finished.
  static bool has_journal(const std::string& state);

  struct Snapshot {
    std::string text;
    struct stat info {};
  };
  // Code::not_found. Code::unsupported: it has more bytes.
  Result<Snapshot> read(const std::string& file, std::size_t most) const;
  bool has_folder(const std::string& folder) const;
  bool exists(const std::string& file) const { return stamp(file) != 0; }
  // Root::stamp(); 0: there is none.
  std::uint64_t stamp(const std::string& file) const { return base_.stamp(below_base(file)); }
  // Of the files in a folder; none: there is no such folder.
  std::vector<std::string> names(const std::string& folder) const;

  struct Change {
    std::string file;
    std::optional<Snapshot> before{};    // nothing: there is none yet
    std::optional<std::string> after{};  // nothing: it goes to the trash
    std::string entry{};                 // of the trash, then
  };
  // All, or none. Code::conflict: a file is not what it was before. Code::unsupported: they are
  // more, or longer, than can be written as one.
  Status write(const std::vector<Change>& changes) const;

  // The steps of write(). Public for tests, which end after some of them.
  Status write_journal(const std::vector<Change>& changes) const;
  Status apply(const Change& change) const;

  // ---- the trash ----

  // The name of a new entry: 20260115T130501.123456Z~TASK-0007
  std::string new_entry(std::string_view id, std::chrono::system_clock::time_point now) const;
  // The names of all entries, the earliest first.
  std::vector<std::string> entries() const;
  struct Kept {
    std::string file;  // where it was
    std::string text;
  };
  Result<Kept> read_entry(const std::string& entry) const;
  // When it has been brought back.
  void drop_entry(const std::string& entry, const std::string& file) const;

 private:
  TaskFiles(Place place, Root base, std::string prefix)
      : place_(std::move(place)), base_(std::move(base)), prefix_(std::move(prefix)) {}

  Status lock(std::chrono::milliseconds patience);
  std::string below_base(std::string_view file) const;
  Status check_file(const std::string& file) const;
  Result<OpenFile> directory_of(const std::string& file, bool make) const;
  Status undo(const Change& change) const;
  Status move_to_trash(const Change& change) const;
  Status copy_to_trash(const std::string& file, int source, int trash) const;
  struct Held {
    std::string text;
    OpenFile file;
  };
  Result<Held> read_held(const std::string& file) const;
  std::string trash() const { return place_.state + "/backlog-trash"; }

  void remove_journal() const;
  Status finish_journal();
  void finish(std::string_view before_hash, const Change& change);

  Place place_;
  Root base_;
  std::string prefix_;  // from the base to the backlog's directory; empty: they are the same
  OpenFile folder_;     // holds the lock
  Recovery recovery_;
};

}  // namespace lode
