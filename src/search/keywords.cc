#include "search/keywords.h"

#include <algorithm>

#include "search/stop_words.h"

namespace lode {
namespace {

bool is_telling(std::string_view term) {
  const bool number = term.find_first_not_of("0123456789") == std::string_view::npos;
  return term.size() > 1 && !number && !is_stop_word(term);
}

}  // namespace

std::vector<Keyword> heaviest_words(const Corpus& corpus, std::span<const DocId> documents,
                                    std::size_t count) {
  const auto& vocabulary = corpus.vocabulary();
  std::vector<double> weights(vocabulary.size());
  for (const DocId id : documents) {
    corpus.each_term(id, [&](TermId term, std::uint32_t n) { weights[term] += count_weight(n); });
  }
  std::vector<TermId> order;
  for (TermId id = 0; id < weights.size(); ++id) {
    if (weights[id] == 0 || !is_telling(vocabulary.term(id))) continue;
    weights[id] *= corpus.idf(id);
    order.push_back(id);
  }
  count = std::min(count, order.size());
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(order.begin(), end, order.end(), [&](TermId a, TermId b) {
    if (weights[a] != weights[b]) return weights[a] > weights[b];
    return vocabulary.term(a) < vocabulary.term(b);
  });
  order.resize(count);
  std::vector<Keyword> words;
  words.reserve(count);
  for (const TermId id : order) {
    words.push_back({std::string(vocabulary.surface(id)), weights[id], corpus.df(id)});
  }
  return words;
}

}  // namespace lode
