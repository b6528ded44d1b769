// SQLite's file layer with a CrashDisk beneath it.
//
// Every file goes through to SQLite's own layer, and what is done to it is told
// to the disk. Once the disk has stopped, every write, sync, creation and
// removal fails, so that closing the database cannot save anything any more.
// Locks and shared memory are passed on as they are.
#pragma once

#include <memory>
#include <string>

#include "crash_disk.h"

struct sqlite3_vfs;

namespace lode {

// One at a time, and one thread: the directory's syncs are seen through a hook
// that SQLite has once for the whole process.
class CrashVfs {
 public:
  static constexpr const char* kName = "lode-crash";

  explicit CrashVfs(CrashDisk& disk);
  // Every database on it must be closed.
  ~CrashVfs();
  CrashVfs(const CrashVfs&) = delete;
  CrashVfs& operator=(const CrashVfs&) = delete;

 private:
  std::unique_ptr<sqlite3_vfs> vfs_;
};

}  // namespace lode
