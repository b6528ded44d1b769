// Finds documents by their words: one index for all that can be found.
//
// A document has a key (its URI), a kind ("element", "symbol", "task", …), a
// title, keywords and a body. The texts are not kept, only which terms they
// have and how often (search/analyzer.h); of the title, as much as a list of
// hits shows. A term counts three times in the title, twice in the keywords.
// What has a name besides (a symbol, whose title says where it is too) is found by it
// before all that only has its words: the name as a whole counts most, its words twice,
// the rest of the title once; and of its body every fourth word makes it longer.
// Stop words are indexed in titles and keywords alone, and searched for only by
// a query that has nothing else: the page "who" is found by its name.
//
// The index is derived: it lives in memory, and in a file that may be thrown
// away. Who fills it stamps each document with what tells its versions apart (a
// hash, a time), and after load() puts again only what has another stamp.
//
// Scores: search/ranking.h. How memory is laid out: search/corpus.h. A posting
// takes about six bytes, there and back; a document 80 bytes besides its key
// and title; a term 72.
//
// Invariants:
//  (1) What a search finds is what an index that was made anew of the same
//      documents would find, with the same scores (but for rounding), whatever
//      was put, replaced and removed before.
//  (2) A key that `permits` refuses is not among the hits, takes no place among
//      them, and does not end the search.
//  (3) A file that is not exactly what save() wrote is Code::invalid.
//
// Any thread. Texts are analysed, files read and written, and memory compacted
// without a lock that a search needs. A search waits at most for a writer that
// puts in the terms of one document (and, where a term has become a third more
// common, goes over all that have it), and for the searches that this one waits
// for. Writers wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/shared_mutex.h"
#include "search/analyzer.h"
#include "search/corpus.h"
#include "search/keywords.h"
#include "search/ranking.h"

namespace lode {

class IndexFill;  // search/index_fill.h

class Index {
 public:
  struct Limits {
    std::size_t bytes = std::size_t{2} << 30;       // of memory; at most 3 GiB
    std::size_t documents = 10'000'000;             //
    std::size_t key_bytes = 8 * 1024;               //
    std::size_t title_bytes = 256;                  // of what is kept to be shown
    std::size_t text_bytes = std::size_t{4} << 20;  // of each text; the rest is not indexed
    std::size_t query_bytes = 64 * 1024;            // the rest is not looked at
    std::size_t query_terms = 256;                  // the heaviest are looked for
    std::size_t file_bytes = std::size_t{2} << 30;  //
  };

  struct Document {
    std::string_view key;
    std::string_view kind;
    std::string_view title = {};
    std::string_view keywords = {};
    std::string_view body = {};
    std::uint64_t stamp = 0;
    std::string_view name = {};               // in the title; empty: the title alone
    std::uint8_t worth = Corpus::kFullWorth;  // a percentage of its score: what is worth
                                              // less comes later
  };

  struct Options {
    std::size_t limit = 10;
    std::vector<std::string> kinds = {};  // empty: all
    Scoring scoring = Scoring::bm25;      // tfidf for scores between 0 and 1
    // Whether the caller may see this key; empty: every key. Called without a
    // lock, in the order of the hits, perhaps more than once for a key.
    std::function<bool(std::string_view key)> permits = {};
  };

  struct Hit {
    std::string key;
    std::string kind;
    std::string title;
    double score = 0;
  };

  struct Known {
    std::string key;
    std::uint64_t stamp = 0;
  };

  struct Stats {
    std::size_t documents = 0;
    std::size_t vocabulary = 0;  // terms that some document has
    double average_length = 0;   // of a document, in indexed words
    std::size_t bytes = 0;       // of memory in use, by capacity
    std::size_t mapped = 0;      // of these, in the file that was loaded
  };

  Index();
  explicit Index(const Limits& limits);
  ~Index();
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  // Adds a document, or replaces the one with its key. Costs its own words.
  // Code::invalid: the key is empty or too long. Code::unavailable: full; what
  // the key had before is outdated and gone.
  Status put(const Document& document) LODE_EXCLUDES(writer_, mutex_);
  // The same of several, for whom searches and other writers wait once; which of
  // them are in the index now.
  std::vector<bool> put_all(std::span<const Document> documents) LODE_EXCLUDES(writer_, mutex_);
  // False: no document has the key.
  bool remove(std::string_view key) LODE_EXCLUDES(writer_, mutex_);
  // Removes all.
  void clear() LODE_EXCLUDES(writer_, mutex_);

  // The documents that have any word of the query, best first; those with the
  // same score by key. A query without words finds nothing.
  std::vector<Hit> search(std::string_view query, const Options& options) const
      LODE_EXCLUDES(mutex_);
  // The documents most like one, without itself, by TF-IDF whatever the
  // options say. Of a document with more terms than a query may have, the
  // heaviest count. Nothing: no document has the key.
  std::optional<std::vector<Hit>> similar(std::string_view key, const Options& options) const
      LODE_EXCLUDES(mutex_);

  // The words that tell most of all documents, or of some: search/keywords.h (keys that are
  // not there are passed over).
  std::vector<Keyword> top_terms(std::size_t count) const LODE_EXCLUDES(mutex_);
  std::vector<Keyword> top_terms(std::size_t count, std::span<const std::string> keys) const
      LODE_EXCLUDES(mutex_);

  Stats stats() const LODE_EXCLUDES(mutex_);
  std::optional<std::uint64_t> stamp(std::string_view key) const LODE_EXCLUDES(mutex_);
  // Every document of a kind, in no order.
  std::vector<Known> known(std::string_view kind) const LODE_EXCLUDES(mutex_);

  // What the index's owner knows besides, in the same file, so that both are of one
  // time. The format names what it is and by which version it was made.
  struct Companion {
    std::string format;
    std::string bytes;
  };
  // Code::internal: it cannot be written.
  Status save(const std::string& file, const Companion& companion = {}) const
      LODE_EXCLUDES(writer_, mutex_);
  // Takes the file's documents in place of all that are here; the companion's bytes.
  // After an error these stay. Code::not_found: no such file. Code::invalid: not ours,
  // of another version or damaged; the index is to be made anew.
  Result<std::string> load(const std::string& file, std::string_view format = {})
      LODE_EXCLUDES(writer_, mutex_);
  // Whether the last save() or load() left a file that holds what is here now.
  bool is_saved() const LODE_EXCLUDES(writer_);

 private:
  friend class IndexFill;

  Status check_key(std::string_view key) const;
  struct Terms;
  Terms terms_of(const Document& document) const;
  Status add(const Document& document, const Terms& terms) LODE_REQUIRES(writer_, mutex_);
  // Unless the corpus has that many already. REQUIRES: it has no such key.
  Status add_to(Corpus& corpus, const Document& document, const Terms& terms,
                std::size_t most_bytes) const;

  using MakeQuery = std::function<std::vector<QueryTerm>(const Corpus&)>;

  std::vector<Hit> find(const MakeQuery& make, Scoring scoring, const Options& options,
                        std::string_view except) const LODE_EXCLUDES(mutex_);
  std::vector<Hit> best(const MakeQuery& make, RankOptions rank_options,
                        const std::vector<std::string>& kinds, std::string_view except) const
      LODE_EXCLUDES(mutex_);
  void replace(std::unique_ptr<Corpus> corpus) LODE_REQUIRES(writer_) LODE_EXCLUDES(mutex_);
  void tidy_if_due() LODE_REQUIRES(writer_) LODE_EXCLUDES(mutex_);

  const Limits limits_;
  mutable Mutex writer_;  // held by who changes the index; taken before mutex_
  mutable bool saved_ LODE_GUARDED_BY(writer_) = false;
  mutable SharedMutex mutex_;
  std::unique_ptr<Corpus> corpus_ LODE_GUARDED_BY(mutex_) LODE_ANNOTATE(pt_guarded_by(mutex_));
};

}  // namespace lode
