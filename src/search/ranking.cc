#include "search/ranking.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>

namespace lode {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

// Postings are added up for so many documents at a time, in an array that
// stays in the processor's nearest cache.
constexpr DocId kBlock = 1024;

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

  // Whether a document with at most this score may be among them.
  bool may_admit(double score) const { return heap_.size() < count_ || score >= heap_[0].score; }

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

// One term of the query on its way through its postings.
struct Lane {
  PostingList::Cursor cursor;
  double factor;  // of what a posting adds
  Posting at = {};
  bool more = true;

  Lane(const PostingList& list, double times) : cursor(list), factor(times) { advance(); }
  void advance() { more = cursor.next(at); }
};

// Calls found(document, sum) for each document on a lane, in ascending order;
// a posting adds factor · part(posting) to its document's sum.
template <class Part, class Found>
void add_up(std::vector<Lane>& lanes, const Part& part, const Found& found) {
  std::array<double, kBlock> sums;
  std::bitset<kBlock> touched;
  while (!lanes.empty()) {
    DocId first = lanes.front().at.document;
    for (const auto& lane : lanes) first = std::min(first, lane.at.document);
    const DocId end = first + std::min(kBlock, ~first);
    for (auto& lane : lanes) {
      for (; lane.more && lane.at.document < end; lane.advance()) {
        const std::size_t i = lane.at.document - first;
        if (!touched[i]) sums[i] = 0;
        touched[i] = true;
        sums[i] += lane.factor * part(lane.at);
      }
    }
    for (auto i = touched._Find_first(); i < kBlock; i = touched._Find_next(i)) {
      found(first + static_cast<DocId>(i), sums[i]);
    }
    touched.reset();
    std::erase_if(lanes, [](const Lane& lane) { return !lane.more; });
  }
}

class Ranker {
 public:
  Ranker(const Corpus& corpus, const std::vector<QueryTerm>& query, const RankOptions& options)
      : corpus_(corpus), query_(query), options_(options), best_(corpus, options.count) {}

  std::vector<Ranked> run() && {
    options_.scoring == Scoring::bm25 ? rank_bm25() : rank_tfidf();
    return std::move(best_).take();
  }

 private:
  bool wanted(DocId id) const {
    return corpus_.alive(id) &&
           (options_.kinds == nullptr || (*options_.kinds)[corpus_.kind(id)]) &&
           options_.except != id;
  }

  void rank_bm25() {
    const auto n = static_cast<double>(corpus_.documents());
    const double average = std::max(1.0, static_cast<double>(corpus_.total_length()) / n);
    auto lanes = make_lanes([&](const QueryTerm& query) {
      const auto df = static_cast<double>(corpus_.df(*query.term));
      return query.count * std::log1p((n - df + 0.5) / (df + 0.5)) * (kK1 + 1);
    });
    const auto part = [&](const Posting& posting) {
      const double length = corpus_.length(posting.document);
      const auto count = static_cast<double>(posting.count);
      return count / (count + kK1 * (1 - kB + kB * length / average));
    };
    add_up(lanes, part, [&](DocId id, double sum) {
      if (best_.may_admit(sum) && wanted(id)) best_.offer({id, sum});
    });
  }

  void rank_tfidf() {
    double squares = 0;
    for (const auto& query : query_) squares += std::pow(weight(corpus_, query), 2);
    auto lanes = make_lanes([&](const QueryTerm& query) {
      return weight(corpus_, query) * idf(corpus_, query) / std::sqrt(squares);
    });
    const auto part = [](const Posting& posting) { return count_weight(posting.count); };
    // The bound is rounded to float; what it forgives is more than that.
    constexpr double kRounding = 1 + 1e-6;
    add_up(lanes, part, [&](DocId id, double sum) {
      if (!wanted(id) || !best_.may_admit(kRounding * sum / corpus_.flat_norm(id))) return;
      best_.offer({id, std::min(1.0, sum / norm(corpus_, id))});
    });
  }

  template <class Factor>
  std::vector<Lane> make_lanes(const Factor& factor) const {
    std::vector<Lane> lanes;
    for (const auto& query : query_) {
      if (!query.term || corpus_.df(*query.term) == 0) continue;
      lanes.emplace_back(corpus_.postings(*query.term), factor(query));
    }
    return lanes;
  }

  const Corpus& corpus_;
  const std::vector<QueryTerm>& query_;
  const RankOptions& options_;
  Best best_;
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
