// Whether a directory is the top of a git repository that may be read, and where its
// parts are.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "workspace/root.h"

namespace lode {

enum class GitKind {
  own,     // .git is a directory
  linked,  // .git is a file that names the repository
  bare,    // the directory is a repository without a work tree
};

struct GitPlace {
  GitKind kind = GitKind::own;
  std::string head;    // the directory of HEAD
  std::string common;  // the directory of all else; the same unless the kind is linked
  std::shared_ptr<const Root> repository = {};  // if linked: wherever it is

  // What the paths are relative to. workspace: where the directory was looked for.
  const Root& root(const Root& workspace) const { return repository ? *repository : workspace; }
};

// directory: relative to the root. A linked work tree may belong to a repository outside of
// the root, if that repository names it in turn: only who could write there could make it.
// Code::not_found: it is no repository, or one that is not pointed back at by what it points
// at. Code::invalid: parts are missing or are links.
Result<GitPlace> check_git_directory(const Root& root, const std::string& directory);

inline constexpr std::size_t kMostGitPacks = 20'000;  // files in the directory of packs

// Whether the packs are files and nothing else: the library opens them by their paths,
// and a link would lead out of the repository, and who opens a pipe waits for ever.
// Code::invalid: they are not, or there are more than kMostGitPacks.
Status check_git_packs(const Root& root, const GitPlace& place);

}  // namespace lode
