// What an address must have to match a glob: by this the PolicyIndex finds it.
//
// A glob with alternatives has a key for each of its branches: whoever matches
// {a,b}/** has a/ or b/ at the beginning. Keys only say where to look; the glob
// itself decides. So a branch may be taken for more than it is (a "**/" that
// only braces separated from the '/' before it), never for less.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/glob.h"

namespace lode {

struct PolicyKey {
  std::string prefix;   // what it begins with
  std::string segment;  // a whole segment after that; empty: none is sure
  std::string ending;   // what it ends with, of which the last kMaxEnding bytes count

  static constexpr std::size_t kMaxEnding = 16;
  static constexpr std::size_t kMaxBranches = 64;

  // Of the glob as a whole.
  static PolicyKey of(const Glob& glob);
  // Each address that matches has one of these. One key, of the glob as a
  // whole, if it has no alternatives or more than kMaxBranches.
  static std::vector<PolicyKey> branches_of(const Glob& glob);
};

}  // namespace lode
