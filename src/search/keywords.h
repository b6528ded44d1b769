// The words that say most about some documents.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "search/corpus.h"

namespace lode {

struct Keyword {
  std::string text;           // as it stands in some document, not the stem
  double weight = 0;          // the sum of its TF-IDF weights in the documents
  std::size_t documents = 0;  // of the whole index, that have it
};

// The heaviest, heaviest first; those that weigh the same by term. Stop words,
// single letters and numbers are left out. Costs the documents' terms, and the
// vocabulary.
std::vector<Keyword> heaviest_words(const Corpus& corpus, std::span<const DocId> documents,
                                    std::size_t count);

}  // namespace lode
