// Versions of files, from git: "docs/a.md@v2" is that file as it was at v2, and "@" may be
// followed by all that Git::file() takes. For providers whose addresses end with a path.
//
// A provider does three things:
//
//   1. In canonical(): split_revision(), and move the revision into the query,
//      mcp://x/docs/a.md?rev=v2. Neither rules nor the exposure list look at queries, so each
//      of them sees the path without the revision. The cache tells the two apart.
//   2. In file_behind() and local_path(): the file without the revision for the former, so
//      that its rules hold; nothing for the latter, since no file of the work tree is it.
//   3. In its route, if there is a revision: read(). The commit is the version; what was read
//      never changes for an id, but may for a branch, a tag or a date: Git::stamp() differs
//      when the head does.
//
// Paths are relative to the root and without "..": the caller has asked whether the path may
// be seen (Workspace::find()). Entries of a directory it asks about one by one.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/git.h"
#include "workspace/root.h"

namespace lode {

struct VersionedPath {
  std::string path;      // decoded
  std::string revision;  // decoded, never empty
};

// encoded: a path as an address has it (Uri::path(), or a part of it). Its last segment may
// end with a revision: what follows the last "@" that is written as such; one that is
// written %40 is a character of the name. exists: whether something stands at a decoded path;
// then its "@" begins nothing. Nothing: there is no revision.
std::optional<VersionedPath> split_revision(std::string_view encoded,
                                            const std::function<bool(const std::string&)>& exists);

// What split_revision() takes apart. address: of the file, whose "@" are encoded as
// encode_path() does; without query.
std::string version_address(std::string_view address, std::string_view revision);

class FileVersions {
 public:
  using SteadyTime = Git::SteadyTime;

  // REQUIRES: it outlives this.
  explicit FileVersions(Git& git) : git_(git) {}

  // What stood at the path. Code::not_found, always in the words of a resource that is
  // absent or hidden: there is no such revision, no such path then, or no repository.
  // Code::unsupported: it is too large. Code::timeout. Code::unavailable: there is no libgit2.
  // Code::internal: the repository cannot be read.
  Result<GitFile> read(const Root& root, const std::string& path, const std::string& revision,
                       SteadyTime deadline, const std::stop_token& stop);

  // Who changed the file at the paths, which are names that it has or had. Those that belong
  // to another repository than the first does do not count. Without a repository there is no
  // change. Else as read(). REQUIRES: there is a path.
  Result<GitFileHistory> history(const Root& root, const std::vector<std::string>& paths,
                                 const GitHistoryPage& page, SteadyTime deadline,
                                 const std::stop_token& stop);

  // The bytes that GitFileChange::before and ::after name; see Git::blobs().
  Result<std::vector<std::optional<std::string>>> blobs(const Root& root, const std::string& path,
                                                        const std::vector<std::string>& ids,
                                                        SteadyTime deadline,
                                                        const std::stop_token& stop);

 private:
  Git& git_;
};

}  // namespace lode
