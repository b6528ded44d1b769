#include "syntax/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "syntax/text.h"

namespace lode {
namespace {

constexpr std::size_t kSignatureBytes = 240;
constexpr std::size_t kCandidates = 20;  // that a message lists

// "a::b", "a#b" and "a/b" as "a.b".
std::string with_dots(std::string_view path) {
  std::string dotted;
  for (const char c : path) {
    const bool divides = c == ':' || c == '#' || c == '/' || c == '\\' || c == '.';
    if (!divides) {
      dotted += c;
    } else if (!dotted.empty() && dotted.back() != '.') {
      dotted += '.';
    }
  }
  return dotted;
}

// "A<T>::B" as "A::B".
std::string without_arguments(std::string_view scope) {
  std::string bare;
  std::size_t depth = 0;
  for (const char c : scope) {
    if (c == '<') ++depth;
    if (depth == 0) bare += c;
    if (c == '>' && depth > 0) --depth;
  }
  return bare;
}

bool ends_with_part(std::string_view path, std::string_view part) {
  if (!path.ends_with(part)) return false;
  return path.size() == part.size() || path[path.size() - part.size() - 1] == '.';
}

using Symbols = std::vector<const Symbol*>;

template <class Wanted>
void prefer(Symbols& symbols, Wanted wanted) {
  if (std::ranges::any_of(symbols, wanted)) {
    std::erase_if(symbols, [&](const Symbol* symbol) { return !wanted(symbol); });
  }
}

using LineCounts = std::unordered_map<std::uint32_t, std::size_t>;

// How many of the symbols begin on each line.
LineCounts count_by_line(const Symbols& symbols) {
  LineCounts counts;
  for (const auto* symbol : symbols) ++counts[symbol->span.line];
  return counts;
}

// The path with the place where the symbol begins: its line, and its column if it is not
// alone on that line.
std::string selector_of(std::string_view path, const Symbol& symbol, const LineCounts& counts) {
  const auto& span = symbol.span;
  return counts.at(span.line) > 1 ? fmt::format("{}:{}:{}", path, span.line, span.column)
                                  : fmt::format("{}:{}", path, span.line);
}

std::string list_of(const Outline& outline, const Symbols& symbols) {
  std::string list;
  const auto counts = count_by_line(symbols);
  for (std::size_t i = 0; i < std::min(kCandidates, symbols.size()); ++i) {
    const auto& symbol = *symbols[i];
    list += fmt::format("{}{} ({}, lines {}-{})", i == 0 ? "" : ", ",
                        selector_of(outline.path(symbol), symbol, counts), to_string(symbol.kind),
                        symbol.span.line, symbol.span.end_line);
  }
  if (symbols.size() > kCandidates) {
    list += fmt::format(" and {} more", symbols.size() - kCandidates);
  }
  return list;
}

// What follows the last colon as a number, which is taken off; nothing: it is none.
std::optional<std::uint32_t> take_number(std::string_view& path) {
  const auto colon = path.rfind(':');
  if (colon == path.npos || colon == 0) return std::nullopt;
  std::uint32_t number = 0;
  const auto* const end = path.data() + path.size();
  const auto read = std::from_chars(path.data() + colon + 1, end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  path = path.substr(0, colon);
  return number;
}

Symbols named(const Outline& outline, std::string_view path) {
  const auto wanted = with_dots(path);
  const auto last = std::string_view(wanted).substr(wanted.rfind('.') + 1);
  Symbols found;
  for (const auto& symbol : outline.symbols) {
    // Most symbols are told apart without making their paths.
    if (!path.ends_with(symbol.name) && !ends_with_part(with_dots(symbol.name), last)) continue;
    const auto whole = outline.path(symbol);
    const bool is_end = !wanted.empty() && ends_with_part(with_dots(whole), wanted);
    if (is_end || whole == path) found.push_back(&symbol);
  }
  return found;
}

// Those that are meant best.
void keep_meant(const Outline& outline, std::string_view path, Symbols& found) {
  const auto wanted = with_dots(path);
  prefer(found, [&](const Symbol* symbol) { return with_dots(outline.path(*symbol)) == wanted; });
  prefer(found, [&](const Symbol* symbol) { return outline.path(*symbol) == path; });
  prefer(found, [](const Symbol* symbol) { return symbol->has_body; });
}

// By a path with a line, or a line and a column.
Symbols placed(const Outline& outline, std::string_view path) {
  auto line = take_number(path);
  if (!line) return {};
  std::optional<std::uint32_t> column;
  if (const auto before = take_number(path)) column = std::exchange(line, before);
  auto found = named(outline, path);
  const auto begins = [&](const Symbol* symbol) { return symbol->span.line == *line; };
  std::erase_if(
      found, [&](const Symbol* symbol) { return !begins(symbol) && symbol->name_line != *line; });
  prefer(found, begins);
  if (column) std::erase_if(found, [&](const auto* one) { return one->span.column != *column; });
  keep_meant(outline, path, found);
  // What begins at one place is told apart by nothing.
  if (column && found.size() > 1) found.resize(1);
  return found;
}

std::string plural(std::size_t count, std::string_view word) {
  if (count == 1) return fmt::format("1 {}", word);
  if (word.ends_with('y') && !word.ends_with("ey")) {
    return fmt::format("{} {}ies", count, word.substr(0, word.size() - 1));
  }
  const bool hisses = word.ends_with('s') || word.ends_with('x');
  return fmt::format("{} {}{}", count, word, hisses ? "es" : "s");
}

std::string counts(const Outline& outline) {
  std::array<std::size_t, static_cast<std::size_t>(SymbolKind::rule) + 1> by_kind{};
  for (const auto& symbol : outline.symbols) ++by_kind.at(static_cast<std::size_t>(symbol.kind));
  auto text = fmt::format("{}, {}", outline.language->name, plural(outline.lines, "line"));
  const auto add = [&](std::size_t count, std::string_view word) {
    if (count > 0) text += ", " + plural(count, word);
  };
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind) {
    add(by_kind.at(kind), to_string(static_cast<SymbolKind>(kind)));
  }
  add(outline.imports.size(), "import");
  add(outline.exports.size(), "export");
  add(outline.problems.size() + outline.problems_left_out, "syntax error");
  return text;
}

}  // namespace

std::string Outline::path(const Symbol& symbol) const {
  std::string path(symbol.name);
  if (!symbol.scope.empty()) path = with_dots(without_arguments(symbol.scope)) + "." + path;
  if (symbol.parent == kNoSymbol) return path;
  return this->path(symbols[symbol.parent]) + "." + path;
}

std::string Outline::signature(const Symbol& symbol) const {
  auto line = on_one_line(
      text.substr(symbol.signature_begin, symbol.signature_end - symbol.signature_begin));
  for (const std::string_view mark : {"{", "=>", "=", ":", ";", ","}) {
    if (!line.ends_with(mark) || line.ends_with("::")) continue;
    line.resize(line.size() - mark.size());
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return cut_text(line, kSignatureBytes);
}

std::string Outline::doc(const Symbol& symbol) const {
  return cut_text(
      first_line_of_doc(text.substr(symbol.doc_begin, symbol.doc_end - symbol.doc_begin)),
      kSignatureBytes);
}

std::string structure(const Outline& outline, std::string_view title) {
  auto text = fmt::format("# {}\n\n{}\n", visible(title), counts(outline));
  if (!outline.symbols.empty()) text += '\n';
  for (const auto& symbol : outline.symbols) {
    text.append(symbol.depth * std::size_t{2}, ' ');
    text += fmt::format("- {} **{}** (line {})", to_string(symbol.kind),
                        visible(on_one_line(symbol.name)), symbol.name_line);
    if (const auto doc = outline.doc(symbol); !doc.empty()) text += ": " + visible(doc);
    text += '\n';
  }
  if (outline.symbols_left_out > 0) {
    text += fmt::format("\n{} left out\n", plural(outline.symbols_left_out, "symbol"));
  }
  return text;
}

Result<const Symbol*> find_symbol(const Outline& outline, std::string_view path) {
  auto found = named(outline, path);
  keep_meant(outline, path, found);
  if (found.size() != 1) {
    if (auto by_place = placed(outline, path); !by_place.empty()) found = std::move(by_place);
  }
  if (found.empty()) return not_found(fmt::format("the file has no symbol {}", path));
  if (found.size() > 1) {
    return Error{
        Code::conflict, fmt::format("{} is one of several: {}", path, list_of(outline, found)), {}};
  }
  return found.front();
}

std::vector<std::string> symbol_selectors(const Outline& outline) {
  std::vector<std::string> selectors;
  std::unordered_map<std::string, Symbols> by_path;
  for (const auto& symbol : outline.symbols) {
    by_path[selectors.emplace_back(outline.path(symbol))].push_back(&symbol);
  }
  for (auto& [path, symbols] : by_path) {
    if (symbols.size() == 1) continue;
    auto meant = symbols;
    prefer(meant, [](const Symbol* symbol) { return symbol->has_body; });
    const auto counts = count_by_line(symbols);
    for (const auto* symbol : symbols) {
      if (meant.size() == 1 && symbol == meant.front()) continue;
      selectors[static_cast<std::size_t>(symbol - outline.symbols.data())] =
          selector_of(path, *symbol, counts);
    }
  }
  return selectors;
}

}  // namespace lode
