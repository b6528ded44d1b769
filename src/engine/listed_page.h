// A page of `resources/list` as the engine keeps it: what one caller is shown.
//
// It stands in the cache as Contents without items. Beside what all contents grow old by, it
// names the catalog and the exposure list that it was made under; Contents::decided_by has the
// policy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/manifest.h"

namespace lode {

class Catalog;
class Exposure;

struct ListedPage {
  std::vector<Entry> entries;
  std::string next;  // the engine's cursor; empty at the end
  // Weak: a page that is kept must not keep a provider that was removed.
  std::weak_ptr<const Catalog> catalog;
  std::shared_ptr<const Exposure> exposure;
};

}  // namespace lode
