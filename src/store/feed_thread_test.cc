#include "store/feed_thread.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#include <atomic>
#include <ctime>
#include <future>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "store/file_bell.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "store/test_directory.h"

namespace lode {
namespace {

using std::chrono::milliseconds;

// A bell without a file, for one process: to ring is to make the watches' timers due.
class TimerBell final : public Bell {
 public:
  void ring() const override {
    const Lock lock(mutex_);
    if (broken) return;
    for (const auto& weak : watches_) {
      if (const auto watch = weak.lock()) watch->set({0, 1});
    }
  }

  Result<std::unique_ptr<BellWatch>> watch(milliseconds tick) const override {
    auto timer = std::make_shared<Timer>(tick);
    timer->set(timer->tick);
    const Lock lock(mutex_);
    watches_.push_back(timer);
    return std::unique_ptr<BellWatch>(std::make_unique<Watch>(timer));
  }

  std::atomic<bool> broken{false};  // nobody hears it

 private:
  struct Timer {
    explicit Timer(milliseconds time)
        : tick{time.count() / 1000, time.count() % 1000 * 1'000'000} {}
    void set(timespec first) const {
      const itimerspec times{tick, first};
      ::timerfd_settime(fd.get(), 0, &times, nullptr);
    }
    const timespec tick;
    const Descriptor fd{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
  };
  class Watch final : public BellWatch {
   public:
    explicit Watch(std::shared_ptr<const Timer> timer) : timer_(std::move(timer)) {}
    int descriptor() const override { return timer_->fd.get(); }
    void silence() override {
      std::uint64_t times = 0;
      if (::read(timer_->fd.get(), &times, sizeof times) < 0) return;
    }

   private:
    const std::shared_ptr<const Timer> timer_;
  };

  mutable Mutex mutex_;
  mutable std::vector<std::weak_ptr<const Timer>> watches_ LODE_GUARDED_BY(mutex_);
};

class FeedThreadTest : public ::testing::Test {
 protected:
  FeedThreadTest() { EXPECT_TRUE(migrate(*database, lode_migrations())); }

  // Whether a change of another process wakes the thread that listens to ours.
  bool heard(const Bell& bell, milliseconds tick) {
    ChangeFeed ours(*database, bell);
    ChangeFeed theirs(*database, bell);
    std::promise<std::string> word;
    auto listener = FeedListener::open(
        ours, {[&](const FeedEntry& entry) { word.set_value(entry.change.uri); }, [] {}}, tick);
    EXPECT_TRUE(listener);
    FeedThread thread(**listener, log);
    EXPECT_TRUE(thread.start());
    EXPECT_TRUE(theirs.publish({"k", "a"}));
    auto future = word.get_future();
    return future.wait_for(std::chrono::seconds(30)) == std::future_status::ready &&
           future.get() == "a";
  }

  TestDirectory directory;
  std::unique_ptr<Database> database = open_sqlite({.path = directory / "db"}).value();
  Log log = Log::silent();
};

constexpr milliseconds kFarOff = std::chrono::hours(1);

TEST_F(FeedThreadTest, IsWokenByAFile) {
  EXPECT_TRUE(heard(FileBell(directory / "bell"), kFarOff));
}

TEST_F(FeedThreadTest, IsWokenByAnyOtherBell) { EXPECT_TRUE(heard(TimerBell(), kFarOff)); }

TEST_F(FeedThreadTest, LooksAtTheTickWhereNoRingIsHeard) {
  TimerBell bell;
  bell.broken = true;
  EXPECT_TRUE(heard(bell, milliseconds(20)));
}

TEST_F(FeedThreadTest, LooksAtTheTickWhereThePathIsAPipe) {
  const std::string path = directory / "bell";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(heard(FileBell(path), milliseconds(20)));
}

}  // namespace
}  // namespace lode
