// Many documents at once: the postings are made when all are there, each list in one piece.
#include <cassert>
#include <cmath>
#include <thread>

#include "search/corpus.h"

namespace lode {
namespace {

// So many documents are worth a thread.
constexpr std::size_t kMany = 10'000;

}  // namespace

void Corpus::expect_terms(std::size_t terms) {
  vocabulary_.reserve(terms);
  terms_.reserve(terms);
  log_df_.reserve(terms);
  ceilings_.reserve(terms);
}

void Corpus::defer(std::size_t documents) {
  assert(documents_.empty());
  deferring_ = true;
  tallies_.resize(terms_.size());
  documents_.reserve(documents);
  dead_.reserve(documents);
  lengths_.reserve(documents);
  kinds_of_.reserve(documents);
  worths_.reserve(documents);
  norms_.reserve(documents);
  keys_.reserve(documents);
}

bool Corpus::add_standing(const Record& record, std::string_view terms) {
  Document document;
  document.block = record.key.data();
  document.key = static_cast<std::uint32_t>(record.key.size());
  document.title = static_cast<std::uint32_t>(record.title.size());
  document.terms = static_cast<std::uint32_t>(terms.size());
  document.title_ends_key = record.title.data() != record.key.data() + record.key.size();
  document.stamp = record.stamp;
  return tally(static_cast<DocId>(documents_.size()), terms) && note(record, document);
}

// Numbers that are longer than they need be are none that each_term() can read.
bool Corpus::tally(DocId id, std::string_view terms) {
  std::size_t bytes = 0;
  std::uint64_t term = 0;
  for (VarintReader in(terms); !in.at_end();) {
    const auto distance = in.number32();
    const auto count = in.number32();
    term += distance;
    if (!in.ok() || count == 0 || (distance == 0 && bytes > 0) || term >= tallies_.size()) {
      return false;
    }
    bytes += varint_size(distance) + varint_size(count);
    tallies_[term].add({id, count});
  }
  return bytes == terms.size();
}

bool Corpus::settle() {
  deferring_ = false;
  count_documents();
  bool distinct = false;
  const auto fill = [&] { distinct = fill_keys(); };
  {
    // The two have nothing in common but what neither changes.
    std::jthread beside;
    if (documents_.size() >= kMany) {
      beside = std::jthread(fill);
    } else {
      fill();
    }
    fill_postings();
  }
  if (layers_due()) set_layers(make_layers());
  return distinct;
}

bool Corpus::fill_keys() {
  for (DocId id = 0; id < documents_.size(); ++id) {
    // Numbers in the set are equal if they are the same: the key is looked for itself.
    if (keys_.contains(key(id))) return false;
    keys_.insert(id);
  }
  return true;
}

void Corpus::fill_postings() {
  std::vector<Postings::Filler> fillers;
  fillers.reserve(terms_.size());
  const auto documents = static_cast<std::uint32_t>(documents_.size());
  for (TermId id = 0; id < terms_.size(); ++id) {
    fillers.push_back(terms_[id].fill(tallies_[id], documents));
    log_df_[id] = std::log1p(static_cast<float>(tallies_[id].documents));
    ceilings_[id] = log_df_[id] + Norms::kSlack;
    living_terms_ += tallies_[id].documents > 0 ? 1 : 0;
  }
  tallies_ = {};
  std::vector<TermCount> terms;
  for (DocId id = 0; id < documents; ++id) {
    terms.clear();
    each_term(id, [&](TermId term, std::uint32_t count) {
      terms.push_back({term, count});
      fillers[term].prefetch();
    });
    Norms::Sums sums;
    for (const auto& [term, count] : terms) {
      fillers[term].append({id, count});
      sums.add(count_weight(count), ceilings_[term]);
    }
    norms_.append(sums);
  }
  for (const auto& postings : terms_) posting_bytes_ += postings.heap_bytes();
}

std::unique_ptr<Corpus> Corpus::compacted() const {
  auto compact = std::make_unique<Corpus>();
  compact->kinds_ = kinds_;
  std::vector<TermId> renamed(terms_.size());
  for (TermId id = 0; id < terms_.size(); ++id) {
    if (df(id) > 0) renamed[id] = compact->intern(vocabulary_.term(id), vocabulary_.surface(id));
  }
  compact->defer(documents());
  std::vector<TermCount> terms;
  for (const DocId id : living()) {
    terms.clear();
    each_term(id, [&](TermId term, std::uint32_t n) { terms.push_back({renamed[term], n}); });
    compact->add(record(id), terms);
  }
  compact->settle();
  return compact;
}

}  // namespace lode
