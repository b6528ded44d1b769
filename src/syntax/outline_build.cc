#include "syntax/outline_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "syntax/nesting.h"
#include "syntax/outline_drafts.h"
#include "syntax/text.h"
#include "syntax/tree_walk.h"

namespace lode {
namespace {

constexpr std::size_t kPrefixes = 16;  // around an import; those within are not told

Status collect(const OutlineQuery& query, const Tree& tree, std::string_view text,
               const SyntaxLimits& limits, Drafts& drafts) {
  auto* cursor = ts_query_cursor_new();  // in the tree's memory
  bool late = false;
  std::pair<const Deadline&, bool&> state(tree.deadline(), late);
  const TSQueryCursorOptions options{
      .payload = &state, .progress_callback = [](TSQueryCursorState* progress) {
        auto& [end, passed] = *static_cast<std::pair<const Deadline&, bool&>*>(progress->payload);
        return passed = end.passed();
      }};
  ts_query_cursor_exec_with_options(cursor, query.query.get(), tree.root(), &options);
  TSQueryMatch match;
  while (ts_query_cursor_next_match(cursor, &match)) {
    if (query.query.accepts(match, text)) drafts.add(match);
  }
  if (!late) return {};
  return Error{
      Code::timeout, fmt::format("its outline took more than {} ms", limits.time.count()), {}};
}

// Marks go before what begins with them.
void nest(Drafts& drafts, Nesting& nesting) {
  std::ranges::sort(drafts.marks, {},
                    [](const Mark& mark) { return std::tuple(mark.span.begin, ~mark.span.end); });
  auto mark = drafts.marks.begin();
  for (const auto& draft : merge_drafts(std::move(drafts.symbols))) {
    for (; mark != drafts.marks.end() && mark->span.begin <= draft.symbol.span.begin; ++mark) {
      nesting.meet(*mark);
    }
    nesting.meet(draft);
  }
}

// Puts what is before lists of imports, the outermost first, before their sources.
void add_prefixes(std::vector<ImportPrefix> prefixes, std::vector<Import>& imports,
                  std::deque<std::string>& made) {
  if (prefixes.empty()) return;
  std::ranges::sort(prefixes, {}, [](const ImportPrefix& prefix) { return prefix.list.begin; });
  std::ranges::sort(imports, {}, [](const Import& import) { return import.span.begin; });
  std::vector<const ImportPrefix*> around;
  auto next = prefixes.begin();
  for (auto& import : imports) {
    for (; next != prefixes.end() && next->list.begin <= import.span.begin; ++next) {
      if (around.size() < kPrefixes) around.push_back(&*next);
    }
    std::erase_if(
        around, [&](const ImportPrefix* prefix) { return prefix->list.end <= import.span.begin; });
    if (around.empty()) continue;
    std::string source;
    for (const auto* prefix : around) {
      if (!source.empty()) source += prefix->divider;
      source += prefix->path;
    }
    if (!import.source.empty()) source.append(around.back()->divider).append(import.source);
    import.source = made.emplace_back(std::move(source));
  }
}

// A name may be written over lines: `operator` and a type below it.
void join_names(std::vector<Symbol>& symbols, std::deque<std::string>& made) {
  for (auto& symbol : symbols) {
    if (symbol.name.find_first_of("\t\r\n") != symbol.name.npos) {
      symbol.name = made.emplace_back(on_one_line(symbol.name));
    }
  }
}

// Null: the place is in no list. REQUIRES: the lists are in order.
const NamesFrom* list_around(const std::vector<NamesFrom>& lists, std::uint32_t place) {
  const auto after = std::ranges::upper_bound(
      lists, place, {}, [](const NamesFrom& list) { return list.names.begin; });
  if (after == lists.begin() || std::prev(after)->names.end <= place) return nullptr;
  return &*std::prev(after);
}

void put_in_order(std::vector<NamesFrom>& lists) {
  std::ranges::sort(lists, {}, [](const NamesFrom& list) { return list.names.begin; });
}

// Names in lists are from where the list is, and their statement is its.
void add_listed(Drafts& drafts) {
  put_in_order(drafts.import_lists);
  for (auto& import : drafts.listed_imports) {
    const auto* list = list_around(drafts.import_lists, import.span.begin);
    if (list == nullptr) continue;  // the statement is unfinished
    import.source = list->source;
    import.span = list->statement;
    drafts.imports.push_back(import);
  }
  put_in_order(drafts.export_lists);
  for (auto& [begin, item] : drafts.exports) {
    const auto* list = list_around(drafts.export_lists, begin);
    if (list != nullptr) item.source = list->source;
  }
}

// Where a part stands in the text; zero: elsewhere.
std::size_t place_in(std::string_view text, std::string_view part) {
  const std::less_equal<const char*> before;
  const bool inside =
      before(text.data(), part.data()) && before(part.data(), text.data() + text.size());
  return inside ? static_cast<std::size_t>(part.data() - text.data()) : 0;
}

// A statement that names what it imports is not listed as a whole too.
std::vector<Import> order_imports(std::vector<Import> imports, std::string_view text) {
  const auto named = [](const Import& import) {
    return !import.name.empty() || !import.alias.empty();
  };
  std::ranges::stable_sort(imports, {}, [&](const Import& import) {
    return std::tuple(import.span.begin, place_in(text, import.source), !named(import),
                      place_in(text, import.name));
  });
  std::vector<Import> kept;
  for (const auto& import : imports) {
    const bool same = !kept.empty() && kept.back().span == import.span;
    const bool covers = same && !named(import) && kept.back().source.data() == import.source.data();
    const bool again = same && named(import) && kept.back().name.data() == import.name.data() &&
                       kept.back().source.data() == import.source.data() && !import.name.empty();
    if (again && kept.back().alias.empty()) kept.back().alias = import.alias;
    if (!covers && !again) kept.push_back(import);
  }
  return kept;
}

bool only_in_modules(const std::vector<Symbol>& symbols, const Symbol& symbol) {
  for (auto at = symbol.parent; at != kNoSymbol; at = symbols[at].parent) {
    const auto kind = symbols[at].kind;
    if (kind != SymbolKind::module && kind != SymbolKind::namespace_ &&
        kind != SymbolKind::package) {
      return false;
    }
  }
  return true;
}

// By name, the symbols that are in no other; the first of several.
std::unordered_map<std::string_view, std::uint32_t> outermost(const std::vector<Symbol>& symbols) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].parent == kNoSymbol) numbers.try_emplace(symbols[i].name, i);
  }
  return numbers;
}

// Several patterns may tell parts of one export: what it is called, where it is from.
void join_exports(std::vector<ExportDraft>& drafts) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const auto& item = drafts[i].item;
    if (kept > 0 && drafts[kept - 1].item.name.data() == item.name.data() &&
        drafts[kept - 1].begin == drafts[i].begin) {
      auto& first = drafts[kept - 1].item;
      if (first.alias.empty()) first.alias = item.alias;
      if (first.source.empty()) first.source = item.source;
    } else {
      if (kept != i) drafts[kept] = drafts[i];
      ++kept;
    }
  }
  drafts.resize(kept);
}

void list_marked(std::vector<ExportDraft> drafts, Outline& outline) {
  for (std::uint32_t i = 0; i < outline.symbols.size(); ++i) {
    const auto& symbol = outline.symbols[i];
    if (!symbol.exported) continue;
    drafts.push_back({.begin = symbol.span.begin,
                      .item = {.name = symbol.name,
                               .alias = {},
                               .source = {},
                               .symbol = i,
                               .line = symbol.name_line}});
  }
  std::ranges::stable_sort(drafts, {}, &ExportDraft::begin);
  const auto numbers = outermost(outline.symbols);
  join_exports(drafts);
  for (auto& [begin, item] : drafts) {
    if (item.symbol == kNoSymbol && item.source.empty()) {
      if (const auto found = numbers.find(item.name); found != numbers.end()) {
        item.symbol = found->second;
        outline.symbols[item.symbol].exported = true;
      }
    }
    outline.exports.push_back(item);
  }
}

void list_visible(Outline& outline) {
  for (std::uint32_t i = 0; i < outline.symbols.size(); ++i) {
    auto& symbol = outline.symbols[i];
    // What names a scope that it is in is a member, defined elsewhere.
    const bool is_member = is_callable(symbol.kind) && !symbol.scope.empty();
    if (symbol.visibility != Visibility::public_ || symbol.kind == SymbolKind::implementation ||
        is_member || !only_in_modules(outline.symbols, symbol)) {
      continue;
    }
    symbol.exported = true;
    outline.exports.push_back(
        {.name = symbol.name, .alias = {}, .source = {}, .symbol = i, .line = symbol.name_line});
  }
}

void list_exports(std::vector<ExportDraft> drafts, Outline& outline) {
  const auto rule = outline.language->exports;
  if (rule == ExportRule::none) return;
  list_marked(std::move(drafts), outline);
  if (rule == ExportRule::visible && outline.exports.empty()) list_visible(outline);
}

}  // namespace

Result<Outline> build_outline(const Language& language, const OutlineQuery& query, const Tree& tree,
                              std::string_view text, const SyntaxLimits& limits) {
  Drafts drafts(query, text);
  if (auto status = collect(query, tree, text, limits, drafts); !status) {
    return std::move(status).error();
  }
  Outline outline;
  outline.language = &language;
  outline.text = text;
  outline.lines = count_lines(text);
  Nesting nesting(language, text, limits);
  nest(drafts, nesting);
  outline.symbols = nesting.take();
  join_names(outline.symbols, outline.made);
  outline.symbols_left_out = nesting.left_out();
  add_listed(drafts);
  add_prefixes(std::move(drafts.prefixes), drafts.imports, outline.made);
  outline.imports = order_imports(std::move(drafts.imports), text);
  list_exports(std::move(drafts.exports), outline);
  find_problems(tree, limits, outline);
  return outline;
}

void find_problems(const Tree& tree, const SyntaxLimits& limits, Outline& outline) {
  TreeWalk walk(tree.root());
  bool into = true;
  do {
    const auto node = walk.node();
    into = ts_node_has_error(node);
    const bool missing = ts_node_is_missing(node);
    if (!missing && !ts_node_is_error(node)) continue;
    if (outline.problems.size() < limits.problems) {
      outline.problems.push_back(
          {.missing = missing ? ts_node_type(node) : "", .span = span_of(node)});
    } else {
      ++outline.problems_left_out;
    }
  } while (walk.next(into));
}

}  // namespace lode
