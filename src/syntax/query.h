// A query that somebody asks: bounded in every way.
#pragma once

#include <string_view>

#include "base/result.h"
#include "syntax/limits.h"
#include "syntax/parser.h"
#include "syntax/pattern_query.h"
#include "syntax/syntax.h"

namespace lode {

// A pattern that captures nothing has its whole match captured, as "match".
// Code::invalid: too long, too deep, or wrong.
Result<PatternQuery> make_query(const Language& language, std::string_view query,
                                const SyntaxLimits& limits);

QueryAnswer run_query(const PatternQuery& query, const Tree& tree, std::string_view text,
                      const SyntaxLimits& limits);

}  // namespace lode
