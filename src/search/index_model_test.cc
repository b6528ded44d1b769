// The index against a model: documents are put, replaced and removed at random;
// now and then all scores are compared with those computed from scratch, by the
// formulas of search/ranking.h, over plain maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "search/analyzer.h"
#include "search/index.h"

namespace lode {
namespace {

using Counts = std::map<std::string, double>;

struct Text {
  std::string kind, title, keywords, body;
  std::uint8_t worth = 100;
};

Counts counts_of(const TermBag& bag) {
  Counts counts;
  for (const auto& [term, entry] : bag.entries()) counts[term] = entry.count;
  return counts;
}

class Model {
 public:
  void put(const std::string& key, const Text& text) {
    TermBag bag;
    bag.add(text.title, 3, TermBag::StopWords::keep);
    bag.add(text.keywords, 2, TermBag::StopWords::keep);
    bag.add(text.body, 1, TermBag::StopWords::drop);
    remove(key);
    const auto& document = documents_[key] = {
        text.kind, counts_of(bag), static_cast<double>(bag.length()), text.worth / 100.0};
    for (const auto& [term, count] : document.counts) ++df_[term];
  }
  bool remove(const std::string& key) {
    const auto found = documents_.find(key);
    if (found == documents_.end()) return false;
    for (const auto& [term, count] : found->second.counts) --df_[term];
    documents_.erase(found);
    return true;
  }

  std::map<std::string, double> search(const Counts& query, Scoring scoring,
                                       const std::string& kind) const {
    std::map<std::string, double> scores;
    for (const auto& [key, document] : documents_) {
      if (!kind.empty() && document.kind != kind) continue;
      const double score =
          scoring == Scoring::bm25 ? bm25(query, document) : cosine(query, document.counts);
      if (score > 0) scores[key] = score * document.worth;
    }
    return scores;
  }

  const Counts& counts(const std::string& key) const { return documents_.at(key).counts; }

  void check_stats(const Index::Stats& stats) const {
    std::set<std::string> vocabulary;
    for (const auto& [key, document] : documents_) {
      for (const auto& [term, count] : document.counts) vocabulary.insert(term);
    }
    EXPECT_EQ(stats.documents, documents_.size());
    EXPECT_EQ(stats.vocabulary, vocabulary.size());
    EXPECT_NEAR(stats.average_length, documents_.empty() ? 0 : average_length(), 1e-9);
  }

 private:
  struct Document {
    std::string kind;
    Counts counts;
    double length = 0;
    double worth = 1;
  };

  double n() const { return static_cast<double>(documents_.size()); }
  double df(const std::string& term) const {
    const auto found = df_.find(term);
    return found == df_.end() ? 0 : found->second;
  }
  double average_length() const {
    double sum = 0;
    for (const auto& [key, document] : documents_) sum += document.length;
    return sum / n();
  }

  Counts weights(const Counts& counts) const {
    Counts weights;
    for (const auto& [term, count] : counts) {
      weights[term] = (1 + std::log(count)) * (std::log((1 + n()) / (1 + df(term))) + 1);
    }
    return weights;
  }
  double cosine(const Counts& query, const Counts& document) const {
    double dot = 0, q = 0, d = 0;
    const Counts a = weights(query);
    const Counts b = weights(document);
    for (const auto& [term, w] : a) q += w * w;
    for (const auto& [term, w] : b) d += w * w;
    for (const auto& [term, w] : a) dot += b.contains(term) ? w * b.at(term) : 0;
    return dot == 0 ? 0 : dot / std::sqrt(q * d);
  }
  double bm25(const Counts& query, const Document& document) const {
    double score = 0;
    for (const auto& [term, times] : query) {
      if (!document.counts.contains(term)) continue;
      const double count = document.counts.at(term);
      const double rarity = std::log(1 + (n() - df(term) + 0.5) / (df(term) + 0.5));
      const double length = 0.25 + 0.75 * document.length / average_length();
      score += times * rarity * count * 2.2 / (count + 1.2 * length);
    }
    return score;
  }

  std::map<std::string, Document> documents_;
  Counts df_;
};

class IndexModelTest : public testing::TestWithParam<unsigned> {
 protected:
  std::size_t below(std::size_t n) { return random_() % n; }

  // Some words are common, most are rare; some are stop words or names.
  std::string words(std::size_t most) {
    static const std::vector<std::string> kSpecial = {"the", "of", "readFile", "read_file",
                                                      "naïve"};
    std::string text;
    for (std::size_t n = below(most + 1); n > 0; --n) {
      const std::size_t i = below(below(200) + 1);
      text += i < kSpecial.size()
                  ? kSpecial[i]
                  : "word" + std::string(1 + i / 26, 'x') + static_cast<char>('a' + i % 26);
      text += ' ';
    }
    return text;
  }

  void change() {
    const std::string key = "k" + std::to_string(below(80));
    if (below(4) == 0) {
      EXPECT_EQ(index_.remove(key), model_.remove(key));
      return;
    }
    const auto worth = static_cast<std::uint8_t>(below(2) == 0 ? 100 : 1 + below(100));
    const Text text{below(2) == 0 ? "one" : "two", words(3), words(3), words(30), worth};
    ASSERT_TRUE(index_.put({.key = key,
                            .kind = text.kind,
                            .title = text.title,
                            .keywords = text.keywords,
                            .body = text.body,
                            .worth = text.worth}));
    model_.put(key, text);
  }

  void compare(const std::vector<Index::Hit>& hits, const std::map<std::string, double>& expected) {
    ASSERT_EQ(hits.size(), expected.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_TRUE(expected.contains(hits[i].key));
      EXPECT_NEAR(hits[i].score, expected.at(hits[i].key), 1e-5);
      if (i == 0) continue;
      EXPECT_GE(hits[i - 1].score, hits[i].score);
      if (hits[i - 1].score == hits[i].score) {
        EXPECT_LT(hits[i - 1].key, hits[i].key);
      }
    }
  }

  void check_search(Scoring scoring) {
    const std::string query = words(6);
    TermBag bag;
    bag.add(query, 1, TermBag::StopWords::keep);
    bag.drop_stop_words();
    const std::string kind = below(2) == 0 ? "" : "two";
    Index::Options options{.limit = 1000, .scoring = scoring};
    if (!kind.empty()) options.kinds = {kind};
    const auto hits = index_.search(query, options);
    compare(hits, model_.search(counts_of(bag), scoring, kind));

    options.limit = 5;
    const auto best = index_.search(query, options);
    ASSERT_EQ(best.size(), std::min<std::size_t>(5, hits.size()));
    for (std::size_t i = 0; i < best.size(); ++i) EXPECT_EQ(best[i].key, hits[i].key);
  }

  void check_similar() {
    const std::string key = "k" + std::to_string(below(80));
    const auto hits = index_.similar(key, {.limit = 1000});
    if (!hits) return;
    auto expected = model_.search(model_.counts(key), Scoring::tfidf, "");
    expected.erase(key);
    compare(*hits, expected);
  }

  std::mt19937 random_{GetParam()};
  Index index_;
  Model model_;
};

TEST_P(IndexModelTest, ScoresAreThoseOfAnIndexMadeAnew) {
  for (int round = 0; round < 45; ++round) {
    // From few documents to many changes, so that all are numbered anew.
    for (int i = 0; i < (round < 15 ? 1 : 150); ++i) change();
    model_.check_stats(index_.stats());
    for (int i = 0; i < 3; ++i) {
      check_search(Scoring::bm25);
      check_search(Scoring::tfidf);
    }
    check_similar();
    if (HasFailure()) FAIL() << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, IndexModelTest, testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace lode
