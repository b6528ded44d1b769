// The documents of an index and the postings of their terms, both ways.
//
// Forward, a document has its terms and their counts in one block of memory
// (search/blocks.h) with its key and title. Inverted, a term has its documents and their counts
// (search/postings.h). Both are derived from the same additions. What a search
// asks of every document that it looks at (its length, its kind, a bound of its
// norm: search/norms.h) is kept apart from the rest, close together.
//
// A document that is added gets the next number, also if it replaces another;
// so postings are appended and nothing is moved: an addition costs its own
// terms, some times over. A document that is removed is marked. Its postings stay
// until they outnumber the living in their list, which is then rewritten; its
// number and its block stay until compacted() makes all anew, which is due when
// wasteful() says so.
//
// Invariants:
//  (1) The numbers of a posting list ascend.
//  (2) df(t) is the number of living documents that have t, exactly.
//  (3) In every posting list the dead are at most as many as the living, and a
//      term that nothing has holds no list.
//  (4) documents() and total_length() are those of the living.
//
// Many threads may read, or one may write.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/varint.h"
#include "search/blocks.h"
#include "search/norms.h"
#include "search/postings.h"
#include "search/strata.h"
#include "search/vocabulary.h"

namespace lode {

using DocId = std::uint32_t;
using KindId = std::uint16_t;

// What a term counts for that occurs so often: 1 + ln n.
double count_weight(std::uint32_t count);

class Corpus {
 public:
  static constexpr std::uint8_t kFullWorth = 100;  // nothing is worth more

  struct TermCount {
    TermId term = 0;
    std::uint32_t count = 0;
  };
  struct Record {
    std::string_view key;
    std::string_view title;
    KindId kind = 0;
    std::uint64_t stamp = 0;
    std::uint32_t length = 0;  // in words
    std::uint8_t worth = kFullWorth;
  };

  Corpus() = default;
  Corpus(const Corpus&) = delete;  // the set of keys refers to this object
  Corpus& operator=(const Corpus&) = delete;

  TermId intern(std::string_view term, std::string_view surface);
  // Makes room for so many terms.
  void expect_terms(std::size_t terms);
  // Nothing: there are 65,535 kinds already.
  std::optional<KindId> intern_kind(std::string_view name);

  // False: a living document has the key, and nothing was added; where all is deferred,
  // settle() says so. REQUIRES: the terms ascend, and their counts are not zero.
  bool add(const Record& record, std::span<const TermCount> terms);
  // False: no document has the key.
  bool remove(std::string_view key);

  // Who fills an empty corpus before anything is searched or removed may defer the
  // postings and what else searches need, and then have it all at once. documents: how many
  // will be added.
  void defer(std::size_t documents);
  // Keeps bytes in which documents stand as their blocks (see Document).
  void adopt(Buffer bytes) { blocks_.adopt(std::move(bytes)); }
  // Adds a document that stands in adopted bytes, while all is deferred. REQUIRES: the
  // title is the end of the key or follows it, and the terms follow these. False: the terms
  // are not such as each_term() can read.
  bool add_standing(const Record& record, std::string_view terms);
  // False: two documents have one key, and the corpus is of no use.
  bool settle();

  std::optional<DocId> find(std::string_view key) const;
  std::string_view key(DocId id) const { return {documents_[id].block, documents_[id].key}; }
  Record record(DocId id) const;
  bool alive(DocId id) const { return !dead_[id]; }
  // The numbers of all that are alive, ascending.
  std::vector<DocId> living() const;

  // Calls f(term, count) for each term of a document, in ascending order.
  template <class F>
  void each_term(DocId id, F f) const {
    const auto& document = documents_[id];
    const char* at = document.block + document.key + document.own_title();
    const char* const end = at + document.terms;
    for (TermId term = 0; at != end;) {
      term += next_varint(at);
      const std::uint32_t count = next_varint(at);
      f(term, count);
    }
  }
  std::uint32_t length(DocId id) const { return lengths_[id]; }
  KindId kind(DocId id) const { return kinds_of_[id]; }
  // What its scores are to be multiplied with: at most one.
  double worth(DocId id) const { return worths_[id] / static_cast<double>(kFullWorth); }
  // The vector of TF-IDF weights is at least as long as the root of this.
  double norm_bound(DocId id) const { return norms_.bound(id, log_documents_); }

  // All documents in layers: by their lengths, and by bounds of their norms as
  // these were when there were so many documents, or are with more of them.
  struct Layers {
    Strata lengths;
    Strata norms;
    double log_documents = 0;  // ln(1 + N)
  };
  const Strata& length_strata() const { return layers_.lengths; }
  const Strata& norm_strata() const { return has_norm_strata() ? layers_.norms : no_strata_; }
  // Whether the layers would be better for being made anew. Until then they serve.
  bool layers_due() const;
  Layers make_layers() const;
  void set_layers(Layers layers) { layers_ = std::move(layers); }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::vector<std::string>& kinds() const { return kinds_; }
  // The dead among them; see alive().
  const Postings& postings(TermId id) const { return terms_[id]; }
  std::uint32_t df(TermId id) const { return terms_[id].living(); }
  // ln((1 + documents) / (1 + df)) + 1: smoothed, never below one.
  double idf(TermId id) const { return log_documents_ + 1 - log_df_[id]; }
  // The same of a term that no document has.
  double idf_of_nothing() const { return log_documents_ + 1; }

  std::size_t documents() const { return documents_.size() - dead_count_; }
  // The dead too.
  std::size_t numbers() const { return documents_.size(); }
  std::size_t living_terms() const { return living_terms_; }
  std::uint64_t total_length() const { return total_length_; }
  // Of memory, counted by capacity.
  std::size_t bytes() const;
  // Of these, in files that are mapped.
  std::size_t mapped() const { return blocks_.mapped(); }

  bool wasteful() const;
  // The same without what is dead.
  std::unique_ptr<Corpus> compacted() const;

 private:
  struct Document {
    const char* block = nullptr;  // key, title (unless the key ends with it), terms
    std::uint32_t key = 0;        // their sizes
    std::uint32_t title = 0;
    std::uint32_t terms = 0;
    bool title_ends_key = false;
    std::uint64_t stamp = 0;

    std::size_t bytes() const { return std::size_t{key} + own_title() + terms; }
    std::uint32_t own_title() const { return title_ends_key ? 0 : title; }
  };
  // Numbers in the set stand for their documents' keys.
  struct Hash {
    using is_transparent = void;
    const Corpus* owner;
    std::size_t operator()(std::string_view key) const { return table_hash(key); }
    std::size_t operator()(DocId id) const { return (*this)(owner->key(id)); }
  };
  struct Equal {
    using is_transparent = void;
    const Corpus* owner;
    bool operator()(DocId a, DocId b) const { return a == b; }
    bool operator()(std::string_view key, DocId id) const { return key == owner->key(id); }
    bool operator()(DocId id, std::string_view key) const { return key == owner->key(id); }
  };

  // False: a document has the key.
  bool note(const Record& record, const Document& document);
  bool tally(DocId id, std::string_view terms);
  bool fill_keys();
  void fill_postings();
  void append_posting(TermId id, const Posting& posting);
  void remove_posting(TermId id);
  void rewrite(TermId id);
  void set_ceiling(TermId id);
  void count_documents();
  bool has_norm_strata() const { return log_documents_ >= layers_.log_documents; }
  void lower_norm(DocId id);

  Vocabulary vocabulary_;
  Blocks blocks_;
  std::vector<Postings> terms_;  // by number
  std::vector<float> log_df_;    // ln(1 + df), by number: all that a norm needs, close together
  std::vector<float> ceilings_;  // of log_df_; see search/norms.h
  std::vector<std::string> kinds_;
  std::vector<Document> documents_;  // by number
  std::vector<bool> dead_;
  std::vector<std::uint32_t> lengths_;
  std::vector<KindId> kinds_of_;
  std::vector<std::uint8_t> worths_;
  Norms norms_;
  Layers layers_;
  const Strata no_strata_;
  boost::unordered_flat_set<DocId, Hash, Equal> keys_{0, Hash{this}, Equal{this}};  // of the living

  bool deferring_ = false;
  std::vector<Postings::Tally> tallies_;  // by term, of what is deferred
  std::size_t dead_count_ = 0;
  std::size_t dead_bytes_ = 0;  // of their blocks
  std::size_t living_terms_ = 0;
  std::uint64_t total_length_ = 0;
  std::size_t block_bytes_ = 0;  // of the living
  std::size_t posting_bytes_ = 0;
  double log_documents_ = 0;  // ln(1 + documents)
};

}  // namespace lode
