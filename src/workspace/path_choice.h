// Which paths a caller means: a glob that takes, and globs that leave out.
//
// A glob without a slash is held against the last segment, so that it matches at
// any depth. One with a slash is held against the path from the workspace, and
// against the path from the directory where the search begins: either will do.
// "/a" and "./a" are "a", in the root alone; "a/" is all that is below a.
//
// Immutable; any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "base/result.h"

namespace lode {

class PathChoice {
 public:
  // pattern: empty: all paths. exclude: globs with commas between them; a comma
  // in braces belongs to its glob. Code::invalid names the argument.
  static Result<PathChoice> parse(std::string_view pattern, std::string_view exclude);

  // path: a short name; begin: how much of it stands before what is below the
  // directory where the search begins.
  bool takes(std::string_view path, std::size_t begin) const;
  // The same of a file or a directory, with all that is below.
  bool leaves_out(std::string_view path, std::size_t begin) const;

 private:
  struct PathGlob {
    Glob glob;
    bool name_only = false;

    bool matches(std::string_view path, std::size_t begin) const;
  };
  static Result<PathGlob> parse_glob(std::string_view text, bool takes);

  std::optional<PathGlob> taken_;
  std::vector<PathGlob> left_out_;
};

}  // namespace lode
