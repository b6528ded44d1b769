#include "engine/events.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace lode {
namespace {

TEST(Events, ReachEveryListenerInOrderUntilItEnds) {
  Events events;
  std::vector<std::string> heard;
  auto first = events.listen([&](const Change& change) { heard.push_back("1" + change.uri); });
  {
    auto second = events.listen([&](const Change& change) { heard.push_back("2" + change.uri); });
    events.publish({Change::Kind::resource, "a"});
  }
  events.publish({Change::Kind::resource, "b"});
  EXPECT_EQ(heard, (std::vector<std::string>{"1a", "2a", "1b"}));
}

TEST(Events, AListenerMayEndItself) {
  Events events;
  int heard = 0;
  Events::Subscription subscription;
  subscription = events.listen([&](const Change&) {
    ++heard;
    subscription = Events::Subscription();
  });
  events.publish({});
  events.publish({});
  EXPECT_EQ(heard, 1);
}

TEST(Events, TheEndOfASubscriptionWaitsForTheEventThatIsDelivered) {
  Events events;
  std::latch delivering(1);
  std::latch ending(1);
  std::atomic<bool> delivered = false;
  auto subscription = events.listen([&](const Change&) {
    delivering.count_down();
    ending.wait();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();  // time to end too early
    delivered = true;
  });
  std::thread publisher([&] { events.publish({}); });
  delivering.wait();
  ending.count_down();
  subscription = Events::Subscription();
  EXPECT_TRUE(delivered);
  publisher.join();
}

TEST(Events, SeveralThreadsPublishOneAfterTheOther) {
  Events events;
  int heard = 0;  // no lock: publishing is one at a time
  auto subscription = events.listen([&](const Change&) { ++heard; });
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) events.publish({});
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(heard, 2000);
}

TEST(Change, ConcernsWhatItNames) {
  const Uri file = *Uri::parse("file:///a/b");
  EXPECT_TRUE(concerns({Change::Kind::resource, "file:///a/b"}, file));
  EXPECT_FALSE(concerns({Change::Kind::resource, "file:///a"}, file));
  EXPECT_TRUE(concerns({Change::Kind::tree, "file:///a"}, file));
  EXPECT_FALSE(concerns({Change::Kind::tree, "file:///c"}, file));
  EXPECT_TRUE(concerns({Change::Kind::tree}, file));
  EXPECT_TRUE(concerns({Change::Kind::tree, "file://"}, file)) << "a whole scheme";
  EXPECT_FALSE(concerns({Change::Kind::tree, "files://"}, file));
  EXPECT_FALSE(concerns({Change::Kind::resource_list}, file));
}

TEST(Change, KindsHaveNames) {
  for (const auto kind : {Change::Kind::resource, Change::Kind::tree, Change::Kind::resource_list,
                          Change::Kind::tool_list, Change::Kind::prompt_list}) {
    EXPECT_EQ(find_change_kind(to_string(kind)), kind);
  }
  EXPECT_FALSE(find_change_kind("of a newer Lode"));
}

}  // namespace
}  // namespace lode
