#include "server/token_ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/content.h"

namespace lode {
namespace {

std::shared_ptr<const Cached> text_of(std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += " word";
  Contents contents;
  contents.items.push_back(Content::text(text));
  contents.whole_bytes = 10 * text.size();
  return std::make_shared<const Cached>(std::move(contents), std::chrono::steady_clock::now(),
                                        DropClock::Origin{});
}

// Adds up what is told.
class TokenLedgerTest : public testing::Test {
 protected:
  TokenLedger ledger(const TokenLedger::Limits& limits) {
    return TokenLedger(
        [this](const TokensServed& told) {
          Lock lock(mutex_);
          (told.count.estimated ? estimated_ : exact_) += told.count.tokens;
          bytes_ += told.bytes;
          whole_bytes_ += told.whole_bytes;
        },
        pool_, limits);
  }
  std::size_t exact() {
    Lock lock(mutex_);
    return exact_;
  }
  std::size_t estimated() {
    Lock lock(mutex_);
    return estimated_;
  }

  std::size_t bytes() {
    Lock lock(mutex_);
    return bytes_;
  }
  std::size_t whole_bytes() {
    Lock lock(mutex_);
    return whole_bytes_;
  }

  WorkerPool pool_{1, 16};

 private:
  Mutex mutex_;
  std::size_t bytes_ LODE_GUARDED_BY(mutex_) = 0;
  std::size_t whole_bytes_ LODE_GUARDED_BY(mutex_) = 0;
  std::size_t exact_ LODE_GUARDED_BY(mutex_) = 0;
  std::size_t estimated_ LODE_GUARDED_BY(mutex_) = 0;
};

TEST_F(TokenLedgerTest, CountsSmallTextsAtOnceAndOthersWhenAsked) {
  auto tokens = ledger({});
  tokens.served("resources/read", text_of(10));
  EXPECT_EQ(exact(), 10U);
  const auto large = text_of(2000);
  tokens.served("resources/read", large);
  tokens.served("resources/read", large);
  EXPECT_EQ(exact(), 10U);
  tokens.settle();
  EXPECT_EQ(exact(), 4010U);
  tokens.served("resources/read", large);  // known by now
  EXPECT_EQ(exact(), 6010U);
  EXPECT_EQ(estimated(), 0U);
  EXPECT_EQ(bytes(), 5 * 6010U);
  EXPECT_EQ(whole_bytes(), 10 * bytes());
}

TEST_F(TokenLedgerTest, CountsWhenASecondPassedWithoutAnyRead) {
  auto tokens = ledger({});
  tokens.served("resources/read", text_of(2000));
  tokens.tick();
  EXPECT_EQ(exact(), 0U);
  tokens.tick();
  pool_.finish();
  EXPECT_EQ(exact(), 2000U);
}

TEST_F(TokenLedgerTest, CountsSoonWhatIsReadOften) {
  TokenLedger::Limits limits;
  limits.often = 3;
  auto tokens = ledger(limits);
  const auto large = text_of(2000);
  for (int i = 0; i < 3; ++i) tokens.served("resources/read", large);
  pool_.finish();
  EXPECT_EQ(exact(), 6000U);
  EXPECT_TRUE(large->known_tokens());
}

TEST_F(TokenLedgerTest, EstimatesTheOldestWhenTooMuchWaits) {
  TokenLedger::Limits limits;
  limits.texts = 2;
  auto tokens = ledger(limits);
  const auto oldest = text_of(5000);
  tokens.served("resources/read", oldest);
  tokens.served("resources/read", text_of(2000));
  EXPECT_EQ(estimated(), 0U);
  tokens.served("resources/read", text_of(2000));
  // Samples begin in the middle of words, which costs some tokens more.
  EXPECT_NEAR(static_cast<double>(estimated()), 5000, 500);
  EXPECT_FALSE(oldest->known_tokens());
  tokens.settle();
  EXPECT_EQ(exact(), 4000U);
}

}  // namespace
}  // namespace lode
