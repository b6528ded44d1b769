#include "search/stop_words.h"

#include <algorithm>
#include <array>

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

}  // namespace

bool is_stop_word(std::string_view word) {
  return std::binary_search(kWords.begin(), kWords.end(), word);
}

}  // namespace lode
