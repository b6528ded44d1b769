// The words that say most about some documents.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "search/corpus.h"

namespace lode {

struct Keyword {
  std::string text;           // as it stands in some document of the index, not the stem
  double weight = 0;          // the sum of its weights in the documents
  std::size_t documents = 0;  // of those that were looked at, that have it
  std::string term;           // as it is indexed (search/analyzer.h)
  std::string key;            // of the document that says it most, among those looked at
};

// The heaviest, heaviest first; those that weigh the same by term.
//
// A word weighs by how much it tells these documents apart: how often each says it, times a
// power of its inverse document frequency, both among these documents alone, so that others
// have no say. The power puts words of some documents before words of many: the sum is largest
// for those of about every fifth. Of more than a handful of documents, what over half of them
// say is no keyword. Nor are stop words, single letters, numbers, dates, versions and ids.
// Costs the documents' terms, and the vocabulary.
std::vector<Keyword> heaviest_words(const Corpus& corpus, std::span<const DocId> documents,
                                    std::size_t count);

}  // namespace lode
