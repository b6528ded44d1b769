#include "syntax/mentions.h"

#include <array>

namespace lode {
namespace {

// Letters beyond ASCII belong to words.
bool in_word(char c) {
  const auto lower = c | 32;
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 128;
}

bool stands_alone(std::string_view text, std::size_t at, std::string_view name) {
  const auto end = at + name.size();
  const bool joined_before = at > 0 && in_word(name.front()) && in_word(text[at - 1]);
  const bool joined_after = end < text.size() && in_word(name.back()) && in_word(text[end]);
  return !joined_before && !joined_after;
}

// Tokens of prose, by what the grammars call them.
bool is_prose(std::string_view type) {
  static constexpr std::array<std::string_view, 5> kProse{"comment", "string", "content", "text",
                                                          "fragment"};
  for (const auto word : kProse) {
    if (type.find(word) != type.npos) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> places_of(std::string_view text, std::string_view name) {
  std::vector<std::uint32_t> places;
  if (name.empty()) return places;
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
    if (stands_alone(text, at, name)) places.push_back(static_cast<std::uint32_t>(at));
  }
  return places;
}

std::vector<Span> mentions_at(const Tree& tree, const std::vector<std::uint32_t>& places,
                              std::uint32_t length) {
  std::vector<Span> mentions;
  const auto root = tree.root();
  for (const auto place : places) {
    const auto node = ts_node_named_descendant_for_byte_range(root, place, place + length);
    const bool is_token = !ts_node_is_null(node) && ts_node_start_byte(node) == place &&
                          ts_node_end_byte(node) == place + length;
    if (is_token && !is_prose(ts_node_type(node))) mentions.push_back(span_of(node));
  }
  return mentions;
}

}  // namespace lode
