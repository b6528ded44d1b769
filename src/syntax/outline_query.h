// The query of a language's outline: its files, compiled together, with what each
// capture means (queries/README.md). Immutable: any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/language.h"
#include "syntax/pattern_query.h"
#include "syntax/symbol.h"

namespace lode {

enum class Role : std::uint8_t {
  none,        // a capture for predicates alone
  definition,  // of the kind that the capture names
  name,
  qualified,
  scope,
  body,
  doc,
  comment,
  attribute,
  decorated,
  outer,
  exported,
  confined,
  access,
  modifier,
  import,
  import_source,
  import_name,
  import_alias,
  import_names,
  import_prefix,
  import_list,
  export_,
  export_name,
  export_alias,
  export_source,
  export_names,
};

struct OutlineQuery {
  struct Capture {
    Role role = Role::none;
    SymbolKind kind = SymbolKind::variable;
  };
  struct Pattern {
    std::string_view name;                       // of what has none in the text
    std::string_view source;                     // of an import that names none
    std::string_view alias;                      // of an export that names none
    std::string_view strip;                      // what names begin with and is none of theirs
    std::string_view divider;                    // between a prefix and what follows it
    bool named_like_type = false;                // what it finds is a constructor, if it is
    Visibility members = Visibility::unsaid;     // of what is in it and does not say
    Visibility visibility = Visibility::unsaid;  // of what it finds
    bool outside_types = false;                  // a modifier means nothing to members
  };

  static Result<OutlineQuery> make(const Language& language);

  PatternQuery query;
  std::vector<Capture> captures;  // by number
  std::vector<Pattern> patterns;  //
};

// The text of queries/NAME.scm; empty: there is no such file.
std::string_view query_file(std::string_view name);

}  // namespace lode
