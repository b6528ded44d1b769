#include "search/index_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/hash.h"
#include "search/analyzer.h"
#include "search/varint.h"
#include "search/words.h"

namespace lode {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kHashSize = 32;
constexpr std::size_t kLongestSurface = 255;

std::string header() {
  return fmt::format("lode index {} {} utf8proc {}\n", kFormat, kAnalyzerVersion,
                     utf8proc_version());
}

void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out += text;
}

void put_document(std::string& out, const Corpus& corpus, DocId id,
                  const std::vector<TermId>& renamed) {
  const auto record = corpus.record(id);
  put_varint(out, record.kind);
  put_text(out, record.key);
  put_text(out, record.title);
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
    for (std::uint64_t n = in_.number(in_.left()); n > 0 && in_.ok(); --n) read_document();
    if (!in_.ok() || !in_.at_end()) return nullptr;
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
    record.title = in_.text();
    record.stamp = in_.number(std::numeric_limits<std::uint64_t>::max());
    record.length = in_.number32();
    require(record.kind < corpus_->kinds().size());
    require(!record.key.empty() && !corpus_->find(record.key));
    read_counts();
    if (in_.ok()) corpus_->add(record, counts_);
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

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// False: an error, or the file has become shorter.
bool read_whole(int fd, std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

Error failure(std::string_view doing, const std::string& file) {
  return internal(fmt::format("{} {}: {}", doing, file, std::strerror(errno)));
}

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
  return header() + content_hash(body) + body;
}

Result<std::unique_ptr<Corpus>> decode(std::string_view bytes) {
  const std::string head = header();
  if (!bytes.starts_with(head)) return invalid("no search index of this version");
  bytes.remove_prefix(head.size());
  if (bytes.size() < kHashSize) return invalid("a damaged search index");
  const auto body = bytes.substr(kHashSize);
  if (bytes.substr(0, kHashSize) != content_hash(body)) return invalid("a damaged search index");
  auto corpus = Decoder(body).run();
  if (!corpus) return invalid("a damaged search index");
  return corpus;
}

Status write_index_file(const std::string& file, std::string_view bytes) {
  // Two programs may save at once: each writes a file of its own.
  std::string draft = file + ".XXXXXX";
  const Descriptor out(::mkostemp(draft.data(), O_CLOEXEC));
  if (!out.is_open()) return failure("creating", draft);
  if (!write_whole(out.get(), bytes) || std::rename(draft.c_str(), file.c_str()) != 0) {
    Error error = failure("writing", file);
    ::unlink(draft.c_str());
    return error;
  }
  return {};
}

Result<std::string> read_index_file(const std::string& file, std::size_t most) {
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!in.is_open() && errno == ENOENT) return not_found(fmt::format("no search index {}", file));
  struct stat info {};
  if (!in.is_open() || ::fstat(in.get(), &info) != 0) return failure("opening", file);
  if (!S_ISREG(info.st_mode) || std::cmp_greater(info.st_size, most)) {
    return invalid(fmt::format("{} is no search index", file));
  }
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  if (!read_whole(in.get(), bytes)) return failure("reading", file);
  return bytes;
}

}  // namespace lode
