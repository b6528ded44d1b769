// What an edit must satisfy, before and after.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "store/yaml.h"

namespace lode {

// The value can be written below the path: UTF-8, and not too deep.
Status check_value(std::span<const std::string> path, const Json& value, std::size_t max_depth);

// The new tree is the old one with the value at the path, set or appended, and
// nothing else. Without a value: with what was at the path removed.
bool changed_only(const YamlNode& old, const YamlNode& now, std::span<const std::string> path,
                  const Json* value);

}  // namespace lode
