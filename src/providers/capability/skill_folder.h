// The files of one skill.
//
// They are the regular files at and below its folder, without those that are
// secret or that git ignores, and without names that are no UTF-8. A link counts
// if it leads to a file of the same folder; no link to a directory is followed,
// and none that leads elsewhere. A skill in a file of its own is a folder with a
// SKILL.md in it, behind which that file is.
//
// A value that holds its folder open; any thread.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "follow/tree.h"
#include "providers/capability/skill_names.h"
#include "workspace/root.h"

namespace lode {

struct SkillLimits {
  std::size_t files = 512;                         // of a skill; also directories
  std::size_t bytes = std::size_t{16} << 20;       // of all its files
  std::size_t directory_page = 1000;               // entries in one content of a directory
  std::size_t kept_bytes = std::size_t{32} << 20;  // of what is remembered about files
};

class SkillFolder {
 public:
  static constexpr std::string_view kSheet = "SKILL.md";

  struct Member {
    std::string path;
    struct stat info {};

    bool is_directory() const { return S_ISDIR(info.st_mode); }
    std::string_view name() const { return std::string_view(path).substr(path.rfind('/') + 1); }
  };
  struct Listing {
    std::vector<Member> members;
    bool more = false;
  };

  SkillFolder(std::shared_ptr<const FollowedTree> folder, SkillSpot spot)
      : folder_(std::move(folder)), spot_(std::move(spot)) {}

  const SkillSpot& spot() const { return spot_; }

  // Paths are below the folder; the empty one is the folder itself. Nothing is at
  // one with an empty, "." or ".." segment.

  // Code::not_found: no such file or directory, or it does not count.
  Result<OpenFile> open(std::string_view path) const;

  // What is in a directory and wanted, by name, from the first after a name on, at
  // most so many. Code::not_found: no such directory.
  using Wanted = std::function<bool(std::string_view path)>;
  Result<Listing> list(std::string_view directory, std::string_view after, std::size_t most,
                       const Wanted& wanted = {}) const;

  // Every file, by path. Code::unsupported: they are over a limit.
  Result<std::vector<Member>> files(const SkillLimits& limits) const;

  // Root::stamp(); what it sees may not count.
  std::uint64_t stamp(std::string_view path) const;
  std::string local_path(std::string_view path) const;
  // Below the collection's folder that the skill is in.
  std::string below_root(std::string_view path) const;

 private:
  Result<OpenFile> open_linked(const std::string& below_root) const;

  std::shared_ptr<const FollowedTree> folder_;
  SkillSpot spot_;
};

}  // namespace lode
