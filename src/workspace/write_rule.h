// Where tools may write: nowhere that another program would obey what they wrote.
//
// Git runs hooks and programs that its configuration names; Lode itself obeys what
// stands in .lode. Refused, whatever the request called it, are
//
//   1. names: .git and .lode at any depth, in any case, and as file systems that
//      fold names know them (".git.", "git~1");
//   2. places of git: the repository that a directory above the file has, also if
//      its .git is a link or a file that names it; what links in it lead to; its hooks,
//      and the directory that core.hooksPath names in its configuration, in what that
//      includes, or in the user's own;
//   3. repositories without a work tree, by their shape.
//
// Every writer asks, with the path that it is about to write, after all links: what
// the request said is not asked about. Lode's own writers give their folder as the
// root, and may write below it. Any thread; reads a few files.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace lode {

inline constexpr std::size_t kGitConfigBytes = 1024 * 1024;  // longer, nothing may be written

// root: absolute, without links; its own name and those above it are not asked about.
// relative: the file below it, without links and dots; it need not exist.
// Code::denied says why.
Status check_write(const std::string& root, const std::string& relative);

}  // namespace lode
