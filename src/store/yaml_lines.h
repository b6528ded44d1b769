// A YAML text as lines: where they begin and end, and where on them the
// children of a map or list do.
#pragma once

#include <cstddef>
#include <string_view>

#include "store/yaml.h"
#include "store/yaml_write.h"

namespace lode {

class YamlLines {
 public:
  explicit YamlLines(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::size_t begin(std::size_t at) const;  // of the line
  std::size_t end(std::size_t at) const;    // behind the line's end
  std::size_t column(std::size_t at) const { return at - begin(at); }
  bool same(std::size_t a, std::size_t b) const;
  bool indents(std::size_t at) const;  // nothing but blanks before it on its line

  // Behind blanks, line ends and comments.
  std::size_t past_blanks(std::size_t at) const;

  // The key of a member, the dash of an item of a block, an item in a flow.
  std::size_t child_begin(const YamlNode& parent, std::size_t index) const;

  // How the text is indented, by the first example of each; list_indent is that
  // of maps if there is none.
  YamlLayout layout(const YamlNode& root, std::string_view eol) const;

 private:
  std::string_view text_;
};

}  // namespace lode
