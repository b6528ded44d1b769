// YAML as people write it in files, read into a tree of values.
//
// Scalars are those of YAML 1.2's core schema: `true`, `false`, `null`, `~`,
// integers and floats are what they look like; `yes`, `no`, `on` and dates are
// strings, and so is all that is quoted or a block. What was written is kept in
// `text`, so that `version: 1.0` can be read as "1.0". Tags of the core schema
// are followed where the text fits them; others are read past.
//
// Refused with Code::invalid and "line 7: …": what is not YAML or not UTF-8, a
// key that stands twice in one map, a key that is no scalar, a second document,
// and what is over a limit. An alias is a copy of what it names, and counts
// again; one that stands inside what it names is refused. The merge key `<<` is
// a key like any other.
//
// Values: no thread, no file, no state. The library beneath is seen only in
// yaml_parse.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace lode {

struct YamlLimits {
  std::size_t bytes = std::size_t{2} << 20;  // of the text, and of what aliases copy
  std::size_t depth = 64;                    // of lists and maps; the library is quadratic in it
  std::size_t nodes = 100'000;               // with the copies that aliases are
};

enum class YamlKind : std::uint8_t { null, boolean, integer, number, string, list, map };

// How a value is written.
enum class YamlStyle : std::uint8_t {
  empty,          // key:
  plain,          // key: word
  single_quoted,  // key: 'word'
  double_quoted,  // key: "word"
  literal,        // key: |
  folded,         // key: >
  flow,           // key: [a, b]
  block,          // a list of dashes, a map of lines
  alias,          // key: *name
};

// Where a value is written, in bytes of the text that was parsed. What is
// copied by an alias has the place of the original.
struct YamlSpan {
  std::size_t begin = 0;    // of its anchor or tag, if it has one
  std::size_t content = 0;  // of the value itself
  std::size_t end = 0;      // on its last line, before any comment
};

struct YamlMember;

struct YamlNode {
  YamlKind kind = YamlKind::null;
  YamlStyle style = YamlStyle::empty;
  std::uint32_t anchor = 0;         // what it is called or names; 0: nothing. Only to compare
  std::size_t line = 0;             // from 1
  bool boolean = false;             // if kind is boolean
  std::int64_t integer = 0;         // if kind is integer
  double number = 0;                // if kind is integer or number
  std::string text;                 // of any scalar, without its quotes
  std::vector<YamlNode> items;      // if kind is list
  std::vector<YamlMember> members;  // if kind is map, in the order of the file
  YamlSpan span;

  bool is_map() const { return kind == YamlKind::map; }
  bool is_list() const { return kind == YamlKind::list; }
  bool is_string() const { return kind == YamlKind::string; }

  // The value of a key, or null; null also if this is no map.
  const YamlNode* find(std::string_view key) const;
};

struct YamlMember {
  std::string key;       // the text of it, whatever it looks like
  std::size_t line = 0;  // of the key
  YamlSpan span;         // of the key
  YamlNode value;
};

// Parses one document. An empty one is null, of style empty. Lines are counted
// from first_line.
// REQUIRES: no byte order mark.
Result<YamlNode> parse_yaml(std::string_view text, const YamlLimits& limits = {},
                            std::size_t first_line = 1);

// The same value as JSON, keys in order. Infinities and NaN stay doubles, which
// a JSON text cannot hold.
Json to_json(const YamlNode& node);

// The same value: 1 and 1.0 are; maps may differ in order.
bool equal(const YamlNode& node, const Json& value);

// The same tree: kinds, texts and order.
bool identical(const YamlNode& a, const YamlNode& b);

}  // namespace lode
