// The links in a markdown text: where each destination stands, byte for byte.
//
//   [text](docs/a.md "title")   ![image](<a b.png>)   inline
//   [label]: docs/a.md                                definition
//   <mcp://backlog/board>                             autolink
//   <a href="docs/a.md">, <img src="a.png">           html
//   see mcp://backlog/board.                          bare, of the schemes that are asked for
//
// In frontmatter only bare addresses are links. Code blocks, code spans and HTML comments
// have none. A scanner, no parser of all markdown: what stands in a list item is read as text
// where a parser might take it for indented code.
//
// The time it takes is proportional to the length of the text. Pure functions on values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lode {

struct MarkdownLink {
  enum class Kind : std::uint8_t { inlined, definition, autolink, html, bare };

  Kind kind = Kind::inlined;
  std::size_t begin = 0;  // of the destination, without brackets and quotes
  std::size_t end = 0;
  std::size_t line = 1;  // from 1

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

inline constexpr std::size_t kLinkBytes = 4096;     // a longer destination is none
inline constexpr std::size_t kMostLinks = 100'000;  // of one text; the rest is left out

// In their order. schemes: of bare addresses, such as "file".
std::vector<MarkdownLink> links_in(std::string_view text,
                                   std::span<const std::string_view> schemes);

// A destination without the backslashes that markdown has before punctuation.
std::string unescaped_destination(std::string_view destination);

// Whether the text can stand as the destination of that kind of link as it is, without quotes
// or brackets of its own.
bool fits_destination(MarkdownLink::Kind kind, std::string_view text);

}  // namespace lode
