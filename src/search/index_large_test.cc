// Searches that pass over most of what matches, in an index that is large enough
// for that (search/sieve.h), against a scan of all documents: by the formulas of
// search/ranking.h, and against the index's own list of all that match, which must
// begin with the very same hits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/index.h"

namespace lode {
namespace {

constexpr std::size_t kWords = 300;  // the first are the most common

struct Text {
  std::string kind;
  std::vector<std::pair<std::size_t, double>> counts;  // by word
  double length = 0;
};

// Letters only, and none that a stemmer would take off.
std::string word(std::size_t i) {
  return "zq" + std::string(1, static_cast<char>('a' + i / 18)) +
         std::string(1, "bcdfghjklmnpqrtvwx"[i % 18]);
}

// All documents, scanned as a whole for every search.
class Scan {
 public:
  void put(const std::string& key, Text text) {
    remove(key);
    for (const auto& [word, count] : text.counts) ++df_[word];
    total_length_ += text.length;
    texts_[key] = std::move(text);
  }
  bool remove(const std::string& key) {
    const auto found = texts_.find(key);
    if (found == texts_.end()) return false;
    for (const auto& [word, count] : found->second.counts) --df_[word];
    total_length_ -= found->second.length;
    texts_.erase(found);
    return true;
  }
  std::size_t size() const { return texts_.size(); }

  std::map<std::string, double> search(const std::vector<std::size_t>& query, Scoring scoring,
                                       const std::string& kind) const {
    std::map<std::string, double> scores;
    for (const auto& [key, text] : texts_) {
      if (!kind.empty() && text.kind != kind) continue;
      const double score = scoring == Scoring::bm25 ? bm25(query, text) : cosine(query, text);
      if (score > 0) scores[key] = score;
    }
    return scores;
  }

 private:
  double n() const { return static_cast<double>(texts_.size()); }
  double idf(std::size_t word) const { return std::log((1 + n()) / (1 + df_[word])) + 1; }

  double bm25(const std::vector<std::size_t>& query, const Text& text) const {
    double score = 0;
    for (const auto& [word, count] : text.counts) {
      if (std::find(query.begin(), query.end(), word) == query.end()) continue;
      const double rarity = std::log(1 + (n() - df_[word] + 0.5) / (df_[word] + 0.5));
      const double length = 0.25 + 0.75 * text.length / (total_length_ / n());
      score += rarity * count * 2.2 / (count + 1.2 * length);
    }
    return score;
  }
  double cosine(const std::vector<std::size_t>& query, const Text& text) const {
    double dot = 0, q = 0, d = 0;
    for (const std::size_t word : query) q += idf(word) * idf(word);
    for (const auto& [word, count] : text.counts) {
      const double weight = (1 + std::log(count)) * idf(word);
      d += weight * weight;
      if (std::find(query.begin(), query.end(), word) != query.end()) dot += weight * idf(word);
    }
    return dot == 0 ? 0 : dot / std::sqrt(q * d);
  }

  std::unordered_map<std::string, Text> texts_;
  std::vector<double> df_ = std::vector<double>(kWords);
  double total_length_ = 0;
};

class IndexLargeTest : public testing::TestWithParam<unsigned> {
 protected:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string key(std::size_t i) const { return "k" + std::to_string(i); }

  // Many are short and some long. Words become more common or rarer as time goes
  // on; some stand in a text very often; some texts are the same as others.
  void put(std::size_t i) {
    std::map<std::size_t, std::size_t> counts;
    const std::size_t age = index_.stats().documents / 1000;
    for (std::size_t n = 1 + below(below(10) == 0 ? 60 : 12); n > 0; --n) {
      const std::size_t w = (below(below(below(kWords) + 1) + 1) + age) % kWords;
      counts[w] += below(30) == 0 ? 1 + below(below(500) == 0 ? 400 : 9) : 1;
    }
    std::string body;
    Text text{.kind = below(4) == 0 ? "two" : "one", .counts = {}};
    for (const auto& [w, count] : counts) {
      for (std::size_t n = 0; n < count; ++n) body += word(w) + " ";
      text.counts.emplace_back(w, count);
      text.length += static_cast<double>(count);
    }
    ASSERT_TRUE(index_.put({.key = key(i), .kind = text.kind, .body = body}));
    scan_.put(key(i), std::move(text));
  }
  void remove(std::size_t i) { ASSERT_EQ(index_.remove(key(i)), scan_.remove(key(i))); }

  void check(Scoring scoring) {
    std::vector<std::size_t> query;
    std::string words;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const std::size_t w = below(2) == 0 ? below(24) : below(kWords);
      if (std::find(query.begin(), query.end(), w) != query.end()) continue;
      query.push_back(w);
      words += word(w) + " ";
    }
    const std::string kind = below(4) == 0 ? "two" : "";
    Index::Options options{.limit = index_.stats().documents, .scoring = scoring};
    if (!kind.empty()) options.kinds = {kind};
    const auto all = index_.search(words, options);
    expect_scores(all, scan_.search(query, scoring, kind));

    options.limit = 1 + below(20);
    expect_begin(index_.search(words, options), all, options.limit);
    options.permits = [](std::string_view key) { return key.back() != '3' && key.back() != '4'; };
    std::vector<Index::Hit> permitted;
    for (const auto& hit : all) {
      if (options.permits(hit.key)) permitted.push_back(hit);
    }
    expect_begin(index_.search(words, options), permitted, options.limit);
  }

  static void expect_scores(const std::vector<Index::Hit>& hits,
                            const std::map<std::string, double>& expected) {
    ASSERT_EQ(hits.size(), expected.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const auto found = expected.find(hits[i].key);
      ASSERT_NE(found, expected.end());
      ASSERT_NEAR(hits[i].score, found->second, 1e-5);
      if (i == 0) continue;
      ASSERT_GE(hits[i - 1].score, hits[i].score);
      if (hits[i - 1].score == hits[i].score) {
        ASSERT_LT(hits[i - 1].key, hits[i].key);
      }
    }
  }
  static void expect_begin(const std::vector<Index::Hit>& hits, const std::vector<Index::Hit>& all,
                           std::size_t limit) {
    ASSERT_EQ(hits.size(), std::min(limit, all.size()));
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_EQ(hits[i].key, all[i].key);
      ASSERT_EQ(hits[i].score, all[i].score);
    }
  }

  void check_some() {
    ASSERT_EQ(index_.stats().documents, scan_.size());
    for (int i = 0; i < 6; ++i) {
      check(Scoring::bm25);
      check(Scoring::tfidf);
    }
    if (HasFailure()) FAIL() << scan_.size() << " documents";
  }

  std::mt19937 random_{GetParam()};
  Index index_;
  Scan scan_;
};

TEST_P(IndexLargeTest, FindsWhatAFullScanFinds) {
  constexpr std::size_t kMost = 12'000;
  std::size_t next = 0;
  const auto grow = [&](std::size_t to) {
    for (; next < to; ++next) {
      put(next);
      if (below(12) == 0) remove(below(next + 1));
      if (below(12) == 0) put(below(next + 1));
    }
  };
  for (std::size_t to = 1; to < kMost; to += to / 3 + 1) {
    grow(to);
    ASSERT_NO_FATAL_FAILURE(check_some());
  }
  // A part of them goes, one here and one there; then a whole range.
  for (std::size_t i = 0; i < next; i += 3) remove(i);
  ASSERT_NO_FATAL_FAILURE(check_some());
  for (std::size_t i = next / 2; i < next; ++i) remove(i);
  ASSERT_NO_FATAL_FAILURE(check_some());

  std::string file = (std::filesystem::temp_directory_path() / "lode-search-XXXXXX").string();
  ASSERT_NE(::mkdtemp(file.data()), nullptr);
  ASSERT_TRUE(index_.save(file + "/index"));
  ASSERT_TRUE(index_.load(file + "/index"));
  std::filesystem::remove_all(file);
  ASSERT_NO_FATAL_FAILURE(check_some());
  grow(next + 3'000);
  ASSERT_NO_FATAL_FAILURE(check_some());
}

INSTANTIATE_TEST_SUITE_P(Seeds, IndexLargeTest, testing::Values(1U, 2U));

}  // namespace
}  // namespace lode
