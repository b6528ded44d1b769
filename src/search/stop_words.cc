#include "search/stop_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lode {
namespace {

// Articles, pronouns, prepositions, conjunctions, auxiliary verbs, and what is
// left of the latter before "n't". Sorted.
constexpr auto kWords = std::to_array<std::string_view>({
    "a",       "about",   "above",   "after",      "again",  "against", "all",      "also",
    "am",      "an",      "and",     "any",        "are",    "aren",    "as",       "at",
    "be",      "because", "been",    "before",     "being",  "below",   "between",  "both",
    "but",     "by",      "can",     "cannot",     "could",  "couldn",  "did",      "didn",
    "do",      "does",    "doesn",   "doing",      "during", "each",    "either",   "few",
    "for",     "from",    "further", "had",        "hadn",   "has",     "hasn",     "have",
    "having",  "he",      "her",     "here",       "hers",   "herself", "him",      "himself",
    "his",     "how",     "i",       "if",         "in",     "into",    "is",       "isn",
    "it",      "its",     "itself",  "me",         "more",   "most",    "my",       "myself",
    "neither", "no",      "nor",     "not",        "of",     "on",      "only",     "or",
    "other",   "our",     "ours",    "ourselves",  "own",    "same",    "shall",    "she",
    "should",  "shouldn", "so",      "some",       "such",   "than",    "that",     "the",
    "their",   "theirs",  "them",    "themselves", "then",   "there",   "these",    "they",
    "this",    "those",   "through", "to",         "too",    "under",   "until",    "upon",
    "very",    "was",     "wasn",    "we",         "were",   "weren",   "what",     "when",
    "where",   "which",   "while",   "who",        "whom",   "whose",   "why",      "will",
    "with",    "would",   "wouldn",  "you",        "your",   "yours",   "yourself", "yourselves",
});
static_assert(std::is_sorted(kWords.begin(), kWords.end()));

// Where the words of each letter begin, and after them those of the next: every word of every text
// is looked for, and most have the first letter of few of these.
constexpr std::size_t kLetters = 26;
constexpr auto kBegin = [] {
  std::array<std::size_t, kLetters + 1> begin{};
  for (const auto word : kWords) ++begin[static_cast<std::size_t>(word.front() - 'a') + 1];
  for (std::size_t i = 1; i <= kLetters; ++i) begin[i] += begin[i - 1];
  return begin;
}();

}  // namespace

bool is_stop_word(std::string_view word) {
  if (word.empty() || word.front() < 'a' || word.front() > 'z') return false;
  const auto letter = static_cast<std::size_t>(word.front() - 'a');
  return std::find(kWords.begin() + kBegin[letter], kWords.begin() + kBegin[letter + 1], word) !=
         kWords.begin() + kBegin[letter + 1];
}

}  // namespace lode
