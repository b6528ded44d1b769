// A template's text as a tree: texts, placeholders and blocks. Values; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode {

// A part of the text, in order: what stands between tags, or a tag.
struct TemplatePiece {
  enum class Kind : std::uint8_t {
    text,
    value,     // {{name}}, {{{name}}}
    if_,       // {{#if name}}
    each,      // {{#each name}}
    else_,     // {{else}}
    end_if,    // {{/if}}
    end_each,  // {{/each}}
    comment,   // {{! anything}}
    unclosed,  // {{ without }}; the last piece
    unknown,   // any other tag
  };

  Kind kind = Kind::text;
  std::string_view text;  // the text; the name in a tag; an unknown tag whole
  std::size_t line = 0;
};

// A tag of a block that stands alone on its line takes the line with it.
std::vector<TemplatePiece> split_template(std::string_view text);

struct TemplateNode {
  TemplatePiece::Kind kind = TemplatePiece::Kind::text;  // text, value, if_ or each
  std::string_view text;                                 // as in the piece
  std::size_t line = 0;
  std::vector<TemplateNode> inside{};
  std::vector<TemplateNode> otherwise{};  // behind {{else}}
};

// The nodes point into the text. Code::invalid: "line 3: …".
Result<std::vector<TemplateNode>> parse_template(std::string_view text, std::size_t depth);

// "user" of "user.name".
std::string_view first_step(std::string_view name);

// What is no variable anywhere: "this", "@index".
bool is_of_loop(std::string_view first_step);

}  // namespace lode
