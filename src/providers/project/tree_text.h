// A project's directories and files as an indented tree: one line each, a slash
// behind directories.
//
//   src/
//     base/ (84 files)
//     main.cc
//   README.md
//
// A directory at the greatest depth says how many files are below. A tree of more
// lines than the limit is cut evenly: no directory shows more than so many of its
// entries, and says how many it leaves out; directories come first. Links are
// shown, not followed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "providers/project/survey.h"

namespace lode {

struct TreeLimits {
  std::size_t depth = 3;
  std::size_t lines = 1000;
};

struct TreeText {
  std::string text;
  bool cut_by_depth = false;
  bool cut_by_lines = false;
};

// items: sorted by path.
TreeText tree_text(const std::vector<Survey::Item>& items, const TreeLimits& limits);

}  // namespace lode
