// Which paths a caller means: globs that take, and globs that leave out.
//
// Globs stand in lists with commas between them; a comma in braces belongs to its
// glob. One without a slash is held against the last segment of a path, so that it
// matches at any depth. One with a slash is held against the path from the workspace,
// and against the path from the directory where the search begins: either will do.
// "/a" and "./a" are "a" where it begins; "a/" is all that is below any a.
//
// Immutable; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "base/glob.h"
#include "base/result.h"

namespace lode {

class PathChoice {
 public:
  static constexpr std::size_t kMostGlobs = 32;  // in one list

  // All paths.
  PathChoice() = default;
  // pattern: empty: all paths. Code::invalid names the argument.
  static Result<PathChoice> parse(std::string_view pattern, std::string_view exclude);

  // begin: how much of the path stands before what is below the directory where the
  // search begins.
  bool takes(std::string_view path, std::size_t begin = 0) const;
  // The same of a file or a directory, with all that is below.
  bool leaves_out(std::string_view path, std::size_t begin = 0) const;
  // Whether there is a pattern at all.
  bool has_pattern() const { return !taken_.empty(); }

 private:
  struct PathGlob {
    Glob glob;
    bool name_only = false;

    bool matches(std::string_view path, std::size_t begin) const;
  };
  using Globs = std::vector<PathGlob>;
  static Result<PathGlob> parse_glob(std::string_view text, bool takes);
  static Result<Globs> parse_list(std::string_view list, bool takes);
  static bool any(const Globs& globs, std::string_view path, std::size_t begin);

  Globs taken_;
  Globs left_out_;
};

}  // namespace lode
