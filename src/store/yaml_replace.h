// One value written in the place of another.
#pragma once

#include <vector>

#include "store/yaml_edit.h"
#include "store/yaml_lines.h"

namespace lode {

// Where a value stands in its text.
struct YamlSite {
  const YamlNode& node;
  std::size_t after;   // behind its colon or dash; in a flow list, where it begins
  std::size_t column;  // of its key or dash
  bool item;           // behind a dash
  bool in_flow;
  bool colon;  // there is a colon, or none is needed
};

// The site of a child. REQUIRES: index < child_count(parent).
YamlSite find_site(const YamlLines& lines, const YamlNode& parent, std::size_t index);

// Scalars keep their style and flow collections theirs if the value allows;
// anchors, tags and comments stay if they can.
std::vector<YamlRewrite> propose_replacement(const YamlLines& lines, const YamlSite& site,
                                             const Json& value, const YamlLayout& layout);

}  // namespace lode
