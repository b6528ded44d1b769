#include "engine/policy_key.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace lode {
namespace {

using Texts = std::vector<std::string>;

// The longest whole segment of plain text after the prefix. Alternatives, sets
// and escapes are not looked into. (The '/' of a "**/" may match nothing, but
// only where another '/' or the beginning stands before it.)
std::string_view plain_segment(std::string_view pattern, std::size_t prefix) {
  if (pattern.find_first_of("{}[]\\") != std::string_view::npos) return {};
  std::string_view longest;
  auto slash = pattern.find('/', prefix > 0 ? prefix - 1 : 0);
  while (slash != std::string_view::npos) {
    const auto end = pattern.find('/', slash + 1);
    const auto segment = pattern.substr(slash + 1, end - slash - 1);
    const bool plain = segment.find_first_of("*?") == std::string_view::npos;
    if (plain && segment.size() > longest.size()) longest = segment;
    slash = end;
  }
  return longest;
}

// Writes a glob out without its braces. REQUIRES: the glob is well-formed.
class Branches {
 public:
  explicit Branches(std::string_view glob) : rest_(glob) {}

  // Nothing: there are too many.
  std::optional<Texts> all() {
    auto texts = sequence(false);
    if (too_many_) return std::nullopt;
    return texts;
  }

 private:
  // Up to the end or, inside braces, to the ',' or '}' that ends it.
  Texts sequence(bool inside) {
    Texts texts(1);
    while (!too_many_ && !rest_.empty() && !(inside && (rest_[0] == ',' || rest_[0] == '}'))) {
      if (rest_[0] == '{') {
        texts = product(texts, alternatives());
      } else {
        const auto piece = take(plain_size());
        for (auto& text : texts) text.append(piece);
      }
    }
    return texts;
  }

  Texts alternatives() {
    Texts texts;
    do {  // past the '{' or the ','
      take(1);
      auto more = sequence(true);
      std::move(more.begin(), more.end(), std::back_inserter(texts));
      too_many_ |= texts.size() > PolicyKey::kMaxBranches;
    } while (!too_many_ && rest_.starts_with(','));
    if (!too_many_) take(1);
    return texts;
  }

  Texts product(const Texts& heads, const Texts& tails) {
    Texts texts;
    too_many_ |= heads.size() * tails.size() > PolicyKey::kMaxBranches;
    if (too_many_) return texts;
    for (const auto& head : heads) {
      for (const auto& tail : tails) texts.push_back(head + tail);
    }
    return texts;
  }

  // How much of the rest is one piece: an escape, a set, or a character.
  std::size_t plain_size() const {
    if (rest_[0] == '\\') return 2;
    if (rest_[0] != '[') return 1;
    std::size_t at = rest_.size() > 1 && (rest_[1] == '!' || rest_[1] == '^') ? 2 : 1;
    for (bool first = true; first || rest_[at] != ']'; first = false) {
      at += rest_[at] == '\\' ? 2 : 1;
      if (at >= rest_.size()) return rest_.size();
    }
    return at + 1;
  }

  std::string_view take(std::size_t size) {
    const auto piece = rest_.substr(0, size);
    rest_.remove_prefix(piece.size());
    return piece;
  }

  std::string_view rest_;
  bool too_many_ = false;
};

}  // namespace

PolicyKey PolicyKey::of(const Glob& glob) {
  const auto prefix = glob.literal_prefix();
  const auto ending = glob.literal_suffix();
  return {std::string(prefix), std::string(plain_segment(glob.text(), prefix.size())),
          std::string(ending.substr(ending.size() - std::min(ending.size(), kMaxEnding)))};
}

std::vector<PolicyKey> PolicyKey::branches_of(const Glob& glob) {
  std::vector<PolicyKey> keys;
  const auto texts = Branches(glob.text()).all();
  if (!texts || texts->size() < 2) return {of(glob)};
  for (const auto& text : *texts) {
    const auto branch = Glob::parse(text);
    if (!branch) return {of(glob)};
    keys.push_back(of(*branch));
  }
  return keys;
}

}  // namespace lode
