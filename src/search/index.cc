#include "search/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/derived_file.h"
#include "base/utf8.h"
#include "search/analyzer.h"
#include "search/index_file.h"
#include "search/index_terms.h"

namespace lode {
namespace {

constexpr std::uint32_t kTitleWeight = 3;
constexpr std::uint32_t kKeywordWeight = 2;
constexpr std::uint32_t kBodyWeight = 1;
constexpr std::uint32_t kPlaceWeight = 1;     // of the title, where there is a name
constexpr std::uint32_t kNameWordWeight = 1;  // besides, as the name is in the title
constexpr std::uint32_t kNameWeight = 10;
constexpr std::uint32_t kBodyShare = 4;  // of the words of a body count for its length

// With a filter, more are ranked than are wanted, and more again if too many
// of them were refused.
constexpr std::size_t kSpare = 16;
constexpr std::size_t kWiden = 8;

// So many are put before others have their turn.
constexpr std::size_t kTogether = 64;

// A number for each term of the document, ascending.
std::vector<Corpus::TermCount> intern(Corpus& corpus, const TermBag& bag) {
  std::vector<Corpus::TermCount> terms;
  terms.reserve(bag.entries().size());
  for (const auto& [term, entry] : bag.entries()) {
    terms.push_back({corpus.intern(term, entry.surface), entry.count});
  }
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.term < b.term; });
  return terms;
}

// Sorted by term, so that sums do not depend on the order of a hash table.
std::vector<std::pair<std::string, std::uint32_t>> words_of(std::string_view query) {
  TermBag bag;
  bag.add(query, 1, TermBag::StopWords::keep);
  bag.drop_stop_words();
  std::vector<std::pair<std::string, std::uint32_t>> words;
  for (const auto& [term, entry] : bag.entries()) words.emplace_back(term, entry.count);
  std::sort(words.begin(), words.end());
  return words;
}

// Null: all of them.
std::optional<std::vector<bool>> chosen(const Corpus& corpus,
                                        const std::vector<std::string>& kinds) {
  if (kinds.empty()) return std::nullopt;
  std::vector<bool> chosen;
  for (const auto& name : corpus.kinds()) {
    chosen.push_back(std::find(kinds.begin(), kinds.end(), name) != kinds.end());
  }
  return chosen;
}

}  // namespace

Index::Index() : Index(Limits()) {}
Index::Index(const Limits& limits) : limits_(limits), corpus_(std::make_unique<Corpus>()) {}
Index::~Index() = default;

Status Index::check_key(std::string_view key) const {
  if (!key.empty() && key.size() <= limits_.key_bytes) return {};
  return invalid(fmt::format("a key must have 1 to {} bytes", limits_.key_bytes));
}

Index::Terms Index::terms_of(const Document& document) const {
  Terms terms;
  auto& bag = terms.bag;
  const auto text = [&](std::string_view whole) { return first_bytes(whole, limits_.text_bytes); };
  const bool named = !document.name.empty();
  bag.add(text(document.title), named ? kPlaceWeight : kTitleWeight, TermBag::StopWords::keep);
  bag.add(text(document.keywords), kKeywordWeight, TermBag::StopWords::keep);
  const auto head = bag.length();
  bag.add(text(document.body), kBodyWeight, TermBag::StopWords::drop);
  terms.length = named ? head + (bag.length() - head) / kBodyShare : bag.length();
  if (named) {
    bag.add(text(document.name), kNameWordWeight, TermBag::StopWords::keep);
    bag.add_name(text(document.name), kNameWeight);
  }
  return terms;
}

Status Index::add(const Document& document, const Terms& terms) {
  saved_ = false;
  corpus_->remove(document.key);
  return add_to(*corpus_, document, terms, limits_.bytes);
}

Status Index::add_to(Corpus& corpus, const Document& document, const Terms& terms,
                     std::size_t most_bytes) const {
  const auto kind = corpus.intern_kind(document.kind);
  const bool full = corpus.documents() >= limits_.documents || corpus.bytes() >= most_bytes;
  if (!kind || full) return Error{Code::unavailable, "the search index is full", {}};
  corpus.add({document.key, first_bytes(document.title, limits_.title_bytes), *kind, document.stamp,
              terms.length, document.worth},
             intern(corpus, terms.bag));
  return {};
}

Status Index::put(const Document& document) {
  if (auto valid = check_key(document.key); !valid) return valid;
  const auto terms = terms_of(document);
  const Lock writer(writer_);
  Status added;
  {
    const WriteLock lock(mutex_);
    added = add(document, terms);
  }
  tidy_if_due();
  return added;
}

std::vector<bool> Index::put_all(std::span<const Document> documents) {
  std::vector<bool> put(documents.size(), false);
  for (std::size_t begin = 0; begin < documents.size(); begin += kTogether) {
    const auto some = documents.subspan(begin, std::min(kTogether, documents.size() - begin));
    std::vector<Terms> terms;
    terms.reserve(some.size());
    for (const auto& document : some) terms.push_back(terms_of(document));
    const Lock writer(writer_);
    {
      const WriteLock lock(mutex_);
      for (std::size_t i = 0; i < some.size(); ++i) {
        put[begin + i] = check_key(some[i].key) && add(some[i], terms[i]);
      }
    }
    tidy_if_due();
  }
  return put;
}

bool Index::remove(std::string_view key) {
  const Lock writer(writer_);
  {
    const WriteLock lock(mutex_);
    if (!corpus_->remove(key)) return false;
  }
  saved_ = false;
  tidy_if_due();
  return true;
}

void Index::clear() {
  const Lock writer(writer_);
  saved_ = false;
  replace(std::make_unique<Corpus>());
}

// Searches go on meanwhile: nobody else writes, and the old one is only read.
void Index::tidy_if_due() {
  std::unique_ptr<Corpus> compact;
  std::optional<Corpus::Layers> layers;
  {
    const ReadLock lock(mutex_);
    if (corpus_->wasteful()) {
      compact = corpus_->compacted();
    } else if (corpus_->layers_due()) {
      layers = corpus_->make_layers();
    }
  }
  if (compact) return replace(std::move(compact));
  if (!layers) return;
  const WriteLock lock(mutex_);
  corpus_->set_layers(std::move(*layers));
}

void Index::replace(std::unique_ptr<Corpus> corpus) {
  const WriteLock lock(mutex_);
  corpus_.swap(corpus);
}

std::vector<Index::Hit> Index::search(std::string_view query, const Options& options) const {
  const auto words = words_of(first_bytes(query, limits_.query_bytes));
  const auto make = [&](const Corpus& corpus) {
    std::vector<QueryTerm> terms;
    terms.reserve(words.size());
    for (const auto& [term, count] : words)
      terms.push_back({corpus.vocabulary().find(term), count});
    return terms;
  };
  return find(make, options.scoring, options, {});
}

std::optional<std::vector<Index::Hit>> Index::similar(std::string_view key,
                                                      const Options& options) const {
  if (!stamp(key)) return std::nullopt;
  const auto make = [&](const Corpus& corpus) {
    std::vector<QueryTerm> terms;
    if (const auto id = corpus.find(key)) {
      corpus.each_term(*id, [&](TermId term, std::uint32_t n) { terms.push_back({term, n}); });
    }
    return terms;
  };
  return find(make, Scoring::tfidf, options, key);
}

std::vector<Index::Hit> Index::find(const MakeQuery& make, Scoring scoring, const Options& options,
                                    std::string_view except) const {
  const bool filtered = static_cast<bool>(options.permits);
  const std::size_t limit = std::min(options.limit, limits_.documents);
  for (std::size_t count = limit + (filtered ? kSpare : 0);; count *= kWiden) {
    auto hits = best(make, {.count = count, .scoring = scoring}, options.kinds, except);
    const bool complete = hits.size() < count;
    if (filtered) std::erase_if(hits, [&](const Hit& hit) { return !options.permits(hit.key); });
    if (!complete && hits.size() < limit) continue;
    if (hits.size() > limit) hits.resize(limit);
    return hits;
  }
}

std::vector<Index::Hit> Index::best(const MakeQuery& make, RankOptions rank_options,
                                    const std::vector<std::string>& kinds,
                                    std::string_view except) const {
  const ReadLock lock(mutex_);
  auto query = make(*corpus_);
  keep_heaviest(*corpus_, query, limits_.query_terms);
  const auto some = chosen(*corpus_, kinds);
  rank_options.kinds = some ? &*some : nullptr;
  if (!except.empty()) rank_options.except = corpus_->find(except);
  std::vector<Hit> hits;
  for (const auto& [document, score] : rank(*corpus_, query, rank_options)) {
    const auto record = corpus_->record(document);
    hits.push_back(
        {std::string(record.key), corpus_->kinds()[record.kind], std::string(record.title), score});
  }
  return hits;
}

std::vector<Keyword> Index::top_terms(std::size_t count) const {
  const ReadLock lock(mutex_);
  return heaviest_words(*corpus_, corpus_->living(), count);
}

std::vector<Keyword> Index::top_terms(std::size_t count, std::span<const std::string> keys) const {
  const ReadLock lock(mutex_);
  std::vector<DocId> ids;
  for (const auto& key : keys) {
    if (const auto id = corpus_->find(key)) ids.push_back(*id);
  }
  return heaviest_words(*corpus_, ids, count);
}

Index::Stats Index::stats() const {
  const ReadLock lock(mutex_);
  Stats stats;
  stats.documents = corpus_->documents();
  stats.vocabulary = corpus_->living_terms();
  if (stats.documents > 0) {
    stats.average_length =
        static_cast<double>(corpus_->total_length()) / static_cast<double>(stats.documents);
  }
  stats.bytes = sizeof(*this) + corpus_->bytes();
  stats.mapped = corpus_->mapped();
  return stats;
}

std::optional<std::uint64_t> Index::stamp(std::string_view key) const {
  const ReadLock lock(mutex_);
  const auto id = corpus_->find(key);
  if (!id) return std::nullopt;
  return corpus_->record(*id).stamp;
}

std::vector<Index::Known> Index::known(std::string_view kind) const {
  const ReadLock lock(mutex_);
  std::vector<Known> known;
  for (const DocId id : corpus_->living()) {
    const auto record = corpus_->record(id);
    if (corpus_->kinds()[record.kind] == kind) {
      known.push_back({std::string(record.key), record.stamp});
    }
  }
  return known;
}

Status Index::save(const std::string& file, const Companion& companion) const {
  std::string bytes;
  {
    // Writers wait here, not at the other mutex, where they would stop searches.
    const Lock writer(writer_);
    const ReadLock lock(mutex_);
    bytes = encode(*corpus_, companion.format, companion.bytes);
    saved_ = true;
  }
  auto written = write_derived(file, bytes);
  if (written) return written;
  const Lock writer(writer_);
  saved_ = false;
  return written;
}

bool Index::is_saved() const {
  const Lock writer(writer_);
  return saved_;
}

Result<std::string> Index::load(const std::string& file, std::string_view format) {
  auto bytes = read_derived(file, limits_.file_bytes);
  if (!bytes) return bytes.error();
  auto decoded = decode(std::move(*bytes), format);
  if (!decoded) return std::move(decoded).error().in(file);
  const Lock writer(writer_);
  replace(std::move(decoded->corpus));
  saved_ = true;
  return std::move(decoded->companion);
}

}  // namespace lode
