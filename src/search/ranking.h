// Which documents answer a query best.
//
// TF-IDF. A document is a vector with one number for each of its terms,
//
//   w(t, d) = (1 + ln count(t, d)) · idf(t),   idf(t) = ln((1 + N) / (1 + df(t))) + 1
//
// and so is a query; the score is the cosine of the angle between them: above 0
// for any common term, 1 for the same words in the same numbers, with one
// document as with many. A word of the query that no document has makes its
// vector longer and so all scores smaller.
//
// The length of a document's vector depends on idf, which every addition
// changes for many documents. It is therefore not kept but computed, from the
// document's own terms, and only if a lower bound that is kept (search/norms.h)
// does not show that the document cannot be among the best. So scores are exact at
// any time and additions stay cheap.
//
// BM25. The sum over the query's terms of
//
//   ln(1 + (N - df + 0.5) / (df + 0.5)) · count · (k1 + 1) / (count + k1 · (1 - b + b · length /
//   average))
//
// with k1 = 1.2, b = 0.75: above 0, without an upper end.
//
// Either is multiplied with what the document is worth (Corpus::worth), which is at most
// one: a bound of the sum is one of the score.
//
// Neither touches documents without a term of the query; and once there are as many
// hits as are wanted, both pass over most of what cannot be better than the worst
// of these (search/sieve.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/corpus.h"

namespace lode {

enum class Scoring : std::uint8_t { bm25, tfidf };

struct QueryTerm {
  std::optional<TermId> term;  // nothing: no document has it
  std::uint32_t count = 0;
};

struct RankOptions {
  std::size_t count = 0;  // how many
  Scoring scoring = Scoring::bm25;
  const std::vector<bool>* kinds = nullptr;  // by number; null: all
  std::optional<DocId> except = {};
};

struct Ranked {
  DocId document = 0;
  double score = 0;
};

// The best, best first; those with the same score by key.
std::vector<Ranked> rank(const Corpus& corpus, const std::vector<QueryTerm>& query,
                         const RankOptions& options);

// The length of a document's vector of TF-IDF weights.
double norm(const Corpus& corpus, DocId document);

// Keeps the terms that weigh most, if there are more than so many.
void keep_heaviest(const Corpus& corpus, std::vector<QueryTerm>& query, std::size_t most);

}  // namespace lode
