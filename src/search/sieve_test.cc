// A sieve against all scores. Magnitudes and counts are few, so that there are
// documents which score exactly as much as their bound, and a bound that is only a
// little too low lets some of them through.
#include "search/sieve.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace lode {
namespace {

constexpr std::uint32_t kDocuments = 5000;

class SieveTest : public testing::TestWithParam<unsigned> {
 protected:
  // Some words are common, others are not; some documents have one very often.
  SieveTest() : lists_(1 + GetParam() % 4), counts_(lists_.size()) {
    for (std::uint32_t id = 0; id < kDocuments; ++id) {
      magnitudes_.push_back(static_cast<float>(1 + random_() % 5));
    }
    strata_.rebuild(magnitudes_);
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const unsigned one_in = i == 0 ? 4 : 2U << (random_() % 6);
      counts_[i].resize(kDocuments);
      for (std::uint32_t id = 0; id < kDocuments; ++id) {
        if (random_() % one_in != 0) continue;
        counts_[i][id] = random_() % 100 == 0 ? 9 : 1 + random_() % 2;
        lists_[i].append({id, counts_[i][id]});
      }
    }
  }

  static double part(std::uint32_t count, double magnitude) { return count / magnitude; }

  std::vector<Lane> lanes() const {
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < lists_.size(); ++i) lanes.emplace_back(lists_[i], factor(i), 1e9);
    return lanes;
  }
  static double factor(std::size_t i) { return 4.0 / static_cast<double>(1 + i); }

  double score(std::uint32_t id) const {
    double score = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      score += factor(i) * part(counts_[i][id], magnitudes_[id]);
    }
    return score;
  }

  // Whether all of its postings are looked at.
  bool is_found(const Sieve& sieve, const Sieve::Masks& masks, std::uint32_t id) const {
    const std::uint32_t bit = id % kWindow;
    if (has_bit(masks.exempt, bit)) return has_bit(masks.first, bit);
    if (!has_bit(masks.first, bit)) return false;
    for (std::size_t i = 0; i < sieve.leading(); ++i) {
      if (counts_[i][id] > 0) return true;
    }
    return false;
  }

  std::mt19937 random_{GetParam()};
  std::vector<Postings> lists_;
  std::vector<std::vector<std::uint32_t>> counts_;
  std::vector<float> magnitudes_;
  Strata strata_;
};

TEST_P(SieveTest, WhatIsPassedOverIsNoHit) {
  std::set<double> scores;
  for (std::uint32_t id = 0; id < kDocuments; ++id) scores.insert(score(id));
  scores.erase(0);
  const auto lanes = this->lanes();
  std::size_t passed_over = 0;
  for (const double least : scores) {
    Sieve sieve(lanes, strata_, kDocuments, part);
    sieve.raise(least);
    for (std::size_t place = 0; place * kWindow < kDocuments; ++place) {
      const auto masks = sieve.masks(place);
      const auto first = static_cast<std::uint32_t>(place * kWindow);
      for (std::uint32_t id = first; id < std::min(kDocuments, first + kWindow); ++id) {
        const double its = score(id);
        if (its == 0 || is_found(sieve, masks, id)) continue;
        ASSERT_LT(its, least) << "document " << id;
        ++passed_over;
      }
    }
  }
  EXPECT_GT(passed_over, 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SieveTest, testing::Range(0U, 24U));

}  // namespace
}  // namespace lode
