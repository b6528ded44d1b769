// A disk that may lose what was not synced: the model behind the crash test.
//
// Files live in a real directory, where they are read and written as usual.
// Beside them the model keeps what is certain to survive (each file's bytes at
// its last sync, the directory's names at its last sync) and what was done
// since. crash() rewrites the real directory to one state that a power failure
// could have left:
//
//  - of the writes and truncations since a file's last sync: none, all, a
//    beginning, or any subset, in any combination between files; a write that
//    survives may be torn, any subset of its 512-byte sectors being lost; what
//    lies between survivors reads as zeros;
//  - of the creations and removals since the directory's last sync: likewise. A
//    file whose name is lost is lost whole, synced or not; a removed file may
//    come back with what of it survived;
//  - a sync during which the machine stops has saved an arbitrary part.
//
// The directory counts as synced only when SQLite was seen to open it for that,
// inside a sync or a removal that succeeded. Not modelled: bytes that change
// outside of what was written (SQLite relies on their not doing so, as every
// disk in use provides), disks that acknowledge a sync and lie, and the shared
// memory file, which SQLite rebuilds after a crash and which is removed by it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lode {

class CrashDisk {
 public:
  using Random = std::mt19937_64;

  // What is in the directory is on stable storage.
  explicit CrashDisk(std::filesystem::path directory);

  enum class Stop { anywhere, in_a_sync };
  enum class Operation { sync, other };

  // The machine stops at the given operation from now, counted from 1, or at
  // the first sync from there.
  void stop_after(std::uint64_t operations, Stop where) { left_ = operations, where_ = where; }
  // Counts an operation. False: the machine has stopped, in it or before.
  bool proceed(Operation operation);
  bool stopped() const { return stopped_; }

  // What was done, by file name. A file that is found, and was not created
  // here, was made and synced by someone else, empty.
  void find(const std::string& name);
  void create(const std::string& name);
  void write(const std::string& name, std::uint64_t offset, std::string_view bytes);
  void truncate(const std::string& name, std::uint64_t size);
  void sync(const std::string& name);
  void remove(const std::string& name);
  void sync_directory();

  // Puts a possible remainder into the directory. Whoever had files open must
  // have closed them.
  void crash(Random& random);

 private:
  struct Change {
    enum class Kind { write, truncate } kind;
    std::uint64_t at;
    std::string bytes;
  };
  struct File {
    std::string durable;
    std::vector<Change> pending;
  };
  struct NameChange {
    std::string name;
    std::shared_ptr<File> file;  // null: removed
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;

  static std::string remainder(const File& file, Random& random);

  const std::filesystem::path directory_;
  Names names_;
  Names durable_names_;
  std::vector<NameChange> pending_names_;
  std::uint64_t left_ = UINT64_MAX;
  Stop where_ = Stop::anywhere;
  bool stopped_ = false;
};

}  // namespace lode
