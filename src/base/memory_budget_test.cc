#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/shared_text.h"

namespace lode {
namespace {

const Principal kLocal = Principal::local();
const Principal kOwner = Principal::owner();
const Principal kVisitor = Principal::visitor();

TEST(MemoryBudget, CountsWhileAChargeLives) {
  MemoryBudget budget(1000);
  {
    MemoryCharge charge(budget.share(kOwner), 100);
    MemoryCharge moved(std::move(charge));
    EXPECT_EQ(budget.used(), 100U);
    moved.become(40);
    EXPECT_EQ(budget.used(), 40U);
    moved = MemoryCharge(budget.share(kOwner), 7);
    EXPECT_EQ(budget.used(), 7U);
  }
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_EQ(budget.refusals(), 0U);
}

TEST(MemoryBudget, LeavesTheOwnerWhatGuestsCannotHave) {
  MemoryBudget budget(800);
  auto& visitor = budget.share(kVisitor);
  const MemoryCharge most(visitor, 300);
  EXPECT_TRUE(visitor.fits());
  const MemoryCharge over(visitor, 1);
  EXPECT_FALSE(visitor.fits());
  EXPECT_EQ(budget.refusals(), 1U);
  auto& owner = budget.share(kOwner);
  const MemoryCharge all(owner, 400);
  EXPECT_TRUE(owner.fits());
  const MemoryCharge too_much(owner, 1);
  EXPECT_FALSE(owner.fits());
  EXPECT_TRUE(budget.share(kLocal).fits());
}

TEST(MemoryBudget, GuestsTogetherHaveHalf) {
  MemoryBudget budget(800);
  // Names that do not share a share.
  std::vector<MemoryShare*> guests = {&budget.share(kVisitor)};
  for (char c = 'a'; guests.size() < 2; ++c) {
    auto* share = &budget.share({std::string(1, c)});
    if (share != guests.front()) guests.push_back(share);
  }
  const MemoryCharge first(*guests[0], 300);
  EXPECT_TRUE(guests[1]->fits());
  MemoryCharge second(*guests[1], 101);
  EXPECT_FALSE(guests[1]->fits());
  second.become(100);
  EXPECT_TRUE(guests[1]->fits());
}

TEST(MemoryBudget, CountsALoanOnceForAllWhoHoldIt) {
  MemoryBudget budget(10'000);
  auto& share = budget.share(kVisitor);
  const auto text = std::make_shared<const SharedText>(std::string(500, 'x'), 100);
  const auto hold = [&](MemoryShare& by) {
    MemoryCharge charge(by, 1);
    charge.borrow({text, &text->loan});
    return charge;
  };
  {
    const auto first = hold(share);
    const auto second = hold(budget.share(kOwner));
    EXPECT_EQ(budget.used(), 602U);
    EXPECT_EQ(share.used(), 601U);
  }
  EXPECT_EQ(budget.used(), 0U);
  auto third = hold(share);
  third.become(3);
  EXPECT_EQ(budget.used(), 3U);
}

TEST(MemoryBudget, KeepsCountAmongThreads) {
  MemoryBudget budget(1 << 20);
  const auto text = std::make_shared<const SharedText>(std::string(500, 'x'));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      auto& share = budget.share(i % 2 == 0 ? kVisitor : kOwner);
      for (int n = 0; n < 10'000; ++n) {
        MemoryCharge charge(share, 10);
        charge.borrow({text, &text->loan});
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(budget.used(), 0U);
}

// A history that counts itself.
class History final : public Forgettable {
 public:
  History(MemoryShare& share, std::size_t bytes) : charge_(share, bytes) { charge_.keep(); }
  void forget() override { charge_.release(); }
  bool forgotten() const { return charge_.share() == nullptr; }

 private:
  MemoryCharge charge_;
};

TEST(MemoryBudget, ForgetsWhatWasKeptLongestFirst) {
  MemoryBudget budget(3200);
  auto& share = budget.share(kVisitor);  // 1200, of which 300 for what is kept
  std::vector<std::shared_ptr<History>> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(std::make_shared<History>(share, 100));
    share.keep(all.back());
  }
  EXPECT_TRUE(all[0]->forgotten());
  EXPECT_FALSE(all[1]->forgotten());
  EXPECT_EQ(share.kept(), 300U);

  const MemoryCharge work(share, 1050);
  EXPECT_TRUE(share.fits());
  EXPECT_TRUE(all[1]->forgotten());
  EXPECT_TRUE(all[2]->forgotten());
  EXPECT_FALSE(all[3]->forgotten());
  EXPECT_EQ(budget.refusals(), 0U);
}

TEST(MemoryBudget, IsPressedByWhatCannotBeForgotten) {
  MemoryBudget budget(3200);
  auto& share = budget.share(kVisitor);
  const auto history = std::make_shared<History>(share, 300);
  MemoryCharge work(share, 900);
  EXPECT_FALSE(share.pressed());
  work.become(901);
  EXPECT_TRUE(share.pressed());
}

}  // namespace
}  // namespace lode
