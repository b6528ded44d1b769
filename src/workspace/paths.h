// The paths by which callers name files. Pure functions on values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "workspace/workspace.h"

namespace lode {

// A path without dots, doubled slashes and a slash at either end. Nothing: it climbs
// above where it begins.
std::optional<std::string> resolve_dots(std::string_view path);

// What an argument names: a short name, an absolute path or a file:/// address.
// Dots and doubled slashes are resolved before anything is looked up. Nothing:
// it is outside of the roots or hidden, or it is all roots, where there are
// several.
std::optional<Workspace::Place> find_place(const Workspace& workspace, std::string_view argument);

// The last segment of a path, and what stands before it.
std::string_view last_name(std::string_view path);
std::string_view parent_path(std::string_view path);

}  // namespace lode
