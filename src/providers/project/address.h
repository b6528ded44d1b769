// The addresses of projects:
//
//   resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}
//
// The path is a directory's short name (workspace/workspace.h); without it the
// address is that of the root, or of all roots.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/uri.h"
#include "engine/routes.h"

namespace lode {

inline constexpr std::string_view kProjectTemplate =
    "resource://project/{+path}/{aspect}{?pattern,exclude,max_depth,cursor}";
// Of the root, or of all roots.
inline constexpr std::string_view kRootTemplate =
    "resource://project/{aspect}{?pattern,exclude,max_depth,cursor}";

enum class ProjectAspect { structure, summary, files };
inline constexpr std::array<std::string_view, 3> kProjectAspects{"structure", "summary", "files"};

struct ProjectAddress {
  static constexpr std::size_t kMostDepth = 64;

  std::string path;  // no empty segments, no slash at its ends
  ProjectAspect aspect = ProjectAspect::summary;
  std::string pattern;
  std::string exclude;
  std::optional<std::size_t> max_depth;
  std::string after;  // files: the last path of the page before

  // Code::invalid: an unknown aspect or parameter, or a value that is none of its
  // parameter. Code::not_found: no directory can have that name.
  static Result<ProjectAddress> parse(const Address& address);
  // The same, of any spelling.
  static Result<ProjectAddress> parse(const Uri& uri);

  // The one spelling.
  std::string uri() const;
};

std::string project_uri(std::string_view path, ProjectAspect aspect);

}  // namespace lode
