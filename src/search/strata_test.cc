#include "search/strata.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

namespace lode {
namespace {

std::size_t count_below(const Strata& strata, std::size_t edge, std::size_t documents) {
  std::size_t n = 0;
  for (std::size_t place = 0; place * kWindow < documents; ++place) {
    for (const auto word : strata.below(edge, place)) {
      n += static_cast<std::size_t>(std::popcount(word));
    }
  }
  return n;
}

void expect_invariant(const Strata& strata, const std::vector<float>& magnitudes) {
  for (std::uint32_t i = 0; i < magnitudes.size(); ++i) {
    for (std::size_t edge = 0; edge < Strata::kEdges; ++edge) {
      if (magnitudes[i] < strata.edge(edge)) {
        ASSERT_TRUE(has_bit(strata.below(edge, i / kWindow), i % kWindow));
      }
    }
  }
}

TEST(StrataTest, WhatIsLessThanAnEdgeIsBelowIt) {
  std::mt19937 random(1);
  std::lognormal_distribution<float> magnitude(4, 1);
  std::vector<float> magnitudes(10'000);
  for (auto& each : magnitudes) each = magnitude(random);
  Strata strata;
  EXPECT_TRUE(strata.empty());
  strata.lower(3, 0.5F);
  strata.rebuild(magnitudes);
  EXPECT_FALSE(strata.empty());
  expect_invariant(strata, magnitudes);
  for (std::size_t edge = 1; edge < Strata::kEdges; ++edge) {
    const auto share = static_cast<double>(count_below(strata, edge, magnitudes.size())) /
                       static_cast<double>(magnitudes.size());
    EXPECT_NEAR(share, Strata::share(edge), 0.3 * Strata::share(edge) + 0.01);
  }

  for (std::uint32_t i = 0; i < 12'000; i += 7) {
    if (i >= magnitudes.size()) magnitudes.resize(i + 1, 1e9F);
    magnitudes[i] = std::min(magnitudes[i], magnitude(random));
    strata.lower(i, magnitudes[i]);
  }
  expect_invariant(strata, magnitudes);
}

TEST(StrataTest, AllOfOneMagnitude) {
  const std::vector<float> magnitudes(5'000, 7);
  Strata strata;
  strata.rebuild(magnitudes);
  EXPECT_EQ(strata.edge(Strata::kEdges - 1), 7);
  EXPECT_EQ(count_below(strata, Strata::kEdges - 1, magnitudes.size()), 0U);
  strata.rebuild({});
  EXPECT_TRUE(strata.empty());
}

}  // namespace
}  // namespace lode
