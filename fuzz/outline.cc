// Outlines and trees of source code. Input: a language's id; after the line end, a text.
//
//  - Whatever the bytes are, there is an answer: an outline, or that they are no text.
//  - Symbols lie in the text, in order, each after the one around it and within it.
//  - Each is found by its path, or is one of several.
//  - It is the same after it was kept as bytes; and any bytes may be read as one.
//  - What blanks macros leaves lengths and lines as they are.
//  - A tree is JSON, and its hash does not depend on how it is shown.
#include "syntax/outline.h"

#include <string>

#include "base/json.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "syntax/local_syntax.h"
#include "syntax/macros.h"
#include "syntax/outline_record.h"

namespace lode::fuzz {
namespace {

const Syntax& syntax() {
  static const LocalSyntax instance({.time = std::chrono::milliseconds(2000)});
  return instance;
}

void check_symbol(const Outline& outline, std::uint32_t number) {
  const auto& symbol = outline.symbols[number];
  const auto size = outline.text.size();
  check(symbol.span.begin <= symbol.span.end && symbol.span.end <= size, "it lies in the text");
  check(symbol.span.line <= symbol.span.end_line, "its lines are in order");
  check(symbol.signature_begin <= symbol.signature_end && symbol.signature_end <= size,
        "so does its signature");
  check(symbol.doc_begin <= symbol.doc_end && symbol.doc_end <= size, "and its comment");
  check(valid_utf8(outline.signature(symbol)), "a signature is text");
  check(valid_utf8(outline.doc(symbol)), "a comment is text");
  if (symbol.parent == kNoSymbol) {
    check(symbol.depth == 0, "without a parent it is outermost");
    return;
  }
  check(symbol.parent < number, "a parent comes first");
  const auto& parent = outline.symbols[symbol.parent];
  check(symbol.depth == parent.depth + 1, "depths follow");
  check(symbol.span.begin >= parent.span.begin, "it begins in its parent");
}

void check_found(const Outline& outline, const std::string& selector) {
  check(static_cast<bool>(find_symbol(outline, selector)), "it is found by its selector");
}

void check_outline(const Language& language, std::string_view text) {
  const auto outline = syntax().outline(language, text);
  if (!outline) {
    const auto code = outline.error().code;
    check(code == Code::unsupported || code == Code::timeout, "a refusal is about the text");
    return;
  }
  for (std::uint32_t i = 0; i < outline->symbols.size(); ++i) check_symbol(*outline, i);
  if (!outline->symbols.empty()) {
    const auto selectors = symbol_selectors(*outline);
    check_found(*outline, selectors.front());
    check_found(*outline, selectors.back());
  }
  for (const auto& item : outline->exports) {
    check(item.symbol == kNoSymbol || item.symbol < outline->symbols.size(), "exports are symbols");
  }
  check(valid_utf8(structure(*outline, "title")), "the structure is text");
  const auto bytes = encode_outline(*outline);
  const auto kept = decode_outline(bytes, language, text);
  check(kept && encode_outline(*kept) == bytes, "it is the same after it was kept");
  if (const auto other = decode_outline(text, language, text)) {
    for (const auto& symbol : other->symbols) other->signature(symbol);
  }
}

void check_tree(const Language& language, std::string_view text) {
  const auto whole = syntax().ast(language, text, {.include_semantic_hash = true});
  if (!whole) return;
  const auto brief = syntax().ast(
      language, text,
      {.compact = true, .max_depth = 3, .use_symbol_table = true, .include_semantic_hash = true});
  check(brief.ok(), "what can be shown can be shown in brief");
  const auto a = JsonDocument::parse(*whole, {.max_depth = 2000});
  const auto b = JsonDocument::parse(*brief, {.max_depth = 2000});
  check(a && b, "a tree is JSON");
  check(a->root()["semantic_hash"].string() == b->root()["semantic_hash"].string(),
        "the hash is the same");
}

void check_macros(std::string_view text) {
  const auto blanked = without_macros(text);
  if (blanked.empty()) return;
  check(blanked.size() == text.size(), "blanking changes no length");
  for (std::size_t i = 0; i < text.size(); ++i) {
    check(blanked[i] == text[i] || (blanked[i] == ' ' && text[i] != '\n'), "and no line");
  }
}

}  // namespace

void run(std::string_view input) {
  const auto* language = find_language(take_until(input, '\n'));
  if (language == nullptr) return;
  check_outline(*language, input);
  check_tree(*language, input);
  if (language->macros) check_macros(input);
}

}  // namespace lode::fuzz
