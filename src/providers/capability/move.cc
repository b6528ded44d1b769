#include "providers/capability/move.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/unfinished.h"
#include "store/private_directory.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

Error failure(int why) {
  switch (why) {
    case EEXIST:
    case ENOTEMPTY: return {Code::conflict, "there is something in its place", {}};
    case ENOENT: return not_found("it has gone");
    case EACCES:
    case EPERM:
    case EROFS: return {Code::denied, fmt::format("moving: {}", std::strerror(why)), {}};
    case ENOSPC:
    case EDQUOT: return {Code::unavailable, fmt::format("moving: {}", std::strerror(why)), {}};
    default: return internal(fmt::format("moving: {}", std::strerror(why)));
  }
}

bool is_there(const MoveEnd& end) {
  struct stat info {};
  return ::fstatat(end.directory, end.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

// 0, or why not.
int rename_to_free_place(const MoveEnd& from, const MoveEnd& to) {
  const int done = ::renameat2(from.directory, from.name.c_str(), to.directory, to.name.c_str(),
                               RENAME_NOREPLACE);
  if (done == 0) return 0;
  // Some filesystems have no such rename.
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (is_there(to)) return EEXIST;
  const int renamed = ::renameat(from.directory, from.name.c_str(), to.directory, to.name.c_str());
  return renamed == 0 ? 0 : errno;
}

// A path through the open directory, which nobody can exchange.
fs::path path_of(const MoveEnd& end) {
  return fmt::format("/proc/self/fd/{}/{}", end.directory, end.name);
}

Status copy_across(const MoveEnd& from, const MoveEnd& to) {
  std::random_device random;
  const MoveEnd half{to.directory, fmt::format("{}{:08x}{:08x}{}", kUnfinishedPrefix, random(),
                                               random(), kUnfinishedSuffix)};
  std::error_code problem;
  fs::copy(path_of(from), path_of(half),
           fs::copy_options::recursive | fs::copy_options::copy_symlinks, problem);
  int why = problem.value();
  if (!problem && ::syncfs(to.directory) != 0) why = errno;
  if (why == 0) why = rename_to_free_place(half, to);
  if (why == 0) return {};
  fs::remove_all(path_of(half), problem);
  return failure(why);
}

}  // namespace

Status move_durably(const MoveEnd& from, const MoveEnd& to) {
  const int why = rename_to_free_place(from, to);
  if (why != 0 && why != EXDEV) return failure(why);
  if (why == EXDEV) {
    if (auto copied = copy_across(from, to); !copied) return copied;
  }
  if (auto synced = sync_directory(to.directory); !synced) return synced;
  if (why == EXDEV) {
    std::error_code problem;
    fs::remove_all(path_of(from), problem);
    if (problem) return failure(problem.value()).in("copied, but the original stays");
  }
  return sync_directory(from.directory);
}

}  // namespace lode
