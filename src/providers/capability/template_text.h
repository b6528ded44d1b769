// Fills a template's text with values: the part of Handlebars that templates of NEXS
// and of Lode use.
//
//   {{name}}  {{{name}}}  {{user.name}}          the value; nothing if it has none
//   {{default tone "kind"}}  {{upper name}}      what a helper makes of it (template_helpers.h)
//   {{#if name}} … {{else}} … {{/if}}            if it is neither missing, false, 0 nor empty;
//                                                {{else if other}} too
//   {{#if (gt count 0)}} … {{/if}}               if what the helper makes is
//   {{#unless name}} … {{/unless}}               the other way round
//   {{#each names}} … {{this}} … {{/each}}       for each item of a list or map; {{@index}} counts
//                                                from 0, {{@key}} is the key in a map,
//                                                {{@first}} and {{@last}} are true or false
//   {{#with user}} … {{/with}}                   for one
//   {{! a remark}}  {{!-- a remark --}}          nothing
//   \{{                                          the characters {{
//
// Within each and with, a name is that of a key of the item, else one further out,
// else nothing; {{../name}} begins further out.
//
// Texts stand as they are; lists and maps as JSON. What a value says is text,
// even if it looks like a placeholder.
//
// A template that declares its variables has no others. One that declares none
// has those that its placeholders name, all optional, of any type.
//
// Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "providers/capability/element.h"
#include "store/document.h"

namespace lode {

struct TemplateLimits {
  std::size_t output_bytes = std::size_t{1} << 20;
  std::size_t depth = 16;         // of blocks
  std::size_t steps = 1'000'000;  // placeholders, texts, blocks and rounds of them
};

// The text of a template's file: its body, or its `content`; of a body in
// sections, the one between lines <template> and </template>.
std::string template_content(const Document& document);

// The names that placeholders and blocks use, each once, in order.
struct UsedName {
  std::string name;
  bool listed = false;      // {{#each}} or join goes through it
  bool only_inside = true;  // of {{#each}} or {{#with}}: it may be a key of an item
  std::size_t line = 0;     // of its first use
};
std::vector<UsedName> names_used(std::string_view text);
std::vector<std::string> variables_in(std::string_view text);

// What is wrong with a text whatever it is filled with: "line 3: …"; nothing: it can
// be rendered.
std::optional<std::string> problem_in_template(std::string_view text);

// Values may be given as texts where a variable is a number, true or false, a
// list (JSON, or separated by commas) or a map (JSON).
//
// Code::invalid: every required variable that has no value, with its
// description; every value that has no variable or the wrong type; what is
// wrong with the text, with its line; a limit that would be passed.
Result<std::string> render_template(std::string_view text, std::span<const Variable> variables,
                                    const JsonObject& values, const TemplateLimits& limits = {});

}  // namespace lode
