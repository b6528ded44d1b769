#include "workspace/root.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <utility>

namespace lode {
namespace {

Descriptor open_beneath(int directory, const char* relative, std::uint64_t resolve) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  how.resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  // The kernel may ask to try again when something was renamed under it.
  for (int tries = 0; tries < 16; ++tries) {
    const long fd = ::syscall(SYS_openat2, directory, relative, &how, sizeof how);
    if (fd >= 0) return Descriptor(static_cast<int>(fd));
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return {};
}

std::chrono::system_clock::time_point time_of(const struct timespec& time) {
  using Clock = std::chrono::system_clock;
  return Clock::from_time_t(time.tv_sec) +
         std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(time.tv_nsec));
}

std::uint64_t stamp_of(std::initializer_list<std::uint64_t> facts) {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (const auto fact : facts) {
    hash = (hash ^ fact) * 0xff51afd7ed558ccdU;
    hash ^= hash >> 32U;
  }
  return hash | 1U;  // never 0
}

std::uint64_t number(std::int64_t value) { return static_cast<std::uint64_t>(value); }

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

Result<Root> Root::open(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  if (!real) return not_found(fmt::format("no such directory: {}", path));
  Descriptor directory(::open(real.get(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return invalid(fmt::format("not a directory: {}", path));
  return Root(real.get(), std::move(directory));
}

Result<OpenFile> Root::open_inside(const std::string& relative) const {
  return open_resolved(relative, 0);
}

Result<OpenFile> Root::open_without_links(const std::string& relative) const {
  return open_resolved(relative, RESOLVE_NO_SYMLINKS);
}

Result<OpenFile> Root::open_resolved(const std::string& relative, std::uint64_t resolve) const {
  if (relative.find('\0') != std::string::npos) return not_found("no such file");
  OpenFile file;
  file.descriptor =
      open_beneath(directory_.get(), relative.empty() ? "." : relative.c_str(), resolve);
  if (file.descriptor.get() < 0 || ::fstat(file.descriptor.get(), &file.info) != 0 ||
      (!file.is_directory() && !file.is_regular())) {
    return not_found("no such file");
  }
  return file;
}

std::optional<std::string> Root::real_path(const OpenFile& file) const {
  std::array<char, PATH_MAX> buffer{};
  const auto link = fmt::format("/proc/self/fd/{}", file.descriptor.get());
  const ssize_t size = ::readlink(link.c_str(), buffer.data(), buffer.size());
  if (size <= 0 || static_cast<std::size_t>(size) == buffer.size()) return std::nullopt;
  const std::string_view path(buffer.data(), static_cast<std::size_t>(size));
  if (path == path_) return "";
  const std::string_view root = path_ == "/" ? std::string_view() : std::string_view(path_);
  if (!path.starts_with(root) || path[root.size()] != '/') return std::nullopt;
  std::string relative(path.substr(root.size() + 1));
  // The kernel's word for what has no name any more; or a name that ends so.
  if (!relative.ends_with(" (deleted)")) return relative;
  struct stat named {};
  const bool there =
      ::fstatat(directory_.get(), relative.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
      named.st_ino == file.info.st_ino && named.st_dev == file.info.st_dev;
  return there ? std::optional(std::move(relative)) : std::nullopt;
}

std::chrono::system_clock::time_point modified_of(const struct stat& info) {
  return time_of(info.st_mtim);
}

bool has_settled(const struct stat& info) {
  constexpr std::chrono::milliseconds kSettled{50};
  return std::chrono::system_clock::now() - time_of(info.st_ctim) > kSettled;
}

std::uint64_t stamp_of(const struct stat& info) {
  return stamp_of({number(info.st_mtim.tv_sec), number(info.st_mtim.tv_nsec),
                   number(info.st_ctim.tv_sec), number(info.st_ctim.tv_nsec), number(info.st_size),
                   info.st_ino, info.st_mode});
}

std::uint64_t stamp_of(const struct statx& info) {
  return stamp_of({number(info.stx_mtime.tv_sec), info.stx_mtime.tv_nsec,
                   number(info.stx_ctime.tv_sec), info.stx_ctime.tv_nsec, info.stx_size,
                   info.stx_ino, info.stx_mode});
}

std::uint64_t Root::stamp(const std::string& relative) const {
  struct stat info {};
  const char* path = relative.empty() ? "." : relative.c_str();
  return ::fstatat(directory_.get(), path, &info, 0) == 0 ? stamp_of(info) : 0;
}

std::optional<struct stat> Root::look(const std::string& name) const {
  struct stat info {};
  if (name.empty() || name == ".." || name.find_first_of(std::string_view("/\0", 2)) != name.npos) {
    return std::nullopt;
  }
  if (::fstatat(directory_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 ||
      (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) ||
      ::faccessat(directory_.get(), name.c_str(), R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return info;
}

Result<std::vector<std::string>> Root::names(const std::string& relative) const {
  auto file = open_inside(relative);
  if (!file) return not_found("no such directory");
  return names(*file);
}

Result<std::vector<std::string>> Root::names(const OpenFile& file) {
  if (!file.is_directory()) return not_found("no such directory");
  const int fd = ::fcntl(file.descriptor.get(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(fd));
  if (!directory) return not_found("no such directory");
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> read_all(const OpenFile& file, std::size_t limit) {
  std::string bytes;
  bytes.resize(std::min(limit, static_cast<std::size_t>(file.info.st_size)) + 1);
  std::size_t have = 0;
  for (;;) {
    const ssize_t n = ::read(file.descriptor.get(), bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return not_found("the file cannot be read");
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
    if (have > limit) {
      return Error{Code::unsupported, fmt::format("the file is over {} bytes", limit), {}};
    }
    if (have == bytes.size()) bytes.resize(std::min(limit + 1, bytes.size() * 2));
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace lode
