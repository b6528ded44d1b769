// One term of a query on its way through its postings, a window at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/postings.h"

namespace lode {

class Lane {
 public:
  // A posting adds factor · part to the score of its document, where part grows
  // with the count; and never more than `most`.
  Lane(const Postings& postings, double factor, double most)
      : dense_(postings.dense()),
        cursor_(postings.sparse()),
        factor_(factor),
        most_(most),
        size_(postings.living() + postings.dead()),
        most_count_(postings.most()) {
    if (dense_ == nullptr) more_ = cursor_.next(at_);
  }

  // How many postings.
  std::uint32_t size() const { return size_; }
  double factor() const { return factor_; }
  double most() const { return most_; }
  // No count is greater; and none but those of the loud.
  std::uint32_t most_count() const { return most_count_; }
  std::uint32_t modest_count() const { return dense_ != nullptr ? dense_->modest() : most_count_; }

  bool done() const { return dense_ != nullptr ? place_ >= dense_->windows() : !more_; }
  // The window of the next posting. REQUIRES: it is not done.
  std::size_t place() const { return dense_ != nullptr ? place_ : at_.document / kWindow; }

  // Null: the documents are not known as bits.
  const DenseList* dense() const { return dense_; }

  // Calls f(document, count) for the postings of a window that are in the mask.
  // REQUIRES: no later window was visited.
  template <class F>
  void visit(std::size_t place, const WindowBits& mask, const F& f) {
    if (done() || this->place() != place) return;
    if (dense_ != nullptr) {
      dense_->each(place, mask, f);
      ++place_;
      return;
    }
    for (; more_ && at_.document / kWindow == place; more_ = cursor_.next(at_)) {
      if (has_bit(mask, at_.document % kWindow)) f(at_.document, at_.count);
    }
  }

 private:
  const DenseList* dense_;
  PostingList::Cursor cursor_;
  double factor_;
  double most_;
  std::uint32_t size_;
  std::uint32_t most_count_;
  std::size_t place_ = 0;
  Posting at_;
  bool more_ = true;
};

}  // namespace lode
