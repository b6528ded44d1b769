// Puts an outline together.
#pragma once

#include <string_view>

#include "base/result.h"
#include "syntax/limits.h"
#include "syntax/outline.h"
#include "syntax/outline_query.h"
#include "syntax/parser.h"

namespace lode {

// The outline of a tree. Code::timeout: it takes too long.
Result<Outline> build_outline(const Language& language, const OutlineQuery& query, const Tree& tree,
                              std::string_view text, const SyntaxLimits& limits);

// The nodes that say that something could not be read, or is missing, in order.
void find_problems(const Tree& tree, const SyntaxLimits& limits, Outline& outline);

}  // namespace lode
