#include "outline_text.h"

#include <fmt/format.h>

#include "syntax/text.h"

namespace lode {
namespace {

std::string symbol_text(const Outline& outline, const Symbol& symbol) {
  std::string line(symbol.depth * std::size_t{2}, ' ');
  line += fmt::format("{}-{} {} {}", symbol.span.line, symbol.span.end_line, to_string(symbol.kind),
                      symbol.name);
  std::string notes(to_string(symbol.visibility));
  if (symbol.exported) notes += notes.empty() ? "exported" : ", exported";
  if (!notes.empty()) line += fmt::format(" ({})", notes);
  if (!symbol.scope.empty()) line += fmt::format(" [{}]", symbol.scope);
  line += ": " + outline.signature(symbol);
  if (const auto doc = outline.doc(symbol); !doc.empty()) line += "  -- " + doc;
  return line + '\n';
}

std::string renamed(std::string_view name, std::string_view alias) {
  if (alias.empty()) return std::string(name);
  return name.empty() ? fmt::format("as {}", alias) : fmt::format("{} as {}", name, alias);
}

}  // namespace

std::string outline_text(const Outline& outline) {
  auto text = fmt::format("{}, {} lines\n", outline.language->name, outline.lines);
  for (const auto& symbol : outline.symbols) text += symbol_text(outline, symbol);
  for (const auto& import : outline.imports) {
    text += fmt::format("import {} {}", import.span.line, import.source);
    const auto name = renamed(import.name, import.alias);
    text += name.empty() ? "\n" : fmt::format(": {}\n", name);
  }
  for (const auto& item : outline.exports) {
    text += fmt::format("export {} {}", item.line, renamed(item.name, item.alias));
    if (!item.source.empty()) text += fmt::format(" from {}", item.source);
    text += '\n';
  }
  for (const auto& problem : outline.problems) {
    text += fmt::format(
        "problem {}:{} {}: {}\n", problem.span.line, problem.span.column,
        problem.missing.empty() ? "unreadable" : fmt::format("missing {}", problem.missing),
        line_around(outline.text, problem.span.begin));
  }
  return text;
}

}  // namespace lode
