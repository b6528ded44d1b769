#include "search/postings.h"

#include <utility>

namespace lode {
namespace {

// A list turns dense when it has one in kDense documents, and back at one in
// kSparse; a short one is quick in any form.
constexpr std::uint64_t kShort = 512;
constexpr std::uint64_t kDense = 16;
constexpr std::uint64_t kSparse = 32;

bool suits_dense(std::uint64_t size, std::uint64_t documents) {
  return size >= kShort && size * kDense >= documents;
}

}  // namespace

void Postings::append(const Posting& posting) {
  if (dense_) {
    dense_->append(posting);
  } else {
    sparse_.append(posting, last_);
  }
  last_ = posting.document;
  most_ = std::max(most_, posting.count);
  ++living_;
  choose_form(posting.document + 1);
}

Postings::Filler Postings::fill(const Tally& tally, std::uint32_t documents) {
  last_ = tally.last;
  living_ = tally.documents;
  most_ = tally.most;
  Filler filler;
  if (suits_dense(living_, documents)) {
    dense_ = std::make_unique<DenseList>();
    filler.dense_ = dense_.get();
  } else {
    filler.at_ = sparse_.fill(tally.bytes);
  }
  return filler;
}

void Postings::choose_form(std::uint32_t documents) {
  const std::uint64_t size = std::uint64_t{living_} + dead_;
  if (dense_ ? size * kSparse < documents : suits_dense(size, documents)) turn();
}

void Postings::turn() {
  PostingList sparse;
  auto dense = dense_ ? nullptr : std::make_unique<DenseList>();
  std::uint32_t last = 0;
  each([&](const Posting& posting) {
    if (dense) {
      dense->append(posting);
    } else {
      sparse.append(posting, last);
      last = posting.document;
    }
  });
  sparse_ = std::move(sparse);
  dense_ = std::move(dense);
}

}  // namespace lode
