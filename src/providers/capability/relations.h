// Which fields of an element name other elements. Values; any thread.
#pragma once

#include <vector>

#include "providers/capability/element.h"

namespace lode {

// common and typed may be the same map.
std::vector<Relation> relations_of(ElementType type, const YamlNode& common, const YamlNode& typed);

}  // namespace lode
