#include "store/change_feed.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <thread>
#include <vector>

#include "store/file_bell.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "store/test_directory.h"

namespace lode {
namespace {

using std::chrono::system_clock;

// Two feeds on one database are what two processes have.
class ChangeFeedTest : public ::testing::Test {
 protected:
  struct Listening {
    std::unique_ptr<FeedListener> listener;
    std::vector<std::string> heard;

    bool drain() { return listener->drain().ok(); }
  };

  ChangeFeedTest()
      : database(open_sqlite({.path = directory / "db", .forced_reruns = 1}).value()),
        bell(directory / "bell") {
    EXPECT_TRUE(migrate(*database, lode_migrations()));
    FeedOptions options;
    options.keep_entries = 300;
    options.clock = [this] { return now; };
    ours = std::make_unique<ChangeFeed>(*database, bell, options);
    theirs = std::make_unique<ChangeFeed>(*database, bell, options);
  }

  // The tick is far off: what wakes, is the bell.
  std::unique_ptr<Listening> listen(std::chrono::milliseconds tick = std::chrono::hours(1)) {
    auto listening = std::make_unique<Listening>();
    auto* heard = &listening->heard;
    listening->listener =
        FeedListener::open(*ours,
                           {[=](const FeedEntry& entry) {
                              heard->push_back(entry.change.kind + " " + entry.change.uri);
                            },
                            [=] { heard->push_back("gap"); }},
                           tick)
            .value();
    return listening;
  }
  static bool readable(int fd, int milliseconds = 0) {
    pollfd wait{fd, POLLIN, 0};
    return ::poll(&wait, 1, milliseconds) == 1;
  }
  // In one transaction, for speed.
  void publish_many(int count) const {
    EXPECT_TRUE(database->transaction([&](Transaction& transaction) -> Status {
      for (int i = 0; i < count; ++i) {
        if (auto done = theirs->publish(transaction, {"k", std::to_string(i)}); !done) return done;
      }
      return {};
    }));
  }

  TestDirectory directory;
  std::unique_ptr<Database> database;
  const FileBell bell;
  system_clock::time_point now = system_clock::time_point(std::chrono::hours(24 * 365 * 50));
  std::unique_ptr<ChangeFeed> ours;
  std::unique_ptr<ChangeFeed> theirs;
};

TEST_F(ChangeFeedTest, KeepsWhatWasPublished) {
  ASSERT_TRUE(ours->publish({"resource", "file:///a"}));
  ASSERT_TRUE(theirs->publish({"tool_list", ""}));
  auto page = ours->read_since(0, 10);
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->entries.size(), 2U);
  EXPECT_EQ(page->entries[0].sequence, 1);
  EXPECT_EQ(page->entries[0].change.kind, "resource");
  EXPECT_EQ(page->entries[0].change.uri, "file:///a");
  EXPECT_EQ(page->entries[0].origin, ours->origin());
  EXPECT_EQ(page->entries[0].time, now);
  EXPECT_EQ(page->entries[1].origin, theirs->origin());
  EXPECT_NE(ours->origin(), theirs->origin());
  EXPECT_EQ(page->newest, 2);
  EXPECT_FALSE(page->gap);
  EXPECT_EQ(ours->read_since(0, 1)->entries.size(), 1U);
  EXPECT_EQ(ours->read_since(1, 10)->entries.size(), 1U);
  EXPECT_EQ(ours->read_since(2, 10)->entries.size(), 0U);
}

TEST_F(ChangeFeedTest, IsCommittedWithTheCallersData) {
  auto listening = listen();
  EXPECT_FALSE(database->transaction([&](Transaction& transaction) -> Status {
    EXPECT_TRUE(theirs->publish(transaction, {"k", "lost"}));
    return invalid("no");
  }));
  EXPECT_FALSE(readable(listening->listener->descriptor()));
  EXPECT_EQ(*ours->newest(), 0);
}

TEST_F(ChangeFeedTest, PassesOnTheChangesOfOthersOnce) {
  ASSERT_TRUE(theirs->publish({"k", "before"}));
  auto listening = listen();
  EXPECT_FALSE(readable(listening->listener->descriptor()));
  ASSERT_TRUE(theirs->publish({"k", "1"}));
  ASSERT_TRUE(ours->publish({"k", "own"}));
  ASSERT_TRUE(theirs->publish({"k", "2"}));
  EXPECT_TRUE(readable(listening->listener->descriptor()));
  EXPECT_TRUE(listening->drain());
  EXPECT_FALSE(readable(listening->listener->descriptor()));
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard, (std::vector<std::string>{"k 1", "k 2"}));
}

TEST_F(ChangeFeedTest, ReadsOnWhenThereAreManyPages) {
  auto listening = listen();
  for (int i = 0; i < 3; ++i) publish_many(83);  // not yet pruned
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard.size(), 249U);
}

TEST_F(ChangeFeedTest, TellsWhoFellBehindThatSomethingIsMissing) {
  auto listening = listen();
  publish_many(768);
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard, (std::vector<std::string>{"gap"}));
  ASSERT_TRUE(theirs->publish({"k", "after"}));
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard, (std::vector<std::string>{"gap", "k after"}));
  EXPECT_EQ(database->query("SELECT sequence FROM change_feed")->size(), 301U);
}

TEST_F(ChangeFeedTest, DropsWhatIsOld) {
  publish_many(200);
  now += std::chrono::hours(8 * 24);
  publish_many(56);
  EXPECT_TRUE(ours->read_since(199, 10)->gap);
  EXPECT_FALSE(ours->read_since(200, 10)->gap);
  EXPECT_EQ(ours->read_since(200, 100)->entries.size(), 56U);
}

TEST_F(ChangeFeedTest, NoticesAFeedThatBeganAnew) {
  publish_many(3);
  auto listening = listen();
  ASSERT_TRUE(database->execute("UPDATE change_feed_head SET newest = 1"));
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard, (std::vector<std::string>{"gap"}));
}

TEST_F(ChangeFeedTest, WakesByTheTickWhenNobodyRang) {
  auto listening = listen(std::chrono::milliseconds(20));
  std::filesystem::remove(directory / "bell");
  EXPECT_TRUE(readable(listening->listener->descriptor(), 60'000));
  EXPECT_TRUE(listening->drain());
  EXPECT_TRUE(std::filesystem::exists(directory / "bell"));
}

TEST_F(ChangeFeedTest, WatchesABellThatWasReplaced) {
  auto listening = listen(std::chrono::milliseconds(20));
  std::filesystem::remove(directory / "bell");
  ASSERT_TRUE(readable(listening->listener->descriptor(), 60'000));
  EXPECT_TRUE(listening->drain());
  ASSERT_TRUE(theirs->publish({"k", "1"}));
  ASSERT_TRUE(readable(listening->listener->descriptor(), 60'000));
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard, (std::vector<std::string>{"k 1"}));
}

TEST_F(ChangeFeedTest, LosesNothingWhileManyPublish) {
  auto listening = listen();
  std::atomic<int> publishing{3};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 30; ++n) EXPECT_TRUE(theirs->publish({"k", std::to_string(n)}));
      --publishing;
    });
  }
  while (publishing > 0) EXPECT_TRUE(listening->drain());
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(listening->drain());
  EXPECT_EQ(listening->heard.size(), 90U);
}

}  // namespace
}  // namespace lode
