#include "search/corpus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace lode {
namespace {

// So few dead are not worth the work.
constexpr std::size_t kDeadDocuments = 1024;
constexpr std::size_t kDeadBytes = std::size_t{1} << 20;
constexpr std::size_t kDeadTerms = 16 * 1024;

// Fewer documents need no layers. Layers are made for a few documents less than
// there are, and anew when there are a few more: the logarithms of both.
constexpr std::size_t kLayered = 4 * kWindow;
constexpr double kLoss = 0.02;
constexpr double kGrowth = 0.08;

}  // namespace

double count_weight(std::uint32_t count) {
  static const auto kFirst = [] {
    std::array<double, 128> weights{};
    for (std::size_t n = 1; n < weights.size(); ++n) {
      weights[n] = 1 + std::log(static_cast<double>(n));
    }
    return weights;
  }();
  return count < kFirst.size() ? kFirst[count] : 1 + std::log(static_cast<double>(count));
}

TermId Corpus::intern(std::string_view term, std::string_view surface) {
  const TermId id = vocabulary_.intern(term, surface);
  if (id == terms_.size()) {
    terms_.emplace_back();
    log_df_.push_back(0);
    ceilings_.push_back(Norms::kSlack);
    if (deferring_) tallies_.emplace_back();
  }
  return id;
}

std::optional<KindId> Corpus::intern_kind(std::string_view name) {
  const auto found = std::find(kinds_.begin(), kinds_.end(), name);
  if (found != kinds_.end()) return static_cast<KindId>(found - kinds_.begin());
  if (kinds_.size() == std::numeric_limits<KindId>::max()) return std::nullopt;
  kinds_.emplace_back(name);
  return static_cast<KindId>(kinds_.size() - 1);
}

bool Corpus::add(const Record& record, std::span<const TermCount> terms) {
  std::string forward;
  TermId last = 0;
  for (const auto& [term, count] : terms) {
    put_varint(forward, term - last);
    put_varint(forward, count);
    last = term;
  }
  Document document;
  document.key = static_cast<std::uint32_t>(record.key.size());
  document.title = static_cast<std::uint32_t>(record.title.size());
  document.terms = static_cast<std::uint32_t>(forward.size());
  document.title_ends_key = record.key.ends_with(record.title);
  document.stamp = record.stamp;
  char* at = blocks_.add(document.bytes());
  document.block = at;
  const auto title = document.title_ends_key ? std::string_view() : record.title;
  for (const std::string_view piece : {record.key, title, std::string_view(forward)}) {
    at = std::copy(piece.begin(), piece.end(), at);
  }
  const auto id = static_cast<DocId>(documents_.size());
  if (!note(record, document)) {
    blocks_.give_back(document.bytes());
    return false;
  }
  if (deferring_) {
    for (const auto& [term, count] : terms) tallies_[term].add({id, count});
    return true;
  }
  Norms::Sums sums;
  for (const auto& [term, count] : terms) {
    append_posting(term, {id, count});
    sums.add(count_weight(count), ceilings_[term]);
  }
  norms_.append(sums);
  layers_.lengths.lower(id, static_cast<float>(record.length));
  lower_norm(id);
  count_documents();
  return true;
}

bool Corpus::note(const Record& record, const Document& document) {
  if (!deferring_ && keys_.contains(record.key)) return false;
  documents_.push_back(document);
  if (!deferring_) keys_.insert(static_cast<DocId>(documents_.size() - 1));
  block_bytes_ += document.bytes();
  dead_.push_back(false);
  lengths_.push_back(record.length);
  kinds_of_.push_back(record.kind);
  worths_.push_back(record.worth);
  total_length_ += record.length;
  return true;
}

bool Corpus::remove(std::string_view key) {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return false;
  const DocId id = *found;
  keys_.erase(found);
  dead_[id] = true;
  ++dead_count_;
  each_term(id, [&](TermId term, std::uint32_t) { remove_posting(term); });
  const auto& document = documents_[id];
  total_length_ -= lengths_[id];
  block_bytes_ -= document.bytes();
  dead_bytes_ += document.bytes();
  count_documents();
  return true;
}

// The postings that were there follow the ceiling; the new one is of a document
// whose sums are yet to be made.
void Corpus::append_posting(TermId id, const Posting& posting) {
  auto& postings = terms_[id];
  log_df_[id] = std::log1p(static_cast<float>(postings.living() + 1));
  if (log_df_[id] > ceilings_[id]) set_ceiling(id);
  posting_bytes_ -= postings.heap_bytes();
  postings.append(posting);
  posting_bytes_ += postings.heap_bytes();
  if (postings.living() == 1) ++living_terms_;
}

void Corpus::remove_posting(TermId id) {
  auto& postings = terms_[id];
  postings.bury();
  log_df_[id] = std::log1p(static_cast<float>(postings.living()));
  if (postings.living() == 0) --living_terms_;
  if (postings.dead() > postings.living()) rewrite(id);
}

void Corpus::rewrite(TermId id) {
  Postings living;
  terms_[id].each([&](const Posting& posting) {
    if (alive(posting.document)) living.append(posting);
  });
  posting_bytes_ += living.heap_bytes();
  posting_bytes_ -= terms_[id].heap_bytes();
  terms_[id] = std::move(living);
  set_ceiling(id);
}

void Corpus::set_ceiling(TermId id) {
  const float from = ceilings_[id];
  const float to = log_df_[id] + Norms::kSlack;
  terms_[id].each([&](const Posting& posting) {
    norms_.shift(posting.document, count_weight(posting.count), from, to);
    lower_norm(posting.document);
  });
  ceilings_[id] = to;
}

void Corpus::count_documents() { log_documents_ = std::log1p(static_cast<double>(documents())); }

void Corpus::lower_norm(DocId id) {
  if (layers_.norms.empty()) return;
  layers_.norms.lower(id, static_cast<float>(norms_.bound(id, layers_.log_documents)));
}

bool Corpus::layers_due() const {
  return documents_.size() >= kLayered &&
         (!has_norm_strata() || log_documents_ > layers_.log_documents + kGrowth);
}

Corpus::Layers Corpus::make_layers() const {
  Layers layers;
  layers.log_documents = log_documents_ - kLoss;
  std::vector<float> magnitudes(lengths_.begin(), lengths_.end());
  layers.lengths.rebuild(magnitudes);
  for (DocId id = 0; id < magnitudes.size(); ++id) {
    magnitudes[id] = static_cast<float>(norms_.bound(id, layers.log_documents));
  }
  layers.norms.rebuild(magnitudes);
  return layers;
}

std::optional<DocId> Corpus::find(std::string_view key) const {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return std::nullopt;
  return *found;
}

std::vector<DocId> Corpus::living() const {
  std::vector<DocId> ids;
  ids.reserve(documents());
  for (DocId id = 0; id < documents_.size(); ++id) {
    if (alive(id)) ids.push_back(id);
  }
  return ids;
}

Corpus::Record Corpus::record(DocId id) const {
  const auto& document = documents_[id];
  return {key(id),
          {document.block + document.key - (document.title - document.own_title()), document.title},
          kinds_of_[id],
          document.stamp,
          lengths_[id],
          worths_[id]};
}

std::size_t Corpus::bytes() const {
  // The set keeps a byte of its own for each place.
  return sizeof(*this) + vocabulary_.bytes() + terms_.capacity() * sizeof(Postings) +
         (log_df_.capacity() + ceilings_.capacity()) * sizeof(float) + posting_bytes_ +
         documents_.capacity() * sizeof(Document) + blocks_.bytes() + dead_.capacity() / 8 +
         lengths_.capacity() * sizeof(std::uint32_t) + kinds_of_.capacity() * sizeof(KindId) +
         worths_.capacity() + norms_.heap_bytes() + layers_.lengths.heap_bytes() +
         layers_.norms.heap_bytes() + keys_.bucket_count() * (sizeof(DocId) + 1);
}

bool Corpus::wasteful() const {
  return dead_count_ > documents() + kDeadDocuments || dead_bytes_ > block_bytes_ + kDeadBytes ||
         terms_.size() - living_terms_ > living_terms_ + kDeadTerms;
}

}  // namespace lode
