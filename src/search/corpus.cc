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
constexpr std::size_t kDeadTerms = 16 * 1024;

// A posting goes to a place in memory that was not used for long. To ask for
// the places some terms ahead almost halves the time to load an index.
constexpr std::size_t kAhead = 8;

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

void Corpus::add(const Record& record, std::span<const TermCount> terms) {
  const auto id = static_cast<DocId>(documents_.size());
  std::string forward;
  double squares = 0;
  TermId last = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto& [term, count] = terms[i];
    if (i + 2 * kAhead < terms.size()) __builtin_prefetch(&terms_[terms[i + 2 * kAhead].term], 1);
    if (i + kAhead < terms.size()) terms_[terms[i + kAhead].term].postings.prefetch();
    put_varint(forward, term - last);
    put_varint(forward, count);
    append_posting(term, {id, count});
    squares += count_weight(count) * count_weight(count);
    last = term;
  }
  Document document;
  const std::size_t size = record.key.size() + record.title.size() + forward.size();
  document.block = std::make_unique_for_overwrite<char[]>(size);
  char* at = document.block.get();
  for (const std::string_view piece : {record.key, record.title, std::string_view(forward)}) {
    at = std::copy(piece.begin(), piece.end(), at);
  }
  document.key = static_cast<std::uint32_t>(record.key.size());
  document.title = static_cast<std::uint32_t>(record.title.size());
  document.terms = static_cast<std::uint32_t>(forward.size());
  document.length = record.length;
  document.stamp = record.stamp;
  document.flat_norm = static_cast<float>(std::sqrt(squares));
  document.kind = record.kind;
  documents_.push_back(std::move(document));
  dead_.push_back(false);
  keys_.insert(id);
  block_bytes_ += size;
  total_length_ += record.length;
  count_documents();
}

bool Corpus::remove(std::string_view key) {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return false;
  const DocId id = *found;
  keys_.erase(found);
  dead_[id] = true;
  ++dead_count_;
  each_term(id, [&](TermId term, std::uint32_t) { remove_posting(term); });
  auto& document = documents_[id];
  total_length_ -= document.length;
  block_bytes_ -= document.key + document.title + document.terms;
  document = Document();
  count_documents();
  return true;
}

void Corpus::append_posting(TermId id, const Posting& posting) {
  auto& term = terms_[id];
  posting_bytes_ -= term.postings.heap_bytes();
  term.postings.append(posting, term.last);
  posting_bytes_ += term.postings.heap_bytes();
  term.last = posting.document;
  set_living(id, term.living + 1);
}

void Corpus::remove_posting(TermId id) {
  auto& term = terms_[id];
  set_living(id, term.living - 1);
  if (++term.dead > term.living) rewrite(term);
}

void Corpus::rewrite(Term& term) {
  PostingList living;
  std::uint32_t last = 0;
  Posting posting;
  for (PostingList::Cursor cursor(term.postings); cursor.next(posting);) {
    if (!alive(posting.document)) continue;
    living.append(posting, last);
    last = posting.document;
  }
  posting_bytes_ += living.heap_bytes();
  posting_bytes_ -= term.postings.heap_bytes();
  term.postings = std::move(living);
  term.last = last;
  term.dead = 0;
}

void Corpus::set_living(TermId id, std::uint32_t living) {
  auto& term = terms_[id];
  if (term.living == 0) ++living_terms_;
  if (living == 0) --living_terms_;
  term.living = living;
  log_df_[id] = std::log1p(static_cast<float>(living));
}

void Corpus::count_documents() { log_documents_ = std::log1p(static_cast<double>(documents())); }

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
          {document.block.get() + document.key, document.title},
          document.kind,
          document.stamp,
          document.length};
}

std::size_t Corpus::bytes() const {
  // The set keeps a byte of its own for each place.
  return sizeof(*this) + vocabulary_.bytes() + terms_.capacity() * sizeof(Term) +
         log_df_.capacity() * sizeof(float) + posting_bytes_ +
         documents_.capacity() * sizeof(Document) + block_bytes_ + dead_.capacity() / 8 +
         keys_.bucket_count() * (sizeof(DocId) + 1);
}

bool Corpus::wasteful() const {
  return dead_count_ > documents() + kDeadDocuments ||
         terms_.size() - living_terms_ > living_terms_ + kDeadTerms;
}

std::unique_ptr<Corpus> Corpus::compacted() const {
  auto compact = std::make_unique<Corpus>();
  compact->kinds_ = kinds_;
  std::vector<TermId> renamed(terms_.size());
  for (TermId id = 0; id < terms_.size(); ++id) {
    if (df(id) > 0) renamed[id] = compact->intern(vocabulary_.term(id), vocabulary_.surface(id));
  }
  std::vector<TermCount> terms;
  for (const DocId id : living()) {
    terms.clear();
    each_term(id, [&](TermId term, std::uint32_t n) { terms.push_back({renamed[term], n}); });
    compact->add(record(id), terms);
  }
  return compact;
}

}  // namespace lode
