// How one value of a YAML text can be changed, added or removed by changing
// only the bytes that say it.
//
// The answers are proposals, the least intrusive first: YAML has corners where
// one means something else than it should. Who uses a proposal parses the
// result and looks; store/document.h does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "store/yaml.h"

namespace lode {

// The keys from the root to a value; an item of a list by its number, from "0".
using YamlPath = std::vector<std::string>;

// Bytes to be replaced by others.
struct YamlSplice {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};
using YamlRewrite = std::vector<YamlSplice>;  // in order, apart from each other

std::string rewritten(std::string_view text, const YamlRewrite& rewrite);

// A text, which ends with a line end or is empty, and what it was parsed to.
struct YamlSource {
  std::string_view text;
  const YamlNode& root;
  std::string_view eol;  // for new lines
};

// REQUIRES of both: the path is not empty, all but its last exists and is a map
// or list, and no alias is on the way.

// Replaces a value, or appends it to its map or list.
std::vector<YamlRewrite> propose_set(const YamlSource& source, const YamlPath& path,
                                     const Json& value);

// Removes a value, and its key or dash. The last of a map leaves `{}`, the last
// of a list `[]`. REQUIRES: it exists.
std::vector<YamlRewrite> propose_removal(const YamlSource& source, const YamlPath& path);

// Where a key or an item's number is among the children of a map or list; their
// number if it is not there but would be appended; npos if it could not be.
std::size_t child_index(const YamlNode& parent, std::string_view key);
std::size_t child_count(const YamlNode& parent);
// REQUIRES: index < child_count(parent).
const YamlNode& child_at(const YamlNode& parent, std::size_t index);

}  // namespace lode
