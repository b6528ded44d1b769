#include "base/buffer.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace lode {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;
constexpr std::size_t kPage = 4096;  // or a part of one, where pages are larger

constexpr std::uint32_t kXfs = 0x58465342;  // what <linux/magic.h> does not name
constexpr std::uint32_t kZfs = 0x2FC12FC1;

bool is_local(int fd) {
  constexpr auto kLocal =
      std::to_array<std::uint32_t>({EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
                                    OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, kXfs, kZfs});
  struct statfs info {};
  return ::fstatfs(fd, &info) == 0 &&
         std::ranges::find(kLocal, static_cast<std::uint32_t>(info.f_type)) != kLocal.end();
}

// False: an error, or the file has become shorter.
bool read_whole(int fd, char* to, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::read(fd, to + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

void Buffer::Release::operator()(char* data) const {
  if (mapped == 0) {
    delete[] data;
  } else {
    ::munmap(data, mapped);
  }
}

Buffer Buffer::of_heap(std::size_t size) {
  return {Data(std::make_unique_for_overwrite<char[]>(size).release(), Release{}), size};
}

Buffer Buffer::copy_of(std::string_view bytes) {
  auto copy = of_heap(bytes.size());
  std::ranges::copy(bytes, copy.data_.get());
  return copy;
}

Result<Buffer> Buffer::of_file(const Descriptor& file, std::size_t size) {
  if (size >= kLarge && is_local(file.get())) {
    void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.get(), 0);
    if (begin != MAP_FAILED) {
      return Buffer(Data(static_cast<char*>(begin), Release{size}), size);
    }
  }
  auto read = of_heap(size);
  errno = 0;
  if (read_whole(file.get(), read.data_.get(), size)) return read;
  return internal(fmt::format("reading: {}", errno == 0 ? "it is shorter" : std::strerror(errno)));
}

void Buffer::truncate(std::size_t size) {
  assert(size <= size_);
  size_ = size;
  auto& mapped = data_.get_deleter().mapped;
  const auto kept = (size + kPage - 1) / kPage * kPage;
  if (kept == 0 || kept >= mapped) return;
  if (::munmap(data_.get() + kept, mapped - kept) == 0) mapped = kept;
}

}  // namespace lode
