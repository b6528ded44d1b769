#include "syntax/nesting.h"

#include <algorithm>
#include <tuple>

#include "syntax/text.h"

namespace lode {
namespace {

bool is_value(SymbolKind kind) {
  return kind == SymbolKind::variable || kind == SymbolKind::constant ||
         kind == SymbolKind::field || kind == SymbolKind::property;
}

// In a function: what it keeps to itself, but not the properties that parameters of a
// constructor declare. A function that is only declared there is
// one of elsewhere, or a variable that looks like it.
bool is_local(const Symbol& symbol) {
  return (is_value(symbol.kind) && symbol.kind != SymbolKind::property) ||
         (symbol.kind == SymbolKind::function && !symbol.has_body);
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

void add_to(SymbolDraft& draft, const SymbolDraft& more) {
  auto& symbol = draft.symbol;
  const auto& other = more.symbol;
  if (symbol.visibility == Visibility::unsaid) symbol.visibility = other.visibility;
  if (draft.members == Visibility::unsaid) draft.members = more.members;
  if (symbol.scope.empty()) symbol.scope = other.scope;
  if (symbol.doc_end == 0) {
    symbol.doc_begin = other.doc_begin;
    symbol.doc_end = other.doc_end;
  }
  if (!symbol.has_body && other.has_body) {
    symbol.has_body = true;
    symbol.signature_end = other.signature_end;
  }
  symbol.exported = symbol.exported || other.exported;
}

}  // namespace

std::vector<SymbolDraft> merge_drafts(std::vector<SymbolDraft> drafts) {
  std::ranges::sort(drafts, {}, [](const SymbolDraft& draft) {
    return std::tuple(draft.key, !draft.defines, draft.pattern);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (kept > 0 && drafts[kept - 1].key == drafts[i].key) {
      add_to(drafts[kept - 1], drafts[i]);
    } else if (drafts[i].defines) {
      if (kept != i) drafts[kept] = drafts[i];
      ++kept;
    }
  }
  drafts.erase(drafts.begin() + static_cast<std::ptrdiff_t>(kept), drafts.end());
  std::ranges::sort(drafts, {}, [](const SymbolDraft& draft) {
    return std::tuple(draft.symbol.span.begin, ~draft.symbol.span.end, draft.key);
  });
  return drafts;
}

void Nesting::leave(std::uint32_t begin) {
  while (!open_.empty() && open_.back().node.end <= begin) open_.pop_back();
  while (!wrappers_.empty() && wrappers_.back().span.end <= begin) wrappers_.pop_back();
}

void Nesting::meet(const Mark& mark) {
  leave(mark.span.begin);
  switch (mark.role) {
    case Role::comment: return meet_comment(mark.span);
    case Role::attribute: return meet_attribute(mark.span);
    case Role::modifier: return meet_modifier(mark);
    case Role::access:
      if (!open_.empty()) open_.back().members = mark.visibility;
      return;
    default: wrappers_.push_back(mark);
  }
}

// A modifier is about the symbol that it is in, if it stands before the name.
bool Nesting::modifies(const Mark& mark, const Open& open) const {
  const auto at = mark.span.begin;
  if (at < open.node.begin || at > open.name || open.modified) return false;
  const auto parent = symbols_[open.symbol].parent;
  return !mark.outside_types || parent == kNoSymbol || !has_members(symbols_[parent].kind);
}

void Nesting::meet_modifier(const Mark& mark) {
  modifier_ = mark;
  if (mark.visibility == Visibility::unsaid || open_.empty()) return;
  auto& open = open_.back();
  if (!modifies(mark, open)) return;
  open.modified = true;
  // One declaration may give several names.
  for (auto i = open.symbol + 1; i-- > open.first;) symbols_[i].visibility = mark.visibility;
}

// What stands behind code on its line is about that.
void Nesting::meet_comment(const Span& span) {
  constexpr std::uint32_t kIndent = 512;  // more is not looked through
  if (span.column > kIndent) return;
  const auto before = text_.substr(0, span.begin).substr(span.begin - (span.column - 1));
  if (!blank(before)) return;
  if (comment_.there && comment_.span.end_line + 1 >= span.line) {
    comment_.span.end = span.end;
    comment_.span.end_line = span.end_line;
  } else {
    comment_ = {.span = span, .there = true};
  }
  // A comment that takes in its line end ends on the next line.
  if (span.end_column == 1) --comment_.span.end_line;
}

void Nesting::meet_attribute(const Span& span) {
  const auto joins = [&](const Run& run) {
    return run.there && blank(text_.substr(run.span.end, span.begin - run.span.end));
  };
  if (joins(attribute_)) {
    attribute_.span.end = span.end;
  } else {
    attribute_ = {.span = span, .there = true};
  }
  if (comment_.there && comment_.span.end_line + 1 >= span.line) {
    comment_.span.end_line = span.end_line;
  }
}

// A type that is written in the declaration of a value is beside the value; so
// are names that one declaration gives together.
void Nesting::leave_siblings(const SymbolDraft& draft) {
  const bool is_type = has_members(draft.symbol.kind) || draft.symbol.kind == SymbolKind::type;
  while (!open_.empty()) {
    const auto& top = open_.back();
    const auto kind = symbols_[top.symbol].kind;
    if (top.node != draft.symbol.span && !(is_type && is_value(kind)) && kind != SymbolKind::type &&
        kind != SymbolKind::macro) {
      return;
    }
    open_.pop_back();
  }
}

// A wrapper is about the symbols directly in it; one that ends with it, but for a
// semicolon, begins with it too.
void Nesting::wrap(const Span& node, Symbol& symbol) const {
  for (auto wrapper = wrappers_.rbegin(); wrapper != wrappers_.rend(); ++wrapper) {
    const auto& span = wrapper->span;
    if (parent() != nullptr && parent()->node.begin >= span.begin) return;
    if (wrapper->role == Role::exported) symbol.exported = true;
    if (wrapper->role == Role::confined) continue;
    if (span.end > node.end + 1 || span.begin > symbol.span.begin) continue;
    if (wrapper->role != Role::decorated) symbol.signature_begin = span.begin;
    symbol.span = span;
  }
}

void Nesting::take_runs(Symbol& symbol) {
  if (attribute_.there) {
    const auto& span = attribute_.span;
    if (span.end <= symbol.span.begin &&
        blank(text_.substr(span.end, symbol.span.begin - span.end))) {
      symbol.span.begin = span.begin;
      symbol.span.line = span.line;
      symbol.span.column = span.column;
    }
    attribute_.there = false;
  }
  if (!comment_.there) return;
  const auto& span = comment_.span;
  if (symbol.doc_end == 0 && span.begin < symbol.signature_begin &&
      span.end_line + 1 >= symbol.span.line) {
    symbol.doc_begin = span.begin;
    symbol.doc_end = span.end;
  }
  comment_.there = false;
}

bool Nesting::in_type(const Open* around) const {
  return around != nullptr && has_members(symbols_[around->symbol].kind);
}

// Members are seen by who sees their type, and say so themselves.
bool Nesting::is_confined() const {
  const auto* around = parent();
  const bool outermost =
      around == nullptr || symbols_[around->symbol].kind == SymbolKind::namespace_;
  return outermost && std::ranges::any_of(
                          wrappers_, [](const Mark& mark) { return mark.role == Role::confined; });
}

// Some nodes take in the line end behind them.
void Nesting::end_with_text(Span& span) const {
  if (span.end == span.begin || text_[span.end - 1] != '\n') return;
  while (span.end > span.begin + 1 && blank(text_.substr(span.end - 1, 1))) {
    if (text_[--span.end] == '\n') --span.end_line;
  }
  const auto line_end = text_.substr(0, span.end).rfind('\n');
  span.end_column = span.end - static_cast<std::uint32_t>(line_end + 1) + 1;
}

Visibility Nesting::visibility(const SymbolDraft& draft) const {
  if (is_confined()) return Visibility::private_;
  if (draft.symbol.visibility != Visibility::unsaid) return draft.symbol.visibility;
  if (parent() != nullptr && parent()->members != Visibility::unsaid) return parent()->members;
  if (draft.symbol.kind == SymbolKind::package) return Visibility::unsaid;
  const auto name = draft.symbol.name;
  switch (language_.names) {
    case NameRule::none: break;
    case NameRule::underscore_is_private:
      return name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"))
                 ? Visibility::private_
                 : Visibility::public_;
    case NameRule::capital_is_public:
      // Letters beyond ASCII are rare as a first one; they count as capitals.
      return (name.front() >= 'a' && name.front() <= 'z') || name.front() == '_'
                 ? Visibility::internal
                 : Visibility::public_;
  }
  return language_.visibility;
}

void Nesting::meet(const SymbolDraft& draft) {
  const auto node = draft.symbol.span;
  leave(node.begin);
  leave_siblings(draft);
  Symbol symbol = draft.symbol;
  const auto* around = parent();
  if (draft.named_like_type) {
    if (!in_type(around)) {
      if (!symbol.has_body) return;
      symbol.kind = SymbolKind::function;
    } else if (symbols_[around->symbol].name != symbol.name) {
      return;
    }
  }
  if (around != nullptr) {
    const auto kind = symbols_[around->symbol].kind;
    if (is_callable(kind) && is_local(symbol)) return;
    if (has_members(kind)) {
      if (symbol.kind == SymbolKind::function) symbol.kind = SymbolKind::method;
      if (symbol.kind == SymbolKind::variable) symbol.kind = SymbolKind::field;
    }
    symbol.parent = around->symbol;
    symbol.depth = symbols_[around->symbol].depth + 1;
  }
  if (symbol.depth > limits_.symbol_depth || symbols_.size() >= limits_.symbols) {
    ++left_out_;
    return;
  }
  symbol.visibility = visibility(draft);
  end_with_text(symbol.span);
  wrap(node, symbol);
  take_runs(symbol);
  const auto number = static_cast<std::uint32_t>(symbols_.size());
  const bool beside = number > 0 && last_.node == node;
  last_ = {.symbol = number,
           .first = beside ? last_.first : number,
           .node = node,
           .name = draft.key,
           .members = draft.members,
           .modified = false};
  symbols_.push_back(symbol);
  if (modifier_.visibility != Visibility::unsaid && modifies(modifier_, last_)) {
    symbols_.back().visibility = modifier_.visibility;
    last_.modified = true;
  }
  open_.push_back(last_);
}

}  // namespace lode
