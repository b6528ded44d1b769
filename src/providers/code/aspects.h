// The aspects of a file, as the texts that are given out: JSON objects that
// state their own size in tokens, or Markdown. Whose they are, their address says. Pure functions
// of values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "providers/code/symbols_json.h"
#include "syntax/outline.h"
#include "syntax/syntax.h"

namespace lode {

// The file that an import or a passed-on export means; nothing: none that is known.
using FileOfImport = std::function<std::optional<std::string>(const Import&)>;

std::string symbols_answer(const Outline& outline, SymbolsShape shape);

// What is imported, statement by statement: "from", "names" if it names any ("a",
// "b as c", "*"), "file" if it is one of the workspace.
std::string imports_answer(const Outline& outline, const FileOfImport& file_of);

// By kind, "LINE NAME"; what is passed on from other files apart.
std::string exports_answer(const Outline& outline, const FileOfImport& file_of);

// Where the file cannot be read as its language: a range, what is wrong, and the line.
std::string diagnostics_answer(const Outline& outline);

// The captures, match by match: [name, range, text].
std::string query_answer(const QueryAnswer& answer, const Language& language);

// tree: what Syntax::ast() gave.
std::string ast_answer(std::string tree);

// For a file without a grammar, or that is too long, or no text: what there is to say
// honestly. why: "there is no grammar for …".
std::string plain_symbols(std::string_view why);
std::string plain_structure(std::string_view file, std::string_view text, std::string_view why);
std::string unsupported_answer(std::string_view why);

// "12:5-14:2", lines and columns from 1.
std::string range_of(const Span& span);

}  // namespace lode
