// A tree, written as JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "syntax/limits.h"
#include "syntax/parser.h"
#include "syntax/syntax.h"

namespace lode {

// Code::invalid: it has too many nodes.
Result<std::string> write_ast(const Language& language, const Tree& tree, std::string_view text,
                              const AstOptions& options, const SyntaxLimits& limits);

}  // namespace lode
