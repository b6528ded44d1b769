#include "base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace lode {
namespace {

TEST(WorkerPool, RunsWhatIsQueuedBeforeItEnds) {
  std::atomic<int> ran = 0;
  WorkerPool pool(2, 100);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.submit([&] { ++ran; }));
  EXPECT_TRUE(pool.finish());
  EXPECT_EQ(ran, 100);
  EXPECT_FALSE(pool.submit([] {}));
}

TEST(WorkerPool, RefusesWhenTheQueueIsFull) {
  std::promise<void> go;
  std::promise<void> begun;
  WorkerPool pool(1, 2);
  ASSERT_TRUE(pool.submit([&, gate = go.get_future().share()] {
    begun.set_value();
    gate.wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(pool.submit([] {}));
  EXPECT_TRUE(pool.submit([] {}));
  EXPECT_FALSE(pool.submit([] {}));
  go.set_value();
}

TEST(WorkerPool, WorksOnBesideJobsThatHang) {
  std::promise<void> go;
  const auto gate = go.get_future().share();
  WorkerPool pool(2, 100, 3);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(pool.submit([gate] { gate.wait(); }));
  std::promise<void> other;
  ASSERT_TRUE(pool.submit([&] { other.set_value(); }));
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

}  // namespace
}  // namespace lode
