// What GET /mcp/resource knows of files: the frontmatter of markdown, and the short names of the
// workspace.
#pragma once

#include "server/resource_body.h"
#include "workspace/workspace.h"

namespace lode {

// REQUIRES: the workspace outlives what is made.
ResourceFiles make_resource_files(const Workspace& workspace);

}  // namespace lode
