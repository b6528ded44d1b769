#include "syntax/symbol.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lode {
namespace {

constexpr auto kKindWords = std::to_array<std::string_view>(
    {"module",    "package",     "namespace", "class",   "struct",   "union",
     "interface", "trait",       "enum",      "member",  "object",   "implementation",
     "type",      "constructor", "function",  "method",  "property", "field",
     "constant",  "variable",    "macro",     "section", "key",      "table",
     "view",      "index",       "trigger",   "element", "rule"});
static_assert(kKindWords.size() == static_cast<std::size_t>(SymbolKind::rule) + 1);

struct VisibilityWord {
  std::string_view word;
  Visibility visibility;
};
constexpr auto kVisibilityWords = std::to_array<VisibilityWord>({
    {"public", Visibility::public_},
    {"pub", Visibility::public_},
    {"open", Visibility::public_},
    {"export", Visibility::public_},
    {"protected", Visibility::protected_},
    {"internal", Visibility::internal},
    {"package", Visibility::internal},
    {"private", Visibility::private_},
    {"fileprivate", Visibility::private_},
    {"file", Visibility::private_},
    {"local", Visibility::private_},
});

}  // namespace

std::string_view to_string(SymbolKind kind) {
  return kKindWords.at(static_cast<std::size_t>(kind));
}

std::optional<SymbolKind> find_symbol_kind(std::string_view word) {
  const auto found = std::ranges::find(kKindWords, word);
  if (found == kKindWords.end()) return std::nullopt;
  return static_cast<SymbolKind>(found - kKindWords.begin());
}

bool is_callable(SymbolKind kind) {
  return kind == SymbolKind::function || kind == SymbolKind::method ||
         kind == SymbolKind::constructor;
}

bool has_members(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::class_:
    case SymbolKind::struct_:
    case SymbolKind::union_:
    case SymbolKind::interface:
    case SymbolKind::trait:
    case SymbolKind::enum_:
    case SymbolKind::object:
    case SymbolKind::implementation: return true;
    default: return false;
  }
}

std::string_view to_string(Visibility visibility) {
  switch (visibility) {
    case Visibility::unsaid: return "";
    case Visibility::public_: return "public";
    case Visibility::protected_: return "protected";
    case Visibility::internal: return "internal";
    case Visibility::private_: return "private";
  }
  return "";
}

Visibility visibility_of(std::string_view word) {
  if (word.starts_with('#')) return Visibility::private_;
  if (word.starts_with("pub(")) return Visibility::internal;
  word = word.substr(0, word.find_first_of(" \t\r\n:(["));
  const auto found = std::ranges::find(kVisibilityWords, word, &VisibilityWord::word);
  return found == kVisibilityWords.end() ? Visibility::unsaid : found->visibility;
}

}  // namespace lode
