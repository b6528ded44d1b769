#include "search/index_file.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <limits>
#include <utility>
#include <vector>

#include "base/derived_file.h"
#include "base/varint.h"
#include "search/analyzer.h"
#include "search/words.h"

namespace lode {
namespace {

constexpr int kFormat = 2;
constexpr std::size_t kLongestSurface = 255;

std::string format() {
  return fmt::format("index {} {} utf8proc {}", kFormat, kAnalyzerVersion, utf8proc_version());
}

void put_document(std::string& out, const Corpus& corpus, DocId id,
                  const std::vector<TermId>& renamed) {
  const auto record = corpus.record(id);
  put_varint(out, record.kind);
  put_text(out, record.key);
  // Twice its length, or one more if the key ends with it.
  const bool ends_key = record.key.ends_with(record.title);
  put_varint(out, record.title.size() << 1U | (ends_key ? 1U : 0U));
  if (!ends_key) out += record.title;
  put_varint(out, record.stamp);
  put_varint(out, record.length);
  std::size_t count = 0;
  corpus.each_term(id, [&](TermId, std::uint32_t) { ++count; });
  put_varint(out, count);
  TermId last = 0;
  corpus.each_term(id, [&](TermId term, std::uint32_t n) {
    put_varint(out, renamed[term] - last);
    put_varint(out, n);
    last = renamed[term];
  });
}

class Decoder {
 public:
  explicit Decoder(std::string_view body) : in_(body), corpus_(std::make_unique<Corpus>()) {}

  // Null: damaged.
  std::unique_ptr<Corpus> run() && {
    read_kinds();
    read_terms();
    // A document takes more than one byte, so that no count makes this long.
    auto documents = in_.number(in_.left());
    corpus_->defer(documents);
    for (; documents > 0 && in_.ok(); --documents) read_document();
    if (!in_.ok() || !in_.at_end()) return nullptr;
    corpus_->settle();
    return std::move(corpus_);
  }

 private:
  void require(bool condition) {
    if (!condition) in_.fail();
  }

  void read_kinds() {
    for (std::uint64_t i = 0, n = in_.number(in_.left()); i < n && in_.ok(); ++i) {
      require(corpus_->intern_kind(in_.text()) == i);
    }
  }

  void read_terms() {
    for (std::uint64_t i = 0, n = in_.number(in_.left()); i < n && in_.ok(); ++i) {
      const auto term = in_.text();
      const auto surface = in_.text();
      require(!term.empty() && term.size() <= kLongestTerm && surface.size() <= kLongestSurface);
      if (in_.ok()) require(corpus_->intern(term, surface) == i);
    }
  }

  void read_document() {
    Corpus::Record record;
    record.kind = static_cast<KindId>(in_.number(std::numeric_limits<KindId>::max()));
    record.key = in_.text();
    record.title = read_title(record.key);
    record.stamp = in_.number(std::numeric_limits<std::uint64_t>::max());
    record.length = in_.number32();
    require(record.kind < corpus_->kinds().size());
    require(!record.key.empty());
    read_counts();
    if (in_.ok()) require(corpus_->add(record, counts_));
  }

  std::string_view read_title(std::string_view key) {
    const auto size = in_.number(std::numeric_limits<std::uint32_t>::max());
    if ((size & 1U) == 0) return in_.take(size >> 1U);
    require(size >> 1U <= key.size());
    return in_.ok() ? key.substr(key.size() - (size >> 1U)) : std::string_view();
  }

  void read_counts() {
    counts_.clear();
    std::uint64_t term = 0;
    for (std::uint64_t i = 0, n = in_.number(in_.left()); i < n && in_.ok(); ++i) {
      const std::uint32_t distance = in_.number32();
      const std::uint32_t count = in_.number32();
      require(count > 0 && (distance > 0 || i == 0));
      term += distance;
      require(term < corpus_->vocabulary().size());
      counts_.push_back({static_cast<TermId>(term), count});
    }
  }

  VarintReader in_;
  std::unique_ptr<Corpus> corpus_;
  std::vector<Corpus::TermCount> counts_;
};

}  // namespace

std::string encode(const Corpus& corpus) {
  std::string body;
  put_varint(body, corpus.kinds().size());
  for (const auto& kind : corpus.kinds()) put_text(body, kind);

  const auto& vocabulary = corpus.vocabulary();
  std::vector<TermId> renamed(vocabulary.size());
  put_varint(body, corpus.living_terms());
  for (TermId id = 0, next = 0; id < vocabulary.size(); ++id) {
    if (corpus.df(id) == 0) continue;
    put_text(body, vocabulary.term(id));
    put_text(body, vocabulary.surface(id));
    renamed[id] = next++;
  }

  put_varint(body, corpus.documents());
  for (const DocId id : corpus.living()) put_document(body, corpus, id, renamed);
  return seal(format(), body);
}

Result<std::unique_ptr<Corpus>> decode(std::string_view bytes) {
  const auto body = unseal(format(), bytes);
  if (!body) return Error(body.error()).in("the search index");
  auto corpus = Decoder(*body).run();
  if (!corpus) return invalid("the search index: it is damaged");
  return corpus;
}

}  // namespace lode
