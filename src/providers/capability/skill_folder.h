// The files of one skill's folder.
//
// They are the regular files at and below it, without those that are secret or
// that git ignores, and without names that are no UTF-8. A link counts if it
// leads to a file of the same folder; no link to a directory is followed, and
// none that leads elsewhere.
//
// A value that holds its folder open; any thread.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/capability/folder.h"
#include "workspace/root.h"

namespace lode {

struct SkillLimits {
  std::size_t files = 512;                          // of a skill
  std::size_t bytes = std::size_t{16} << 20;        // of all its files
  std::size_t directory_page = 1000;                // entries in one content of a directory
  std::size_t kept_bytes = std::size_t{32} << 20;   // of what is remembered about files
};

class SkillFolder {
 public:
  struct Member {
    std::string path;  // below the folder
    struct stat info {};

    bool is_directory() const { return S_ISDIR(info.st_mode); }
    std::string_view name() const {
      return std::string_view(path).substr(path.rfind('/') + 1);
    }
  };
  struct Listing {
    std::vector<Member> members;
    bool more = false;
  };

  // path: of the folder, below the root of `folder`.
  SkillFolder(std::shared_ptr<ElementFolder> folder, std::string path)
      : folder_(std::move(folder)), path_(std::move(path)) {}

  // All paths here are below the folder and have no empty, "." or ".." segment;
  // the empty one is the folder itself.

  // Code::not_found: no such file or directory, or it does not count.
  Result<OpenFile> open(std::string_view path) const;

  // What is in a directory, by name, from the first after a name on, at most so
  // many. Code::not_found: no such directory.
  Result<Listing> list(std::string_view directory, std::string_view after, std::size_t most) const;

  // Every file, by path. Code::unsupported: there are more, or they are longer,
  // than the limits allow.
  Result<std::vector<Member>> files(const SkillLimits& limits) const;

  // Root::stamp() of it; what it sees may not count.
  std::uint64_t stamp(std::string_view path) const;

 private:
  std::string below_root(std::string_view path) const;
  Result<OpenFile> open_linked(const std::string& path) const;

  std::shared_ptr<ElementFolder> folder_;
  std::string path_;
};

}  // namespace lode
