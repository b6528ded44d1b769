#include "providers/code/symbols_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "syntax/text.h"

namespace lode {
namespace {

constexpr std::size_t kCommentBytes = 100;  // of a comment's first line, in the small shape

// What a definition begins with and the kind says already.
constexpr std::array<std::string_view, 28> kSaid{
    "class",     "const",  "constexpr", "def",      "default", "enum",     "explicit",
    "export",    "extern", "final",     "fn",       "fun",     "func",     "function",
    "impl",      "inline", "interface", "internal", "let",     "override", "private",
    "protected", "pub",    "public",    "struct",   "trait",   "type",     "virtual"};

// The words that are not said already.
std::string unsaid(std::string_view words) {
  std::string left;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    const auto word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    if (word.empty() || word.starts_with("pub(") || std::ranges::find(kSaid, word) != kSaid.end()) {
      continue;
    }
    if (!left.empty()) left += ' ';
    left += word;
  }
  return left;
}

// How much of the signature stands before the name, or less: what comes first may have
// the same letters.
std::size_t before_name(const Outline& outline, const Symbol& symbol) {
  const auto* const begin = outline.text.data() + symbol.signature_begin;
  const auto* const end = outline.text.data() + symbol.signature_end;
  if (symbol.name.data() < begin || symbol.name.data() >= end) return 0;
  return on_one_line({begin, symbol.name.data()}).size();
}

// The name; of what can be called, with what it takes and gives.
std::string brief(const Outline& outline, const Symbol& symbol) {
  std::string name(symbol.name);
  if (!is_callable(symbol.kind)) return name;
  const auto signature = outline.signature(symbol);
  const auto at = signature.find(symbol.name, before_name(outline, symbol));
  if (at == signature.npos) return name;
  auto before = std::string_view(signature).substr(0, at);
  name = signature.substr(at);
  if (!symbol.scope.empty()) {
    // `void A::f()` is A::f; Go's `func (a A) f()` is A.f.
    const auto scope = before.rfind(symbol.scope);
    const auto joint = scope == before.npos ? before : before.substr(scope + symbol.scope.size());
    const bool joined = joint == "::" || joint == ".";
    name = std::string(symbol.scope).append(joined ? joint : ".").append(name);
    before = joined ? before.substr(0, scope) : std::string_view();
  }
  if (const auto type = unsaid(before); !type.empty()) name += " -> " + type;
  return name;
}

// The first sentence of the first line, if that is long.
std::string brief_comment(std::string comment) {
  if (comment.size() <= kCommentBytes) return comment;
  if (const auto end = comment.find(". "); end != comment.npos && end < kCommentBytes) {
    comment.resize(end + 1);
    return comment;
  }
  auto end = comment.rfind(' ', kCommentBytes);
  if (end == comment.npos || end == 0) end = comment.find(' ');
  if (end == comment.npos) return comment;
  comment.resize(end);
  return comment + " …";
}

using Numbers = std::vector<std::uint32_t>;

class SymbolsWriter {
 public:
  SymbolsWriter(JsonWriter& out, const Outline& outline)
      : out_(out), outline_(outline), members_(outline.symbols.size()) {
    for (std::uint32_t i = 0; i < outline.symbols.size(); ++i) {
      const auto parent = outline.symbols[i].parent;
      (parent == kNoSymbol ? outermost_ : members_[parent]).push_back(i);
    }
  }

  void small() { small(outermost_); }
  void whole() { whole(outermost_); }

 private:
  void small(const Numbers& numbers) {
    std::vector<std::pair<std::string, Numbers>> groups;  // in the order of their first
    for (const auto number : numbers) {
      const auto kind = kind_of(outline_.symbols[number]);
      auto group = std::ranges::find(groups, kind, &std::pair<std::string, Numbers>::first);
      if (group == groups.end()) group = groups.insert(groups.end(), {kind, {}});
      group->second.push_back(number);
    }
    out_.begin_object();
    for (const auto& [kind, symbols] : groups) {
      out_.key(kind).begin_array();
      for (const auto number : symbols) small(number);
      out_.end_array();
    }
    out_.end_object();
  }

  void small(std::uint32_t number) {
    const auto& symbol = outline_.symbols[number];
    auto text = line_range(symbol.span) + " " + brief(outline_, symbol);
    const auto comment = brief_comment(outline_.doc(symbol));
    if (!comment.empty()) text += " // " + comment;
    if (members_[number].empty()) {
      out_.value(text);
      return;
    }
    out_.begin_array().value(text);
    small(members_[number]);
    out_.end_array();
  }

  void whole(const Numbers& numbers) {
    out_.begin_array();
    for (const auto number : numbers) {
      const auto& symbol = outline_.symbols[number];
      out_.begin_object().member("name", symbol.name).member("kind", to_string(symbol.kind));
      out_.member_if("scope", symbol.scope);
      out_.member("lines", line_range(symbol.span));
      out_.member("signature", outline_.signature(symbol));
      out_.member_if("doc", outline_.doc(symbol));
      out_.member_if("visibility", to_string(symbol.visibility));
      if (symbol.exported) out_.member("exported", true);
      if (!members_[number].empty()) {
        out_.key("members");
        whole(members_[number]);
      }
      out_.end_object();
    }
    out_.end_array();
  }

  JsonWriter& out_;
  const Outline& outline_;
  Numbers outermost_;
  std::vector<Numbers> members_;  // by number
};

}  // namespace

std::string kind_of(const Symbol& symbol) {
  std::string kind;
  if (symbol.visibility > Visibility::public_) {
    kind.append(to_string(symbol.visibility)).append(" ");
  } else if (symbol.exported) {
    kind = "exported ";
  }
  return kind.append(to_string(symbol.kind));
}

std::string line_range(const Span& span) {
  if (span.line == span.end_line) return std::to_string(span.line);
  return fmt::format("{}-{}", span.line, span.end_line);
}

void write_symbols(JsonWriter& out, const Outline& outline, SymbolsShape shape) {
  SymbolsWriter writer(out, outline);
  if (shape == SymbolsShape::small) {
    writer.small();
  } else {
    writer.whole();
  }
}

}  // namespace lode
