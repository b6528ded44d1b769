// A template's text as a tree: texts, placeholders and blocks. Values; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "providers/capability/template_expression.h"

namespace lode {

// A part of the text, in order: what stands between tags, or a tag.
struct TemplatePiece {
  enum class Kind : std::uint8_t {
    text,
    value,     // {{name}}, {{{name}}}, {{helper arguments}}
    if_,       // {{#if name}}
    unless,    // {{#unless name}}
    each,      // {{#each name}}
    with,      // {{#with name}}
    else_,     // {{else}}
    else_if,   // {{else if name}}
    end,       // {{/if}}, {{/each}}, …
    comment,   // {{! anything}}, {{!-- anything --}}
    unclosed,  // {{ without }}; the last piece
    unknown,   // any other tag
  };

  Kind kind = Kind::text;
  // The text; in a tag, what stands behind its first word; an unknown tag whole.
  std::string_view text{};
  std::size_t line = 0;
  TemplateExpression expression{};  // of a value, of what a block is about
  std::string why{};                // of an unknown tag; empty: nothing more to say
};

// A tag of a block that stands alone on its line takes the line with it.
std::vector<TemplatePiece> split_template(std::string_view text);

struct TemplateNode {
  TemplatePiece::Kind kind = TemplatePiece::Kind::text;  // text, value, or one that opens a block
  std::string_view text{};                               // as in the piece
  std::size_t line = 0;
  TemplateExpression expression{};
  std::vector<TemplateNode> inside{};
  std::vector<TemplateNode> otherwise{};  // behind {{else}}
};

// The nodes point into the text. Code::invalid: "line 3: …".
Result<std::vector<TemplateNode>> parse_template(std::string_view text, std::size_t depth);

// Inside of it names may be those of an item.
inline bool has_items(TemplatePiece::Kind kind) {
  return kind == TemplatePiece::Kind::each || kind == TemplatePiece::Kind::with;
}

}  // namespace lode
