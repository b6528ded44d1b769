#include "search/index_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
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

constexpr int kFormat = 4;
constexpr std::size_t kLongestSurface = 255;
// Each takes at least so many bytes, so that no count asks for much memory.
constexpr std::size_t kLeastTerm = 3;
constexpr std::size_t kLeastDocument = 8;

std::string whole_format(std::string_view companion) {
  return fmt::format("index {} {} utf8proc {}{}{}", kFormat, kAnalyzerVersion, utf8proc_version(),
                     companion.empty() ? "" : " with ", companion);
}

void put_document(std::string& out, const Corpus& corpus, DocId id,
                  const std::vector<TermId>& renamed) {
  const auto record = corpus.record(id);
  std::string terms;
  TermId last = 0;
  corpus.each_term(id, [&](TermId term, std::uint32_t n) {
    put_varint(terms, renamed[term] - last);
    put_varint(terms, n);
    last = renamed[term];
  });
  const bool ends_key = record.key.ends_with(record.title);
  put_varint(out, record.kind);
  put_varint(out, record.stamp);
  put_varint(out, record.length);
  put_varint(out, record.worth);
  put_varint(out, record.key.size());
  put_varint(out, record.title.size() << 1U | (ends_key ? 1U : 0U));
  put_varint(out, terms.size());
  out += record.key;
  if (!ends_key) out += record.title;
  out += terms;
}

class Decoder {
 public:
  Decoder(std::string_view body, std::unique_ptr<Corpus> corpus)
      : in_(body), corpus_(std::move(corpus)) {}

  // Null: damaged.
  std::unique_ptr<Corpus> run() && {
    read_kinds();
    read_terms();
    auto documents = in_.number(in_.left() / kLeastDocument);
    corpus_->defer(documents);
    for (; documents > 0 && in_.ok(); --documents) read_document();
    if (!in_.ok() || !in_.at_end()) return nullptr;
    if (!corpus_->settle()) return nullptr;
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
    const auto n = in_.number(in_.left() / kLeastTerm);
    corpus_->expect_terms(n);
    for (std::uint64_t i = 0; i < n && in_.ok(); ++i) {
      const auto term = in_.text();
      const auto surface = in_.text();
      require(!term.empty() && term.size() <= kLongestTerm && surface.size() <= kLongestSurface);
      if (in_.ok()) require(corpus_->intern(term, surface) == i);
    }
  }

  void read_document() {
    Corpus::Record record;
    record.kind = static_cast<KindId>(in_.number(std::numeric_limits<KindId>::max()));
    record.stamp = in_.number(std::numeric_limits<std::uint64_t>::max());
    record.length = in_.number32();
    record.worth = static_cast<std::uint8_t>(in_.number(Corpus::kFullWorth));
    const auto key = in_.number32();
    const auto title = in_.number32();
    const auto terms = in_.number32();
    record.key = in_.take(key);
    record.title = take_title(record.key, title);
    require(record.kind < corpus_->kinds().size());
    require(!record.key.empty());
    const auto standing = in_.take(terms);
    if (in_.ok()) require(corpus_->add_standing(record, standing));
  }

  std::string_view take_title(std::string_view key, std::uint32_t size) {
    if ((size & 1U) == 0) return in_.take(size >> 1U);
    require(size >> 1U <= key.size());
    return in_.ok() ? key.substr(key.size() - (size >> 1U)) : std::string_view();
  }

  VarintReader in_;
  std::unique_ptr<Corpus> corpus_;
};

// The pages of a file are this process's no longer: all were read once, and few will be again.
void let_go(std::string_view mapped) {
  if (mapped.empty()) return;
  ::madvise(const_cast<char*>(mapped.data()), mapped.size(), MADV_DONTNEED);
}

}  // namespace

std::string encode(const Corpus& corpus, std::string_view format, std::string_view companion) {
  std::string body;
  put_varint(body, companion.size());
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
  body += companion;
  return seal(whole_format(format), body);
}

Result<Decoded> decode(Buffer bytes, std::string_view format) {
  auto body = unseal(whole_format(format), bytes.view());
  if (!body) return Error(body.error()).in("the search index");
  const auto damaged = invalid("the search index: it is damaged");
  VarintReader in(*body);
  const auto companion = in.number(in.left());
  if (!in.ok() || companion > in.left()) return damaged;
  Decoded decoded;
  decoded.companion = body->substr(body->size() - companion);
  const auto index = in.left() - companion;
  bytes.truncate(bytes.size() - companion);
  const auto rest = bytes.view().substr(bytes.size() - index);
  auto corpus = std::make_unique<Corpus>();
  const auto mapped = bytes.is_mapped() ? bytes.view() : std::string_view();
  corpus->adopt(std::move(bytes));
  decoded.corpus = Decoder(rest, std::move(corpus)).run();
  if (!decoded.corpus) return damaged;
  let_go(mapped);
  return decoded;
}

}  // namespace lode
