// A Database in one SQLite file.
//
// One connection writes and a few read; each is lent to one thread at a time.
// Readers see the state of the last commit and never wait for the writer, nor
// it for them (write-ahead log). Writers wait in turn: threads of this process
// for the one connection, processes for SQLite's lock, both together for
// busy_timeout at most; then the answer is Code::unavailable.
//
// The file and its companions (-wal, -shm) are readable by their owner alone.
// It must not lie on a network filesystem: the processes share memory.
//
// A file that is not Lode's, or damaged, is refused with a sentence that says
// so. It is never deleted, emptied or repaired.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace lode {

struct SqliteOptions {
  std::string path{};  // missing directories are made, for their owner alone

  std::chrono::milliseconds busy_timeout{5000};
  std::size_t readers = 4;      // connections; opened when first needed
  std::int64_t mmap_bytes = 0;  // 0: read with pread
  int checkpoint_pages = 1000;  // length of the log that begins a checkpoint
  std::string vfs{};            // empty: SQLite's own; the tests have others
  // For tests: how often each transaction is undone when its body is done, and run
  // again. SQLite itself never needs to (one writes at a time); others do.
  int forced_reruns = 0;
};

// Code::unavailable: others kept it busy. Code::internal: it cannot be opened,
// is damaged, or is another program's.
Result<std::unique_ptr<Database>> open_sqlite(const SqliteOptions& options);

}  // namespace lode
