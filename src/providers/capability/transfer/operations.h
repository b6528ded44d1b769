// The operations `import` and `export` of the tool element_manage: what the
// commands of these names do, but with paths inside the workspace alone, and with
// those files and elements that the caller may read or write.
#pragma once

#include <string>

#include "providers/capability/collection.h"
#include "providers/capability/manage.h"

namespace lode {

// workspace: its directory. REQUIRES: the collection outlives the manager.
void add_transfer(ElementManager& manager, Collection& collection, const std::string& workspace);

}  // namespace lode
