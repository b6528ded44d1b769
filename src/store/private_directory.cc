#include "store/private_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lode {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

Error failure(const std::string& path) {
  const int why = errno;
  return internal(fmt::format("the directory {}: {}", path, std::strerror(why)));
}

}  // namespace

std::string directory_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status sync_directory(int directory) {
  // Some filesystems have nothing to sync in a directory, and say EINVAL.
  if (::fsync(directory) == 0 || errno == EINVAL) return {};
  const int why = errno;
  return internal(fmt::format("syncing the directory: {}", std::strerror(why)));
}

Result<Descriptor> open_private_directory(const std::string& path) {
  // From the left: the part before each slash, then the whole.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0700) == 0) {
      const Descriptor parent(::open(directory_of(part).c_str(), kOpenDirectory));
      if (!parent.is_open()) return failure(part);
      if (auto synced = sync_directory(parent.get()); !synced) return std::move(synced).error();
    } else if (errno != EEXIST && end == std::string::npos) {
      return failure(part);
    }
    if (end == std::string::npos) break;
  }
  Descriptor directory(::open(path.c_str(), kOpenDirectory));
  if (!directory.is_open()) return failure(path);
  return directory;
}

}  // namespace lode
