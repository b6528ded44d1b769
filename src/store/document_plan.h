// The steps from one value to another that leave alone what both have.
#pragma once

#include <optional>
#include <vector>

#include "base/json.h"
#include "store/yaml.h"
#include "store/yaml_edit.h"

namespace lode {

struct DocumentStep {
  YamlPath path;
  std::optional<Json> value;  // none: remove
};

// In an order in which each is possible: values are replaced and appended, then
// removed, from the last. A list that gains items between others is replaced
// whole, and so is the value itself if nothing of it stays.
std::vector<DocumentStep> plan_steps(const YamlNode& old, const YamlPath& path, const Json& value);

}  // namespace lode
