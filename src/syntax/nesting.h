// Turns drafts, which come in the order of the query's matches, into symbols: in
// the order of the file, nested, with what the marks around them say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/language.h"
#include "syntax/limits.h"
#include "syntax/outline_drafts.h"
#include "syntax/symbol.h"

namespace lode {

// One symbol from all drafts of one name: the first pattern that defines it says
// what it is and where; the others add what is not said yet. What no pattern
// defines is dropped. In the order of the file, those around others first.
std::vector<SymbolDraft> merge_drafts(std::vector<SymbolDraft> drafts);

// Walks over marks and drafts together, once.
class Nesting {
 public:
  Nesting(const Language& language, std::string_view text, const SyntaxLimits& limits)
      : language_(language), text_(text), limits_(limits) {}

  // REQUIRES: called in the order of the file.
  void meet(const Mark& mark);
  void meet(const SymbolDraft& draft);

  std::vector<Symbol> take() { return std::move(symbols_); }
  std::size_t left_out() const { return left_out_; }

 private:
  struct Open {
    std::uint32_t symbol = 0;
    std::uint32_t first = 0;  // of the symbols that this declaration names
    Span node = {};           // without what is wrapped around it
    std::uint32_t name = 0;   // where its name begins
    Visibility members = Visibility::unsaid;
    bool modified = false;  // a word in it says who sees it
  };
  // A run of comments, or of attributes, that may belong to what follows.
  struct Run {
    Span span;
    bool there = false;
  };

  void leave(std::uint32_t begin);
  void leave_siblings(const SymbolDraft& draft);
  void meet_comment(const Span& span);
  void meet_attribute(const Span& span);
  void meet_modifier(const Mark& mark);
  bool modifies(const Mark& mark, const Open& open) const;
  void end_with_text(Span& span) const;
  void wrap(const Span& node, Symbol& symbol) const;
  void take_runs(Symbol& symbol);
  bool in_type(const Open* around) const;
  bool is_confined() const;
  Visibility visibility(const SymbolDraft& draft) const;
  const Open* parent() const { return open_.empty() ? nullptr : &open_.back(); }

  const Language& language_;
  std::string_view text_;
  const SyntaxLimits& limits_;
  std::size_t left_out_ = 0;
  std::vector<Symbol> symbols_;
  std::vector<Open> open_;      // the symbols around this place, the innermost last
  Open last_;                   // the last symbol that was met
  std::vector<Mark> wrappers_;  // around this place
  Mark modifier_;               // the last one: a symbol that begins with it comes after it
  Run comment_;
  Run attribute_;
};

}  // namespace lode
