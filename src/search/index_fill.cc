#include "search/index_fill.h"

#include <utility>

#include "search/index_terms.h"

namespace lode {

IndexFill::IndexFill(Index& index, std::size_t documents)
    : index_(index), corpus_(std::make_unique<Corpus>()) {
  const Lock lock(mutex_);
  corpus_->defer(documents);
}

IndexFill::~IndexFill() = default;

Status IndexFill::put(const Index::Document& document) {
  if (auto valid = index_.check_key(document.key); !valid) return valid;
  const auto terms = index_.terms_of(document);
  const Lock lock(mutex_);
  // The postings, which are still to be made, take about as much again.
  return index_.add_to(*corpus_, document, terms, index_.limits_.bytes / 2);
}

Status IndexFill::finish() {
  const Lock lock(mutex_);
  if (!corpus_->settle()) return Error{Code::internal, "two documents have one key", {}};
  const Lock writer(index_.writer_);
  index_.saved_ = false;
  index_.replace(std::move(corpus_));
  return {};
}

}  // namespace lode
