#include "providers/activity/provider.h"

#include <gtest/gtest.h>

#include "engine/test_gate.h"

namespace lode {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

TEST(ActivityProvider, ShowsWhatIsCounted) {
  std::string text = "{}";
  ActivityProvider provider([&] { return text; }, [] { return 1; });
  TestRequest anybody([](Action, const Uri&) { return true; });
  const auto read = [&] {
    const auto outcome = read_at(provider, anybody.exchange(), *Uri::parse("lode://activity"));
    return std::get<Contents>(outcome.value());
  };
  const auto first = read();
  EXPECT_EQ(first.items.front().bytes, "{}");
  EXPECT_EQ(first.items.front().mime, "application/json");
  EXPECT_EQ(first.ttl.count(), 0);
  EXPECT_EQ(read().items.front().version, first.items.front().version);
  text = R"({"minutes":[]})";
  EXPECT_NE(read().items.front().version, first.items.front().version);
  const auto listed = provider.list(anybody.exchange(), {});
  ASSERT_TRUE(listed);
  ASSERT_EQ(listed->items.size(), 1U);
  EXPECT_EQ(listed->items.front().uri, "lode://activity");
}

TEST(ActivityProvider, TellsNotTooOftenAndNothingThatIsOld) {
  std::uint64_t revision = 1;
  ActivityProvider provider([] { return "{}"; }, [&] { return revision; });
  Events events;
  int told = 0;
  const auto subscription = events.listen([&](const Change& change) {
    EXPECT_EQ(change.uri, "lode://activity");
    ++told;
  });
  auto now = steady_clock::now();
  provider.publish(now, events);
  EXPECT_EQ(told, 0) << "nobody listens";
  provider.watch(*Uri::parse("lode://activity"), true);
  provider.publish(now, events);
  EXPECT_EQ(told, 1);
  for (int i = 0; i < 9; ++i) {
    ++revision;
    provider.publish(now += std::chrono::milliseconds(500), events);
  }
  EXPECT_EQ(told, 1) << "within five seconds";
  provider.publish(now += seconds(1), events);
  EXPECT_EQ(told, 2);
  provider.publish(now += seconds(10), events);
  EXPECT_EQ(told, 2) << "nothing is new";
  ++revision;
  provider.watch(*Uri::parse("lode://activity"), false);
  provider.publish(now += seconds(10), events);
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace lode
