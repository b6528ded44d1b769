#include "search/postings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lode {
namespace {

class PostingsTest : public testing::Test {
 protected:
  void append(std::uint32_t document, std::uint32_t count) {
    postings_.append({document, count});
    expected_[document] = count;
  }

  void expect_all() const {
    std::map<std::uint32_t, std::uint32_t> found;
    postings_.each([&](const Posting& posting) {
      if (!found.empty()) {
        ASSERT_GT(posting.document, found.rbegin()->first);
      }
      found[posting.document] = posting.count;
    });
    EXPECT_EQ(found, expected_);
    EXPECT_EQ(postings_.living(), expected_.size());
  }

  Postings postings_;
  std::map<std::uint32_t, std::uint32_t> expected_;
};

TEST_F(PostingsTest, TheFormFollowsTheShare) {
  std::uint32_t document = 0;
  for (int i = 0; i < 2000; ++i) append(document += 100, 1);
  EXPECT_EQ(postings_.dense(), nullptr) << "one in a hundred";
  for (; postings_.dense() == nullptr; ++document) append(document + 1, document % 7 + 1);
  EXPECT_GE(16 * expected_.size(), document);
  expect_all();
  while (postings_.dense() != nullptr) append(document += 1000, 300);
  EXPECT_LT(32 * (expected_.size() - 1), document);
  expect_all();
  EXPECT_EQ(postings_.most(), 300U);
}

TEST_F(PostingsTest, AShortListIsNotDense) {
  for (std::uint32_t i = 0; i < 511; ++i) append(i, 1);
  EXPECT_EQ(postings_.dense(), nullptr);
  append(511, 1);
  EXPECT_NE(postings_.dense(), nullptr);
  expect_all();
}

TEST_F(PostingsTest, FilledAtOnceTheyAreTheSame) {
  for (const std::uint32_t step : {1U, 3U, 40U, 5000U}) {
    for (const std::uint32_t size : {0U, 1U, 2U, 600U, 3000U}) {
      SCOPED_TRACE(std::to_string(step) + " " + std::to_string(size));
      postings_ = Postings();
      expected_.clear();
      Postings::Tally tally;
      const auto each = [&](const auto& f) {
        for (std::uint32_t i = 0; i < size; ++i) f(Posting{i * step, i % 400 + 1});
      };
      each([&](const Posting& posting) { tally.add(posting); });
      auto filler = postings_.fill(tally, size * step + 1);
      each([&](const Posting& posting) {
        filler.append(posting);
        expected_[posting.document] = posting.count;
      });
      expect_all();
      EXPECT_EQ(postings_.most(), std::min(size, 400U));
      EXPECT_EQ(postings_.dense() != nullptr, step < 16 && size >= 512);
      append(size * step + 7, 9);  // it goes on from there
      append(size * step + 8, 9);
      expect_all();
    }
  }
}

TEST_F(PostingsTest, AMaskChooses) {
  for (std::uint32_t i = 0; i < 5000; ++i)
    append(3 * i + i % 2, i % 100 == 0 ? 1000 + i : i % 5 + 1);
  const DenseList& list = *postings_.dense();
  for (std::size_t place = 0; place < list.windows(); ++place) {
    WindowBits mask{};
    for (std::uint32_t i = 0; i < kWindow; i += 1 + i % 9) set_bit(mask, i);
    std::vector<std::uint32_t> found;
    list.each(place, mask, [&](std::uint32_t document, std::uint32_t count) {
      ASSERT_EQ(count, expected_.at(document));
      found.push_back(document);
    });
    std::vector<std::uint32_t> wanted;
    for (const auto& [document, count] : expected_) {
      if (document / kWindow == place && has_bit(mask, document % kWindow)) {
        wanted.push_back(document);
      }
    }
    EXPECT_EQ(found, wanted);
  }
}

TEST_F(PostingsTest, TheLoudAreFewAndTheOthersModest) {
  // Counts grow as time goes on, so that what is loud must be said anew.
  for (std::uint32_t i = 0; i < 20'000; ++i) append(2 * i, 1 + i * 7919 % (i / 100 + 1));
  const DenseList& list = *postings_.dense();
  std::size_t loud = 0;
  for (const auto& [document, count] : expected_) {
    WindowBits bits{};
    list.add_loud_bits(document / kWindow, bits);
    const bool is_loud = has_bit(bits, document % kWindow);
    ASSERT_EQ(is_loud, count > list.modest());
    loud += is_loud ? 1 : 0;
  }
  EXPECT_GT(loud, 0U);
  EXPECT_LE(loud, expected_.size() / DenseList::kLoud + 64);
}

}  // namespace
}  // namespace lode
