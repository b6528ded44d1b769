// Puts into the aliases of a tree what they name.
//
// A small text can name a large value many times over, and names can build on
// names: so copies count against the limits like what is written.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "store/yaml.h"

namespace lode {

// Of a tree in which aliases are leaves that know their anchor's number, from 1
// to anchors, and nodes were counted.
Status expand_aliases(YamlNode& root, std::size_t anchors, std::size_t nodes,
                      const YamlLimits& limits);

}  // namespace lode
