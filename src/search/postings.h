// The documents that have a term, and how often each has it, in the form that
// suits their number: as distances (search/posting_list.h) or, if the term is
// common, as bits (search/dense_list.h).
//
// Documents are appended in ascending order. Those that die stay in the list and
// are counted, until their number makes it worth to be rewritten.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "search/dense_list.h"
#include "search/posting_list.h"

namespace lode {

class Postings {
 public:
  // What there will be in a list.
  struct Tally {
    std::uint32_t documents = 0;
    std::uint32_t bytes = 0;  // as distances
    std::uint32_t last = 0;   // the document counted last
    std::uint32_t most = 0;   // the greatest count

    void add(const Posting& posting) {
      ++documents;
      bytes += varint_size(posting.document - last) + varint_size(posting.count);
      last = posting.document;
      most = std::max(most, posting.count);
    }
  };
  // Writes what was counted.
  class Filler {
   public:
    void append(const Posting& posting) {
      if (dense_ != nullptr) return dense_->append(posting);
      at_ = write_varint(at_, posting.document - last_);
      at_ = write_varint(at_, posting.count);
      last_ = posting.document;
    }
    // Brings the place of the next append near.
    void prefetch() const { __builtin_prefetch(at_, 1); }

   private:
    friend class Postings;
    char* at_ = nullptr;
    DenseList* dense_ = nullptr;
    std::uint32_t last_ = 0;
  };

  // Makes an empty list one of what was counted, which is to be appended to the
  // filler before anything else is asked. documents: how many there are in all.
  Filler fill(const Tally& tally, std::uint32_t documents);

  // REQUIRES: posting.document is greater than all before.
  void append(const Posting& posting);
  // One of the documents has died.
  void bury() { --living_, ++dead_; }

  std::uint32_t living() const { return living_; }
  std::uint32_t dead() const { return dead_; }
  // No count is greater.
  std::uint32_t most() const { return most_; }

  // Null: the other form.
  const DenseList* dense() const { return dense_.get(); }
  const PostingList& sparse() const { return sparse_; }

  // Calls f(posting) for each, the dead among them, in ascending order.
  template <class F>
  void each(const F& f) const {
    Posting posting;
    for (PostingList::Cursor cursor(sparse_); cursor.next(posting);) f(posting);
    if (!dense_) return;
    WindowBits all;
    all.fill(~std::uint64_t{0});
    for (std::size_t place = 0; place < dense_->windows(); ++place) {
      dense_->each(place, all, [&](std::uint32_t document, std::uint32_t count) {
        f(Posting{document, count});
      });
    }
  }

  // Of memory besides the object itself.
  std::size_t heap_bytes() const {
    return sparse_.heap_bytes() + (dense_ ? dense_->heap_bytes() : 0);
  }

 private:
  void choose_form(std::uint32_t documents);
  void turn();

  PostingList sparse_;
  std::unique_ptr<DenseList> dense_;
  std::uint32_t last_ = 0;  // the document appended last
  std::uint32_t living_ = 0;
  std::uint32_t dead_ = 0;
  std::uint32_t most_ = 0;
};

}  // namespace lode
