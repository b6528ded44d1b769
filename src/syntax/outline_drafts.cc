#include "syntax/outline_drafts.h"

#include <algorithm>
#include <optional>
#include <span>

#include "syntax/parser.h"

namespace lode {
namespace {

std::span<const TSQueryCapture> captures_of(const TSQueryMatch& match) {
  return {match.captures, match.capture_count};
}

// Without the quotes of a string, or the brackets of an #include.
std::string_view bare(std::string_view text) {
  if (text.size() < 2) return text;
  const char first = text.front();
  const char last = text.back();
  const bool quoted = (first == '"' || first == '\'' || first == '`') && first == last;
  if (quoted || (first == '<' && last == '>')) return text.substr(1, text.size() - 2);
  return text;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

constexpr std::string_view kOperator = "operator";

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether an operator's name begins here: "operator+", "operator bool".
bool names_operator(std::string_view name) {
  return name.starts_with(kOperator) &&
         (name.size() == kOperator.size() || !is_word(name[kOperator.size()]));
}

// Where the last part of "A<b::c>::f", "M.f", "M:f" or "A\\B" begins; zero: it has
// one part. An operator's name may look like anything.
std::size_t last_part(std::string_view name) {
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (depth == 0 && (i == 0 || !is_word(name[i - 1])) && names_operator(name.substr(i))) return i;
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (depth == 0 && (c == ':' || c == '.' || c == '\\')) begin = i + 1;
  }
  return begin;
}

// Without arguments of a template, "f" of "f<int>", and of what an operator converts
// to, "operator T" of "operator T() const".
std::string_view without_arguments(std::string_view name) {
  std::size_t end = name.find('<');
  if (names_operator(name)) {
    const auto target = name.find_first_not_of(" \t\r\n", kOperator.size());
    if (target == name.npos || !(is_word(name[target]) || name[target] == ':')) return name;
    end = name.find('(', target);
  }
  name = name.substr(0, end);
  return name.substr(0, name.find_last_not_of(" \t\r\n") + 1);
}

// The name alone; what is before it becomes the scope.
void take_qualified(Symbol& symbol, std::string_view name) {
  const auto at = last_part(name);
  auto last = name.substr(at);
  last.remove_prefix(std::min(last.find_first_not_of(" \t\r\n"), last.size()));
  symbol.name = without_arguments(last);
  auto scope = name.substr(0, at);
  while (scope.ends_with(':') || scope.ends_with('.') || scope.ends_with('\\')) {
    scope.remove_suffix(1);
  }
  if (!scope.empty()) symbol.scope = scope;
}

// The line ends of the text before a part of it.
std::uint32_t lines_before(std::string_view part, std::string_view text) {
  const auto before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  return static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
}

// A source may be several nodes in a row: it goes from the first to the last.
std::string_view through(std::string_view first, std::string_view last) {
  if (first.empty() || first.data() > last.data()) return bare(last);
  if (last == ".") return first;
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

bool has_role(const OutlineQuery& query, const TSQueryMatch& match, Role first, Role last) {
  return std::ranges::any_of(captures_of(match), [&](const TSQueryCapture& capture) {
    const auto role = query.captures[capture.index].role;
    return role >= first && role <= last;
  });
}

}  // namespace

void Drafts::add(const TSQueryMatch& match) {
  if (match.capture_count == 0) return;
  if (has_role(query_, match, Role::import, Role::import_names)) return add_import(match);
  if (has_role(query_, match, Role::import_prefix, Role::import_list)) return add_prefix(match);
  if (has_role(query_, match, Role::export_, Role::export_names)) return add_export(match);
  if (has_role(query_, match, Role::definition, Role::qualified)) return add_symbol(match);
  const auto& pattern = query_.patterns[match.pattern_index];
  for (const auto& capture : captures_of(match)) {
    const auto role = query_.captures[capture.index].role;
    if (role < Role::comment || role > Role::modifier) continue;
    auto visibility = pattern.visibility;
    if (role >= Role::access && visibility == Visibility::unsaid) {
      visibility = visibility_of(text_of(capture.node, text_));
    }
    marks.push_back({.role = role,
                     .visibility = visibility,
                     .outside_types = pattern.outside_types,
                     .span = span_of(capture.node)});
  }
}

void Drafts::add_symbol(const TSQueryMatch& match) {
  const auto& pattern = query_.patterns[match.pattern_index];
  SymbolDraft draft{.key = UINT32_MAX,
                    .pattern = match.pattern_index,
                    .named_like_type = pattern.named_like_type,
                    .members = pattern.members};
  auto& symbol = draft.symbol;
  symbol.visibility = pattern.visibility;
  symbol.name = pattern.name;
  std::uint32_t body = UINT32_MAX;
  for (const auto& capture : captures_of(match)) {
    const auto node = capture.node;
    const auto meaning = query_.captures[capture.index];
    switch (meaning.role) {
      case Role::definition:
        draft.defines = true;
        symbol.kind = meaning.kind;
        symbol.span = span_of(node);
        break;
      case Role::name:
      case Role::qualified:
        draft.key = ts_node_start_byte(node);
        symbol.name_line = ts_node_start_point(node).row + 1;
        if (meaning.role == Role::name) {
          symbol.name = without_prefix(bare(text_of(node, text_)), pattern.strip);
        } else {
          take_qualified(symbol, text_of(node, text_));
          symbol.name_line += lines_before(symbol.name, text_of(node, text_));
        }
        break;
      case Role::scope: symbol.scope = text_of(node, text_); break;
      case Role::body: body = std::min(body, ts_node_start_byte(node)); break;
      case Role::doc:
        symbol.doc_begin = ts_node_start_byte(node);
        symbol.doc_end = ts_node_end_byte(node);
        break;
      case Role::exported: symbol.exported = true; break;
      default: break;
    }
  }
  if (draft.key == UINT32_MAX) {
    draft.key = symbol.span.begin;
    symbol.name_line = symbol.span.line;
  }
  symbol.has_body = body != UINT32_MAX;
  symbol.signature_begin = symbol.span.begin;
  symbol.signature_end = symbol.has_body ? body : symbol.span.end;
  if (!symbol.name.empty() || !draft.defines) symbols.push_back(draft);
}

void Drafts::add_import(const TSQueryMatch& match) {
  const auto& pattern = query_.patterns[match.pattern_index];
  Import import{.source = pattern.source, .name = pattern.name, .alias = {}, .span = {}};
  bool whole = false;
  std::optional<Span> names;
  for (const auto& capture : captures_of(match)) {
    const auto node = capture.node;
    switch (query_.captures[capture.index].role) {
      case Role::import:
        whole = true;
        import.span = span_of(node);
        break;
      case Role::import_names: names = span_of(node); break;
      case Role::import_source: import.source = through(import.source, text_of(node, text_)); break;
      case Role::import_name:
        import.name = without_prefix(bare(text_of(node, text_)), pattern.strip);
        break;
      case Role::import_alias: import.alias = text_of(node, text_); break;
      default: break;
    }
  }
  if (names) {
    import_lists.push_back({*names, import.source, import.span});
  } else if (whole) {
    imports.push_back(import);
  } else {
    import.span = span_of(match.captures[0].node);
    listed_imports.push_back(import);
  }
}

void Drafts::add_prefix(const TSQueryMatch& match) {
  ImportPrefix prefix{
      .list = {}, .path = {}, .divider = query_.patterns[match.pattern_index].divider};
  for (const auto& capture : captures_of(match)) {
    const auto role = query_.captures[capture.index].role;
    if (role == Role::import_prefix) prefix.path = text_of(capture.node, text_);
    if (role == Role::import_list) prefix.list = span_of(capture.node);
  }
  prefixes.push_back(prefix);
}

void Drafts::add_export(const TSQueryMatch& match) {
  const auto& pattern = query_.patterns[match.pattern_index];
  ExportDraft draft;
  draft.begin = ts_node_start_byte(match.captures[0].node);
  draft.item.name = pattern.name;
  draft.item.alias = pattern.alias;
  draft.item.line = ts_node_start_point(match.captures[0].node).row + 1;
  std::optional<Span> names;
  for (const auto& capture : captures_of(match)) {
    const auto node = capture.node;
    auto& item = draft.item;
    switch (query_.captures[capture.index].role) {
      case Role::export_name:
        item.name = bare(text_of(node, text_));
        item.line = ts_node_start_point(node).row + 1;
        draft.begin = ts_node_start_byte(node);
        break;
      case Role::export_alias: item.alias = bare(text_of(node, text_)); break;
      case Role::export_source: item.source = bare(text_of(node, text_)); break;
      case Role::export_names: names = span_of(node); break;
      default: break;
    }
  }
  if (names) return export_lists.push_back({*names, draft.item.source, {}});
  exports.push_back(draft);
}

}  // namespace lode
