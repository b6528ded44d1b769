#include "workspace/directory_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstring>

namespace lode {
namespace {

constexpr std::size_t kPiece = 64UL * 1024;

DirectoryEntry::Kind kind_of_mode(unsigned mode) {
  if (S_ISDIR(mode)) return DirectoryEntry::Kind::directory;
  if (S_ISREG(mode)) return DirectoryEntry::Kind::regular;
  return S_ISLNK(mode) ? DirectoryEntry::Kind::link : DirectoryEntry::Kind::other;
}

// Some file systems do not say what an entry is.
DirectoryEntry::Kind kind_of(int fd, unsigned char type, const char* name) {
  if (type != DT_UNKNOWN) return kind_of_mode(static_cast<unsigned>(DTTOIF(type)));
  struct stat info {};
  const bool known = ::fstatat(fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? kind_of_mode(info.st_mode) : DirectoryEntry::Kind::other;
}

}  // namespace

std::span<const DirectoryEntry> DirectoryReader::read(int fd) {
  parse(fd, fill(fd));
  return entries_;
}

std::size_t DirectoryReader::fill(int fd) {
  std::size_t length = 0;
  for (;;) {
    if (buffer_.size() - length < kPiece) buffer_.resize(length + 2 * kPiece);
    const ssize_t n = ::getdents64(fd, buffer_.data() + length, buffer_.size() - length);
    if (n <= 0) return length;
    length += static_cast<std::size_t>(n);
  }
}

void DirectoryReader::parse(int fd, std::size_t length) {
  entries_.clear();
  for (std::size_t at = 0; at < length;) {
    const char* record = buffer_.data() + at;
    std::uint64_t inode = 0;
    std::uint16_t size = 0;
    std::memcpy(&inode, record + offsetof(dirent64, d_ino), sizeof inode);
    std::memcpy(&size, record + offsetof(dirent64, d_reclen), sizeof size);
    const char* name = record + offsetof(dirent64, d_name);
    const auto type = static_cast<unsigned char>(record[offsetof(dirent64, d_type)]);
    at += size;
    const std::string_view view(name);
    if (view == "." || view == "..") continue;
    entries_.push_back({view, inode, kind_of(fd, type, name)});
  }
}

}  // namespace lode
