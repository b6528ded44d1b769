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

// Of what is shown in the small shape.
constexpr std::size_t kCommentBytes = 40;    // of a comment's first line
constexpr std::size_t kSignatureBytes = 52;  // of what something takes and gives

// What a definition begins with and the kind says already, or nobody needs to know.
constexpr auto kSaid = std::to_array<std::string_view>(
    {"abstract", "class",  "const",     "constexpr", "def",    "default",  "enum",    "explicit",
     "export",   "extern", "final",     "fn",        "friend", "fun",      "func",    "function",
     "impl",     "inline", "interface", "internal",  "let",    "override", "private", "protected",
     "pub",      "public", "static",    "struct",    "trait",  "type",     "virtual", "void"});

// Who is called is no parameter to who calls.
constexpr auto kReceivers = std::to_array<std::string_view>(
    {"self", "cls", "&self", "&mut self", "mut self", "&'static self"});

// The words that are not said already.
std::string unsaid(std::string_view words) {
  std::string left;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    const auto word = words.substr(0, end);
    words.remove_prefix(std::min(end + 1, words.size()));
    const bool said = word.empty() || word.starts_with('@') || word.starts_with("pub(") ||
                      std::ranges::find(kSaid, word) != kSaid.end();
    if (said) continue;
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

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// No more than so many bytes, and the first word at least.
void cut_after_word(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  auto end = text.rfind(' ', most);
  if (end == text.npos || end == 0) end = text.find(' ');
  if (end != text.npos) text.replace(end, text.npos, " …");
}

// Behind "template <…>", as often as there is one: what is given is told, not for whom.
std::string_view without_template(std::string_view words) {
  constexpr std::string_view kTemplate = "template";
  while (words.starts_with(kTemplate)) {
    std::size_t at = kTemplate.size();
    int angles = 0;
    int parens = 0;
    for (; at < words.size(); ++at) {
      const char c = words[at];
      parens += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (parens > 0) continue;
      angles += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == '>' && angles <= 0) break;
    }
    words.remove_prefix(std::min(at + 1, words.size()));
    words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  }
  return words;
}

// What stands behind the name: "(a: number): string", as short as it can be said.
std::string shortened(std::string rest) {
  replace_all(rest, "( ", "(");
  replace_all(rest, ", )", ")");
  if (const auto where = rest.find(" where "); where != rest.npos) rest.resize(where);
  for (const auto receiver : kReceivers) {
    const auto begin = rest.find('(');
    if (begin == rest.npos || rest.compare(begin + 1, receiver.size(), receiver) != 0) continue;
    auto end = begin + 1 + receiver.size();
    if (end < rest.size() && rest[end] != ',' && rest[end] != ')') continue;
    while (end < rest.size() && (rest[end] == ',' || rest[end] == ' ')) ++end;
    rest.erase(begin + 1, end - begin - 1);
    break;
  }
  if (rest.ends_with(": void")) rest.resize(rest.size() - 6);
  cut_after_word(rest, kSignatureBytes);
  return rest;
}

// The name; of what can be called, with what it takes and gives.
std::string brief(const Outline& outline, const Symbol& symbol) {
  std::string name(symbol.name);
  if (!is_callable(symbol.kind)) return name;
  const auto signature = outline.signature(symbol);
  const auto at = signature.find(symbol.name, before_name(outline, symbol));
  if (at == signature.npos) return name;
  auto before = std::string_view(signature).substr(0, at);
  name += shortened(signature.substr(at + symbol.name.size()));
  if (!symbol.scope.empty()) {
    // `void A::f()` is A::f; Go's `func (a A) f()` is A.f.
    const auto scope = before.rfind(symbol.scope);
    const auto joint = scope == before.npos ? before : before.substr(scope + symbol.scope.size());
    const bool joined = joint == "::" || joint == ".";
    name = std::string(symbol.scope).append(joined ? joint : ".").append(name);
    before = joined ? before.substr(0, scope) : std::string_view();
  }
  auto type = unsaid(without_template(before));
  cut_after_word(type, kSignatureBytes);
  if (!type.empty()) name += " -> " + type;
  return name;
}

// The first sentence of the first line, or less.
std::string brief_comment(std::string comment) {
  if (const auto end = comment.find(". "); end != comment.npos) comment.resize(end);
  cut_after_word(comment, kCommentBytes);
  if (comment.ends_with('.')) comment.pop_back();
  return comment;
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
      for (std::size_t i = 0; i < symbols.size();) i = small(symbols, i);
      out_.end_array();
    }
    out_.end_object();
  }

  // Whether it has a name and a line, and nothing else to say.
  bool is_plain(std::uint32_t number) const {
    const auto& symbol = outline_.symbols[number];
    return !is_callable(symbol.kind) && symbol.span.line == symbol.span.end_line &&
           members_[number].empty() && comment_of(symbol).empty() &&
           symbol.name.find(',') == symbol.name.npos;
  }

  // Of what is for others, and more than a value.
  std::string comment_of(const Symbol& symbol) const {
    const bool speaks = is_callable(symbol.kind) || has_members(symbol.kind) ||
                        symbol.kind == SymbolKind::type || symbol.kind == SymbolKind::module;
    if (!speaks || symbol.visibility == Visibility::private_) return "";
    return brief_comment(outline_.doc(symbol));
  }

  // Writes the symbol at i, and those after it that belong to its run; where the next
  // stands. A run is of plain ones that are all on one line, "46 a, b, c", or one on
  // each, "57-59 a, b, c".
  std::size_t small(const Numbers& numbers, std::size_t i) {
    const auto line = [&](std::size_t at) { return outline_.symbols[numbers[at]].span.line; };
    if (!is_plain(numbers[i])) {
      small(numbers[i]);
      return i + 1;
    }
    auto end = i + 1;
    const auto step = end < numbers.size() ? line(end) - line(i) : 0;
    while (step <= 1 && end < numbers.size() && is_plain(numbers[end]) &&
           line(end) == line(end - 1) + step) {
      ++end;
    }
    const Span lines{.line = line(i), .end_line = line(end - 1)};
    auto text = line_range(lines) + " ";
    for (auto at = i; at < end; ++at) {
      text.append(at == i ? "" : ", ").append(outline_.symbols[numbers[at]].name);
    }
    out_.value(text);
    return end;
  }

  void small(std::uint32_t number) {
    const auto& symbol = outline_.symbols[number];
    auto text = line_range(symbol.span) + " " + brief(outline_, symbol);
    if (const auto comment = comment_of(symbol); !comment.empty()) text += " // " + comment;
    // What a method keeps to itself is nobody's affair.
    const bool keeps = symbol.kind == SymbolKind::method || symbol.kind == SymbolKind::constructor;
    if (members_[number].empty() || keeps) {
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
  if (symbol.kind == SymbolKind::implementation) {
    // What is in it says for whom it is.
  } else if (symbol.visibility > Visibility::public_) {
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
