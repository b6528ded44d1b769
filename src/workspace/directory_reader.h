// The entries of an open directory, read in large pieces.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lode {

struct DirectoryEntry {
  enum class Kind : std::uint8_t { directory, regular, link, other };
  std::string_view name;
  std::uint64_t inode = 0;
  Kind kind = Kind::other;
};

// Reuses its memory from one directory to the next. One thread.
class DirectoryReader {
 public:
  // All entries but "." and "..", in no order; what can no longer be read is
  // missing. Valid until the next call. fd: just opened for reading.
  std::span<const DirectoryEntry> read(int fd);

 private:
  std::size_t fill(int fd);
  void parse(int fd, std::size_t length);

  std::vector<char> buffer_;
  std::vector<DirectoryEntry> entries_;
};

}  // namespace lode
