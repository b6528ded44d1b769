#include "server/activity.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json.h"

namespace lode {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class ActivityTest : public ::testing::Test {
 protected:
  JsonDocument now() { return JsonDocument::parse(activity.json()).value(); }
  // Of the minute that runs, or of one before.
  static JsonView minute(const JsonDocument& document, std::size_t before = 0) {
    JsonView found;
    const auto all = document.root()["minutes"];
    std::size_t at = 0;
    all.each([&](JsonView each) {
      if (++at == all.size() - before) found = each;
    });
    return found;
  }
  void serve(int count, std::chrono::steady_clock::duration took, int error = 0,
             std::string_view method = "resources/read") {
    for (int i = 0; i < count; ++i) activity.observe(Served{method, error, took});
  }

  // 2026-11-18T09:28:40Z
  Activity::Clock::time_point time{seconds(1'794'994'120)};
  Activity::CacheCounts cache{};
  Activity activity{[this] { return cache; }, [this] { return time; }};
};

TEST_F(ActivityTest, BeginsWithTheMinuteThatRuns) {
  EXPECT_EQ(activity.json(),
            R"({"minutes":[{"at":"2026-11-18T09:28:00Z","requests":0,"errors":0,"p50_ms":0,)"
            R"("p95_ms":0,"cache_hits":0,"cache_misses":0,"tokens_served":0,"tokens_saved":0}],)"
            R"("since":"2026-11-18T09:28:40Z"})");
}

TEST_F(ActivityTest, TellsHowLongRequestsTook) {
  serve(90, milliseconds(2));
  serve(9, milliseconds(100));
  serve(1, seconds(3), -32603);
  serve(5, std::chrono::hours(1), 0, "subscriptions/listen");
  const auto told = now();
  EXPECT_EQ(minute(told)["requests"].integer(), 105);
  EXPECT_EQ(minute(told)["errors"].integer(), 1);
  EXPECT_NEAR(minute(told)["p50_ms"].number().value(), 2, 0.13);
  EXPECT_NEAR(minute(told)["p95_ms"].number().value(), 100, 7);
}

TEST_F(ActivityTest, TimesWhatIsVeryShortOrLong) {
  serve(1, microseconds(0));
  EXPECT_LE(minute(now())["p50_ms"].number().value(), 0.001);
  time += minutes(1);
  activity.tick();
  serve(1, std::chrono::hours(10));
  EXPECT_GT(minute(now())["p50_ms"].number().value(), 60'000);
}

TEST_F(ActivityTest, HasAMinuteForEachOfTheLastHour) {
  serve(1, milliseconds(1));
  cache = {10, 4};
  time += minutes(1);
  activity.tick();
  serve(2, milliseconds(1));
  cache = {15, 5};
  const auto two = now();
  EXPECT_EQ(two.root()["minutes"].size(), 2U);
  EXPECT_EQ(minute(two, 1)["requests"].integer(), 1);
  EXPECT_EQ(minute(two, 1)["cache_hits"].integer(), 10);
  EXPECT_EQ(minute(two)["requests"].integer(), 2);
  EXPECT_EQ(minute(two)["cache_hits"].integer(), 5);
  EXPECT_EQ(minute(two)["cache_misses"].integer(), 1);
  time += minutes(59);
  const auto hour = now();
  EXPECT_EQ(hour.root()["minutes"].size(), 60U);
  EXPECT_EQ(minute(hour, 59)["requests"].integer(), 2) << "the first one is over an hour ago";
  EXPECT_EQ(minute(hour, 30)["requests"].integer(), 0);
  EXPECT_EQ(minute(hour)["at"].string(), "2026-11-18T10:28:00Z");
  EXPECT_EQ(hour.root()["since"].string(), "2026-11-18T09:28:40Z");
  time += std::chrono::hours(24 * 365);
  EXPECT_EQ(now().root()["minutes"].size(), 60U);
  EXPECT_EQ(minute(now(), 59)["requests"].integer(), 0);
  time -= std::chrono::hours(5);
  serve(1, milliseconds(1));
  EXPECT_EQ(now().root()["minutes"].size(), 60U) << "a clock that is set back";
  EXPECT_EQ(minute(now())["requests"].integer(), 1);
}

TEST_F(ActivityTest, EstimatesWhatPartsOfFilesSave) {
  const auto tokens = [&](std::size_t count, std::size_t bytes, std::size_t whole = 0) {
    activity.observe(TokensServed{"resources/read", {count, false}, bytes, whole});
  };
  tokens(50, 100, 4000);  // 4 bytes a token, before anything is known
  EXPECT_EQ(minute(now())["tokens_served"].integer(), 50);
  EXPECT_EQ(minute(now())["tokens_saved"].integer(), 950);
  tokens(100, 200, 1000);  // 2 bytes a token so far
  EXPECT_EQ(minute(now())["tokens_saved"].integer(), 950 + 400);
  tokens(1000, 2000);  // a whole one
  EXPECT_EQ(minute(now())["tokens_saved"].integer(), 1350);
  tokens(500, 1000, 200);  // an answer that is longer than its file
  EXPECT_EQ(minute(now())["tokens_saved"].integer(), 1350 - 400);
}

TEST_F(ActivityTest, SaysWhetherThereIsSomethingNew) {
  auto last = activity.revision();
  const auto is_new = [&] { return std::exchange(last, activity.revision()) != last; };
  EXPECT_FALSE(is_new());
  activity.tick();
  EXPECT_FALSE(is_new());
  serve(1, milliseconds(1));
  EXPECT_TRUE(is_new());
  time += minutes(1);
  activity.tick();
  EXPECT_TRUE(is_new());
}

}  // namespace
}  // namespace lode
