#include "search/ranking.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "search/lane.h"
#include "search/sieve.h"

namespace lode {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

// So many documents wait until their norms are computed, the most promising
// first: after them there is less to hope for the others.
constexpr std::size_t kBatch = 64;

double idf(const Corpus& corpus, const QueryTerm& query) {
  return query.term ? corpus.idf(*query.term) : corpus.idf_of_nothing();
}

double weight(const Corpus& corpus, const QueryTerm& query) {
  return count_weight(query.count) * idf(corpus, query);
}

// Best first; those with the same score by key.
struct Better {
  const Corpus& corpus;

  bool operator()(const Ranked& a, const Ranked& b) const {
    if (a.score != b.score) return a.score > b.score;
    return corpus.key(a.document) < corpus.key(b.document);
  }
};

// The best so far: a heap with the worst of them on top.
class Best {
 public:
  Best(const Corpus& corpus, std::size_t count) : better_{corpus}, count_(count) {}

  // A document with a lower score is not among them.
  double least() const { return heap_.size() < count_ ? 0 : heap_.front().score; }

  void offer(const Ranked& item) {
    if (heap_.size() == count_) {
      if (!better_(item, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), better_);
      heap_.back() = item;
    } else {
      heap_.push_back(item);
    }
    std::push_heap(heap_.begin(), heap_.end(), better_);
  }

  std::vector<Ranked> take() && {
    std::sort_heap(heap_.begin(), heap_.end(), better_);
    return std::move(heap_);
  }

 private:
  const Better better_;
  const std::size_t count_;
  std::vector<Ranked> heap_;
};

// The sums of a window's documents, in arrays that stay in the processor's nearest
// cache.
struct Window {
  WindowBits touched{};
  std::array<double, kWindow> sums;

  void add(DocId document, double value) {
    const DocId i = document % kWindow;
    sums[i] = has_bit(touched, i) ? sums[i] + value : value;
    set_bit(touched, i);
  }

  // Calls f(document, sum) for each that was touched, in ascending order.
  template <class F>
  void each(std::size_t place, const F& f) const {
    for (std::size_t word = 0; word < kWords; ++word) {
      for (std::uint64_t left = touched[word]; left != 0; left &= left - 1) {
        const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        f(static_cast<DocId>(place * kWindow + i), sums[i]);
      }
    }
  }
};

// Half of BM25: what depends on one posting.
struct Bm25Part {
  const Corpus& corpus;
  double average = std::max(
      1.0, static_cast<double>(corpus.total_length()) / static_cast<double>(corpus.documents()));
  double slope = kK1 * kB / average;

  double operator()(DocId id, std::uint32_t count) const { return most(count, corpus.length(id)); }
  double most(std::uint32_t count, double length) const {
    return count / (count + kK1 * (1 - kB) + slope * length);
  }
};

struct TfidfPart {
  double operator()(DocId, std::uint32_t count) const { return count_weight(count); }
  double most(std::uint32_t count, double norm_bound) const {
    return count_weight(count) / std::sqrt(norm_bound);
  }
};

class Ranker {
 public:
  Ranker(const Corpus& corpus, const std::vector<QueryTerm>& query, const RankOptions& options)
      : corpus_(corpus), query_(query), options_(options), best_(corpus, options.count) {}

  std::vector<Ranked> run() && {
    options_.scoring == Scoring::bm25 ? rank_bm25() : rank_tfidf();
    return std::move(best_).take();
  }

 private:
  // A sum may yet become a score.
  struct Waiting {
    Ranked most;
    double sum = 0;
  };

  bool wanted(DocId id) const {
    return corpus_.alive(id) &&
           (options_.kinds == nullptr || (*options_.kinds)[corpus_.kind(id)]) &&
           options_.except != id;
  }

  void rank_bm25() {
    const auto n = static_cast<double>(corpus_.documents());
    auto lanes = make_lanes([&](const QueryTerm& query) {
      const auto df = static_cast<double>(corpus_.df(*query.term));
      const double factor = query.count * std::log1p((n - df + 0.5) / (df + 0.5)) * (kK1 + 1);
      return Lane(corpus_.postings(*query.term), factor, factor);
    });
    const auto found = [&](DocId id, double sum) {
      if (sum < best_.least() || !wanted(id)) return;
      const double score = sum * corpus_.worth(id);
      if (score >= best_.least()) best_.offer({id, score});
    };
    add_up(lanes, corpus_.length_strata(), Bm25Part{corpus_}, found, [] {});
  }

  void rank_tfidf() {
    double squares = 0;
    for (const auto& query : query_) squares += std::pow(weight(corpus_, query), 2);
    auto lanes = make_lanes([&](const QueryTerm& query) {
      const double most = weight(corpus_, query) / std::sqrt(squares);
      return Lane(corpus_.postings(*query.term), most * idf(corpus_, query), most);
    });
    const auto found = [&](DocId id, double sum) {
      const double norm_bound = corpus_.norm_bound(id);
      const double least = best_.least();
      if (sum * sum < least * least * norm_bound || !wanted(id)) return;
      waiting_.push_back({{id, sum / std::sqrt(norm_bound)}, sum});
    };
    const auto after_window = [&] {
      if (waiting_.size() >= kBatch) admit_waiting();
    };
    add_up(lanes, corpus_.norm_strata(), TfidfPart(), found, after_window);
    admit_waiting();
  }

  void admit_waiting() {
    std::sort(waiting_.begin(), waiting_.end(),
              [](const Waiting& a, const Waiting& b) { return a.most.score > b.most.score; });
    for (const auto& [most, sum] : waiting_) {
      if (most.score < best_.least()) break;
      const double cosine = std::min(1.0, sum / norm(corpus_, most.document));
      best_.offer({most.document, cosine * corpus_.worth(most.document)});
    }
    waiting_.clear();
  }

  // In descending order of what they may add.
  template <class Make>
  std::vector<Lane> make_lanes(const Make& make) const {
    std::vector<Lane> lanes;
    for (const auto& query : query_) {
      if (query.term && corpus_.df(*query.term) > 0) lanes.push_back(make(query));
    }
    std::stable_sort(lanes.begin(), lanes.end(),
                     [](const Lane& a, const Lane& b) { return a.most() > b.most(); });
    return lanes;
  }

  // Calls found(document, sum) for each document that may be among the best, in
  // ascending order. The sums are made in the order of the lanes, so that they
  // are the same to the last bit whatever else was passed over.
  template <class Part, class Found, class After>
  void add_up(std::vector<Lane>& lanes, const Strata& strata, const Part& part, const Found& found,
              const After& after_window) const {
    Sieve sieve(lanes, strata, corpus_.numbers(),
                [&](std::uint32_t count, double edge) { return part.most(count, edge); });
    while (const auto place = next_window(lanes)) {
      auto masks = sieve.masks(*place);
      Window window;
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        const double factor = lanes[i].factor();
        const bool leads = i < sieve.leading();
        if (!leads) add(masks.exempt, window.touched);
        lanes[i].visit(
            *place, leads ? masks.first : masks.exempt,
            [&](DocId id, std::uint32_t count) { window.add(id, factor * part(id, count)); });
      }
      window.each(*place, found);
      after_window();
      sieve.raise(best_.least());
    }
  }

  static std::optional<std::size_t> next_window(const std::vector<Lane>& lanes) {
    std::optional<std::size_t> next;
    for (const auto& lane : lanes) {
      if (!lane.done() && (!next || lane.place() < *next)) next = lane.place();
    }
    return next;
  }

  const Corpus& corpus_;
  const std::vector<QueryTerm>& query_;
  const RankOptions& options_;
  Best best_;
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<Ranked> rank(const Corpus& corpus, const std::vector<QueryTerm>& query,
                         const RankOptions& options) {
  if (options.count == 0) return {};
  return Ranker(corpus, query, options).run();
}

double norm(const Corpus& corpus, DocId document) {
  double squares = 0;
  corpus.each_term(document, [&](TermId term, std::uint32_t count) {
    const double w = count_weight(count) * corpus.idf(term);
    squares += w * w;
  });
  return std::sqrt(squares);
}

void keep_heaviest(const Corpus& corpus, std::vector<QueryTerm>& query, std::size_t most) {
  if (query.size() <= most) return;
  std::stable_sort(query.begin(), query.end(), [&](const QueryTerm& a, const QueryTerm& b) {
    return weight(corpus, a) > weight(corpus, b);
  });
  query.resize(most);
}

}  // namespace lode
