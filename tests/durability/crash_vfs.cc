#include "crash_vfs.h"

#include <sqlite3.h>

#include <filesystem>
#include <new>
#include <string_view>

namespace lode {
namespace {

using Operation = CrashDisk::Operation;

// The real file's memory follows this.
struct CrashFile {
  sqlite3_file base;
  CrashDisk* disk;
  const char* name;  // SQLite keeps a file's path for as long as it is open; null: temporary

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

CrashFile& crash_file(sqlite3_file* file) { return *reinterpret_cast<CrashFile*>(file); }
sqlite3_file* real(sqlite3_file* file) { return crash_file(file).real(); }
CrashDisk& disk_of(sqlite3_vfs* vfs) { return *static_cast<CrashDisk*>(vfs->pAppData); }
sqlite3_vfs* real_vfs() { return sqlite3_vfs_find("unix"); }
std::string name_of(const char* path) { return std::filesystem::path(path).filename(); }

// SQLite opens a directory for one purpose: to sync it.
bool directory_opened = false;
using OpenDirectory = int (*)(const char*, int*);
OpenDirectory real_open_directory = nullptr;

int open_directory(const char* path, int* fd) {
  directory_opened = true;
  return real_open_directory(path, fd);
}

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }
int read_file(sqlite3_file* file, void* to, int amount, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), to, amount, offset);
}

int write_file(sqlite3_file* file, const void* from, int amount, sqlite3_int64 offset) {
  CrashFile& self = crash_file(file);
  if (self.name != nullptr) {
    if (self.disk->stopped()) return SQLITE_IOERR_WRITE;
    // The write during which the machine stops may survive.
    const bool alive = self.disk->proceed(Operation::other);
    self.disk->write(name_of(self.name), static_cast<std::uint64_t>(offset),
                     {static_cast<const char*>(from), static_cast<std::size_t>(amount)});
    if (!alive) return SQLITE_IOERR_WRITE;
  }
  return real(file)->pMethods->xWrite(real(file), from, amount, offset);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  CrashFile& self = crash_file(file);
  if (self.name != nullptr) {
    if (!self.disk->proceed(Operation::other)) return SQLITE_IOERR_TRUNCATE;
    self.disk->truncate(name_of(self.name), static_cast<std::uint64_t>(size));
  }
  return real(file)->pMethods->xTruncate(real(file), size);
}

int sync_file(sqlite3_file* file, int flags) {
  CrashFile& self = crash_file(file);
  if (self.name != nullptr && !self.disk->proceed(Operation::sync)) return SQLITE_IOERR_FSYNC;
  directory_opened = false;
  const int code = real(file)->pMethods->xSync(real(file), flags);
  if (code != SQLITE_OK || self.name == nullptr) return code;
  self.disk->sync(name_of(self.name));
  if (directory_opened) self.disk->sync_directory();
  return code;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock(sqlite3_file* file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int unlock(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_reserved(sqlite3_file* file, int* out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
int control(sqlite3_file* file, int operation, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shm_unmap(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

// Version 2: with shared memory, without mapped files.
constexpr sqlite3_io_methods kMethods{
    2,        close_file,  read_file,      write_file, truncate_file, sync_file,       file_size,
    lock,     unlock,      check_reserved, control,    sector_size,   characteristics, shm_map,
    shm_lock, shm_barrier, shm_unmap,      nullptr,    nullptr};

int open_file(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
  CrashDisk& disk = disk_of(vfs);
  auto* self = new (file) CrashFile{{nullptr}, &disk, path};
  const bool creates =
      path != nullptr && (flags & SQLITE_OPEN_CREATE) != 0 && !std::filesystem::exists(path);
  if (creates && !disk.proceed(Operation::other)) return SQLITE_CANTOPEN;
  const int code = real_vfs()->xOpen(real_vfs(), path, self->real(), flags, out);
  if (self->real()->pMethods != nullptr) self->base.pMethods = &kMethods;
  if (code != SQLITE_OK || path == nullptr) return code;
  if (creates) {
    disk.create(name_of(path));
  } else {
    disk.find(name_of(path));
  }
  return code;
}

int delete_file(sqlite3_vfs* vfs, const char* path, int sync_directory) {
  CrashDisk& disk = disk_of(vfs);
  if (!disk.proceed(Operation::other)) return SQLITE_IOERR_DELETE;
  directory_opened = false;
  const int code = real_vfs()->xDelete(real_vfs(), path, sync_directory);
  if (code != SQLITE_OK) return code;
  disk.remove(name_of(path));
  if (directory_opened) disk.sync_directory();
  return code;
}

}  // namespace

CrashVfs::CrashVfs(CrashDisk& disk) : vfs_(std::make_unique<sqlite3_vfs>(*real_vfs())) {
  vfs_->szOsFile += static_cast<int>(sizeof(CrashFile));
  vfs_->zName = kName;
  vfs_->pAppData = &disk;
  vfs_->pNext = nullptr;
  vfs_->xOpen = open_file;
  vfs_->xDelete = delete_file;
  sqlite3_vfs_register(vfs_.get(), 0);
  sqlite3_vfs* unix_vfs = real_vfs();
  real_open_directory =
      reinterpret_cast<OpenDirectory>(unix_vfs->xGetSystemCall(unix_vfs, "openDirectory"));
  unix_vfs->xSetSystemCall(unix_vfs, "openDirectory",
                           reinterpret_cast<sqlite3_syscall_ptr>(open_directory));
}

CrashVfs::~CrashVfs() {
  sqlite3_vfs* unix_vfs = real_vfs();
  unix_vfs->xSetSystemCall(unix_vfs, "openDirectory", nullptr);
  sqlite3_vfs_unregister(vfs_.get());
}

}  // namespace lode
