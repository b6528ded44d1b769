// A directory that we may read, and the only way to open what is in it.
//
// Every name is resolved by the kernel below the root's own descriptor
// (openat2 with RESOLVE_BENEATH): neither "..", nor an absolute link, nor a
// link swapped in at the last moment leads out. Constant after construction;
// any thread.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace lode {

// Something opened, with what was true of it then.
struct OpenFile {
  Descriptor descriptor;
  struct stat info {};

  bool is_directory() const { return S_ISDIR(info.st_mode); }
  bool is_regular() const { return S_ISREG(info.st_mode); }
};

class Root {
 public:
  // Code::not_found, Code::invalid: it is not there, or no directory.
  static Result<Root> open(const std::string& path);

  // The absolute path, without links and without a slash at its end.
  const std::string& path() const { return path_; }

  // relative has no leading slash; empty means the root itself. Only regular
  // files and directories are opened. Everything that cannot be opened, for
  // whatever reason, is Code::not_found.
  Result<OpenFile> open_inside(const std::string& relative) const;
  // The same, but a link anywhere on the way, even one that stays inside, is
  // not followed: what a walk uses, so that it meets each thing once.
  Result<OpenFile> open_without_links(const std::string& relative) const;

  // Where an opened file really is, relative to the root, after all links;
  // nothing if it is not (or no longer) inside.
  std::optional<std::string> real_path(const OpenFile& file) const;

  // A number that differs whenever the file or directory differs; 0 if there is
  // none. One call of the system; what it sees may lie behind a link that
  // open_inside() would refuse.
  std::uint64_t stamp(const std::string& relative) const;

  // What open_inside() would find under a name in the root itself, without
  // opening it; nothing if that takes an opening: it is a link, or further down.
  std::optional<struct stat> look(const std::string& name) const;

  // Names in a directory, sorted, without "." and "..".
  Result<std::vector<std::string>> names(const std::string& relative) const;
  static Result<std::vector<std::string>> names(const OpenFile& directory);

 private:
  Result<OpenFile> open_resolved(const std::string& relative, std::uint64_t resolve) const;

  Root(std::string path, Descriptor directory)
      : path_(std::move(path)), directory_(std::move(directory)) {}

  std::string path_;
  Descriptor directory_;
};

// The number that Root::stamp() gives for something with these attributes.
std::uint64_t stamp_of(const struct stat& info);
std::uint64_t stamp_of(const struct statx& info);

// Whether its last change is so long ago that another one would have another stamp: the times of
// files move in steps, and what changed within one may change again unseen.
bool has_settled(const struct stat& info);

// When something with these attributes was last written.
std::chrono::system_clock::time_point modified_of(const struct stat& info);

// The whole file. Code::unsupported: it is longer than the limit.
Result<std::string> read_all(const OpenFile& file, std::size_t limit);

}  // namespace lode
