#include "base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace lode {
namespace {

constexpr std::size_t kMaxWord = 64;  // longer ones are not misspelt names

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein's distance, row by row.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  if (word.size() > kMaxWord) return best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto candidate : candidates) {
    const auto wrong = candidate.size() > kMaxWord ? least : distance(word, candidate);
    if (wrong >= least || wrong >= candidate.size()) continue;
    least = wrong;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto found = nearest(word, candidates);
  if (found.empty()) return {};
  return std::string(" (did you mean \"").append(found).append("\"?)");
}

}  // namespace lode
