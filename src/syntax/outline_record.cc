#include "syntax/outline_record.h"

#include <tuple>
#include <utility>

#include "base/varint.h"

namespace lode {
namespace {

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

// Places are written as distances from the last one: most are short.
class Writer {
 public:
  explicit Writer(std::string_view text) : text_(text) {}

  void number(std::uint64_t value) { put_varint(out_, value); }

  void place(std::uint32_t begin, std::uint32_t end) {
    put_varint(out_, zigzag(static_cast<std::int64_t>(begin) - last_));
    put_varint(out_, end - begin);
    last_ = begin;
  }

  // Even: so long, at the place that follows. Odd: so long, and here it is.
  void piece(std::string_view piece) {
    const bool inside = !piece.empty() && piece.data() >= text_.data() &&
                        piece.data() + piece.size() <= text_.data() + text_.size();
    put_varint(out_, piece.size() << 1U | (inside ? 0U : 1U));
    if (!inside) {
      out_ += piece;
      return;
    }
    const auto begin = piece.data() - text_.data();
    put_varint(out_, zigzag(begin - last_));
    last_ = begin;
  }

  void span(const Span& span) {
    place(span.begin, span.end);
    put_varint(out_, span.line);
    put_varint(out_, span.column);
    put_varint(out_, span.end_line - span.line);
    put_varint(out_, span.end_column);
  }

  std::string take() { return std::move(out_); }

 private:
  const std::string_view text_;
  std::string out_;
  std::int64_t last_ = 0;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string_view text, std::deque<std::string>& made)
      : in_(bytes), text_(text), made_(made) {}

  bool complete() const { return in_.ok() && in_.at_end(); }
  bool ok() const { return in_.ok(); }
  void fail() { in_.fail(); }

  std::uint32_t number(std::uint64_t most = UINT32_MAX) {
    return static_cast<std::uint32_t>(in_.number(most));
  }
  // Of things that take a byte each at least.
  std::size_t count() { return in_.number(in_.left()); }

  std::pair<std::uint32_t, std::uint32_t> place() {
    const auto begin = at();
    const auto length = in_.number(text_.size() - begin);
    return {begin, begin + static_cast<std::uint32_t>(length)};
  }

  std::string_view piece() {
    const auto size = in_.number(UINT32_MAX);
    if ((size & 1U) == 0) return text_piece(size >> 1U);
    const auto written = in_.take(size >> 1U);
    return written.empty() ? written : made_.emplace_back(written);
  }

  Span span() {
    Span span;
    std::tie(span.begin, span.end) = place();
    span.line = number();
    span.column = number();
    span.end_line = span.line + number(UINT32_MAX - span.line);
    span.end_column = number();
    return span;
  }

 private:
  std::uint32_t at() {
    const auto begin = last_ + unzigzag(in_.number(UINT32_MAX));
    if (begin < 0 || begin > static_cast<std::int64_t>(text_.size())) in_.fail();
    if (!in_.ok()) return 0;
    last_ = begin;
    return static_cast<std::uint32_t>(begin);
  }

  std::string_view text_piece(std::uint64_t size) {
    const auto begin = at();
    if (size > text_.size() - begin) in_.fail();
    return in_.ok() ? text_.substr(begin, size) : std::string_view();
  }

  VarintReader in_;
  const std::string_view text_;
  std::deque<std::string>& made_;
  std::int64_t last_ = 0;
};

constexpr std::uint32_t kDeepest = 1000;  // more than any limit allows
constexpr unsigned kExported = 1;
constexpr unsigned kHasBody = 2;
constexpr unsigned kVisibilityShift = 2;

void write_symbol(Writer& out, const Symbol& symbol, std::uint32_t number) {
  out.number(static_cast<std::uint64_t>(symbol.kind));
  out.number((symbol.exported ? kExported : 0U) | (symbol.has_body ? kHasBody : 0U) |
             static_cast<unsigned>(symbol.visibility) << kVisibilityShift);
  out.number(symbol.parent == kNoSymbol ? 0 : number - symbol.parent);
  out.span(symbol.span);
  out.piece(symbol.name);
  out.piece(symbol.scope);
  out.number(symbol.name_line);
  out.place(symbol.signature_begin, symbol.signature_end);
  out.place(symbol.doc_begin, symbol.doc_end);
}

Symbol read_symbol(Reader& in, const std::vector<Symbol>& before) {
  Symbol symbol;
  symbol.kind = static_cast<SymbolKind>(in.number(static_cast<std::uint64_t>(SymbolKind::rule)));
  constexpr auto kMost = static_cast<unsigned>(Visibility::private_);
  const auto flags = in.number((kMost << kVisibilityShift) | kExported | kHasBody);
  symbol.exported = (flags & kExported) != 0;
  symbol.has_body = (flags & kHasBody) != 0;
  symbol.visibility = static_cast<Visibility>(flags >> kVisibilityShift);
  if (const auto back = in.number(before.size()); back > 0) {
    symbol.parent = static_cast<std::uint32_t>(before.size()) - back;
    symbol.depth = before[symbol.parent].depth + 1;
    if (symbol.depth > kDeepest) in.fail();
  }
  symbol.span = in.span();
  symbol.name = in.piece();
  symbol.scope = in.piece();
  symbol.name_line = in.number();
  std::tie(symbol.signature_begin, symbol.signature_end) = in.place();
  std::tie(symbol.doc_begin, symbol.doc_end) = in.place();
  return symbol;
}

void read_imports(Reader& in, Outline& outline) {
  for (auto n = in.count(); n > 0 && in.ok(); --n) {
    Import import;
    import.source = in.piece();
    import.name = in.piece();
    import.alias = in.piece();
    import.span = in.span();
    outline.imports.push_back(import);
  }
}

void read_exports(Reader& in, Outline& outline) {
  for (auto n = in.count(); n > 0 && in.ok(); --n) {
    Export item;
    item.name = in.piece();
    item.alias = in.piece();
    item.source = in.piece();
    const auto symbol = in.number(outline.symbols.size());
    item.symbol = symbol == 0 ? kNoSymbol : symbol - 1;
    item.line = in.number();
    outline.exports.push_back(item);
  }
}

void read_problems(Reader& in, Outline& outline) {
  for (auto n = in.count(); n > 0 && in.ok(); --n) {
    SyntaxProblem problem;
    problem.missing = in.piece();
    problem.span = in.span();
    outline.problems.push_back(problem);
  }
}

}  // namespace

std::string encode_outline(const Outline& outline) {
  Writer out(outline.text);
  out.number(outline.lines);
  out.number(outline.symbols_left_out);
  out.number(outline.problems_left_out);
  out.number(outline.symbols.size());
  for (std::uint32_t i = 0; i < outline.symbols.size(); ++i) {
    write_symbol(out, outline.symbols[i], i);
  }
  out.number(outline.imports.size());
  for (const auto& import : outline.imports) {
    out.piece(import.source);
    out.piece(import.name);
    out.piece(import.alias);
    out.span(import.span);
  }
  out.number(outline.exports.size());
  for (const auto& item : outline.exports) {
    out.piece(item.name);
    out.piece(item.alias);
    out.piece(item.source);
    out.number(item.symbol == kNoSymbol ? 0 : item.symbol + 1);
    out.number(item.line);
  }
  out.number(outline.problems.size());
  for (const auto& problem : outline.problems) {
    out.piece(problem.missing);
    out.span(problem.span);
  }
  return out.take();
}

std::optional<Outline> decode_outline(std::string_view bytes, const Language& language,
                                      std::string_view text) {
  Outline outline;
  outline.language = &language;
  outline.text = text;
  Reader in(bytes, text, outline.made);
  outline.lines = in.number();
  outline.symbols_left_out = in.number();
  outline.problems_left_out = in.number();
  for (auto n = in.count(); n > 0 && in.ok(); --n) {
    outline.symbols.push_back(read_symbol(in, outline.symbols));
  }
  read_imports(in, outline);
  read_exports(in, outline);
  read_problems(in, outline);
  if (!in.complete()) return std::nullopt;
  return outline;
}

}  // namespace lode
