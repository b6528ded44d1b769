// The two files by which a workspace says how it wants to be served:
// .lode/lode.toml and .lode/policy.toml.
//
// They may come with a clone, so they are read with care: only regular files of this
// user, through no link, up to a length. Each is read once; who judges them and who
// uses them have the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace lode {

inline constexpr std::size_t kWorkspaceFileBytes = 1024 * 1024;

struct WorkspaceFile {
  enum class State : std::uint8_t {
    absent,
    read,        // `text` is all of it
    foreign,     // it is another user's, or its directory is: as if absent
    unreadable,  // a link, no regular file, too long, or without permission
  };
  State state = State::absent;
  std::string path;  // for people
  std::string text;
  std::string problem;  // of foreign and unreadable, in words

  bool operator==(const WorkspaceFile&) const = default;
};

struct WorkspaceFiles {
  WorkspaceFile config;
  WorkspaceFile policy;

  bool operator==(const WorkspaceFiles&) const = default;
};

// workspace: a directory. Never blocks on a pipe or device.
WorkspaceFiles read_workspace_files(const std::string& workspace);

// Whether a file or directory itself, and not what a link leads to, belongs to the
// user who runs this. False if it does not exist.
bool is_own(const std::string& path);

// Whether a path that a workspace names stays in it: below the workspace (relative,
// or absolute and below it), without "..", without a link on the way, and not where
// secrets or version control are. Code::invalid says why not. Who opens it later must
// not follow links either: it may have changed.
Status check_stays_inside(const std::string& workspace, const std::string& path);

}  // namespace lode
