// Values as YAML text that people like to read, and that every reader of YAML
// 1.1 and 1.2 reads alike.
//
// Strings are plain where that is safe, else in quotes; of several lines, as
// literal blocks where they can be. Lists and maps are blocks; empty ones `[]`
// and `{}`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "store/yaml.h"

namespace lode {

struct YamlLayout {
  std::size_t indent = 2;       // of a map, from the key above it
  std::size_t list_indent = 2;  // of a dash, from the key above it
  std::string_view eol = "\n";  //
};

// What stands behind "key:" or "-".
struct YamlText {
  std::string head;  // on the same line; empty, or without blanks around it
  std::string tail;  // the lines below, each with its line end

  friend bool operator==(const YamlText&, const YamlText&) = default;
};

// Where a value stands.
struct YamlPlace {
  std::size_t column = 0;               // of its key or dash
  bool item = false;                    // behind a dash
  std::optional<std::size_t> children;  // the column of the lines below, if it is given
};

// REQUIRES of all: strings are UTF-8.

// A value as a block.
YamlText yaml_block(const Json& value, const YamlPlace& place, const YamlLayout& layout);

// A value on one line, to stand in `{}` or `[]`, or anywhere.
std::string yaml_flow(const Json& value);

// A string in a given style: plain, single_quoted, double_quoted, literal or
// folded. Nothing if the style cannot hold it, or would not be read alike by
// everybody.
std::optional<YamlText> yaml_string(std::string_view text, YamlStyle style, bool in_flow,
                                    const YamlPlace& place, const YamlLayout& layout);

// A key, without its colon.
std::string yaml_key(std::string_view key, bool in_flow = false);

// The lines of a map, from the first column. Empty for an empty one.
std::string to_yaml(const JsonObject& map, const YamlLayout& layout = {});

}  // namespace lode
