#include "base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace lode {
namespace {

const Principal kOwner = Principal::owner();
const Principal kVisitor = Principal::visitor();

TEST(WorkerPool, RunsWhatIsQueuedBeforeItEnds) {
  std::atomic<int> ran = 0;
  WorkerPool pool(2, 100);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.submit(kOwner, [&] { ++ran; }));
  EXPECT_TRUE(pool.finish());
  EXPECT_EQ(ran, 100);
  EXPECT_FALSE(pool.submit(kOwner, [] {}));
}

TEST(WorkerPool, RefusesWhenTheQueueIsFull) {
  std::promise<void> go;
  std::promise<void> begun;
  WorkerPool pool(1, 2);
  ASSERT_TRUE(pool.submit(kOwner, [&, gate = go.get_future().share()] {
    begun.set_value();
    gate.wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(pool.submit(kOwner, [] {}));
  EXPECT_TRUE(pool.submit(kOwner, [] {}));
  EXPECT_FALSE(pool.submit(kOwner, [] {}));
  go.set_value();
}

TEST(WorkerPool, WorksOnBesideJobsThatHang) {
  std::promise<void> go;
  const auto gate = go.get_future().share();
  WorkerPool pool(2, 100, 3);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(pool.submit(kOwner, [gate] { gate.wait(); }));
  std::promise<void> other;
  ASSERT_TRUE(pool.submit(kOwner, [&] { other.set_value(); }));
  auto ran = other.get_future();
  for (int i = 0;
       i < 1000 && ran.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready; ++i) {
    pool.tick();
  }
  EXPECT_EQ(ran.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_FALSE(pool.finish(std::chrono::milliseconds(10)));
  go.set_value();
  EXPECT_TRUE(pool.finish());
}

TEST(WorkerPool, GuestsFillTheirPartOfTheQueueOnly) {
  std::promise<void> go;
  const auto gate = go.get_future().share();
  std::promise<void> begun;
  WorkerPool pool(1, 4, 1);
  ASSERT_TRUE(pool.submit(kVisitor, [&, gate] {
    begun.set_value();
    gate.wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(pool.submit(kVisitor, [] {}));
  EXPECT_TRUE(pool.submit(kVisitor, [] {}));
  EXPECT_FALSE(pool.submit(kVisitor, [] {}));
  EXPECT_TRUE(pool.submit(kOwner, [] {}));
  go.set_value();
}

TEST(WorkerPool, RunsTheOwnersWorkBesideHangingGuests) {
  constexpr std::size_t kThreads = 3;
  std::promise<void> go;
  const auto gate = go.get_future().share();
  WorkerPool pool(kThreads, 100, kThreads);
  for (std::size_t i = 0; i < 2 * kThreads; ++i) {
    ASSERT_TRUE(pool.submit(kVisitor, [gate] { gate.wait(); }));
  }
  for (int i = 0; i < 10; ++i) {  // no tick: it needs no growth
    std::promise<void> ran;
    ASSERT_TRUE(pool.submit(kOwner, [&] { ran.set_value(); }));
    ran.get_future().wait();
  }
  go.set_value();
  EXPECT_TRUE(pool.finish());
}

TEST(WorkerPool, TakesTurnsBetweenPrincipals) {
  std::promise<void> go;
  std::string order;
  WorkerPool pool(1, 100, 1);
  ASSERT_TRUE(pool.submit(kOwner, [gate = go.get_future().share()] { gate.wait(); }));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.submit({"ann"}, [&] { order += 'a'; }));
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.submit({"bob"}, [&] { order += 'b'; }));
  }
  go.set_value();
  EXPECT_TRUE(pool.finish());
  EXPECT_EQ(order, "ababab");
}

}  // namespace
}  // namespace lode
