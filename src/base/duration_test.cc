#include "base/duration.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

TEST(Duration, ReadsWhatGoReads) {
  const std::pair<const char*, nanoseconds> cases[] = {
      {"0", 0ns},
      {"0s", 0ns},
      {"+5m", 5min},
      {"-1.5h", -90min},
      {"300ms", 300ms},
      {"1h30m", 90min},
      {"1.5h", 90min},
      {".5s", 500ms},
      {"1.s", 1s},
      {"2h45m10.5s", 2h + 45min + 10s + 500ms},
      {"1us", 1us},
      {"1\u00B5s", 1us},
      {"1\u03BCs", 1us},
      {"1.9ns", 1ns},
      {"0.3333333333333333333h", 20min},
      {"0.100000000000000000000h", 6min},
      {"2562047h", 2562047h},
  };
  for (const auto& [text, expected] : cases) {
    auto duration = parse_duration(text);
    ASSERT_TRUE(duration.ok()) << text;
    EXPECT_EQ(*duration, expected) << text;
  }
}

TEST(Duration, RefusesTheRest) {
  for (const char* text :
       {"", "-", "+", "5", "s", ".s", ".", "5 m", " 5m", "5m ", "5x", "5mm", "--5m", "1e3s", "5M",
        "9999999h", "99999999999999999999s", "2562047h48m"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
  EXPECT_EQ(parse_duration("soon").error().message,
            "\"soon\" is no duration such as 300ms, 5m or 1h30m");
}

TEST(Duration, PrintsAsGoDoes) {
  EXPECT_EQ(format_duration(0ns), "0s");
  EXPECT_EQ(format_duration(7ns), "7ns");
  EXPECT_EQ(format_duration(1100ns), "1.1\u00B5s");
  EXPECT_EQ(format_duration(300ms), "300ms");
  EXPECT_EQ(format_duration(1500ms), "1.5s");
  EXPECT_EQ(format_duration(5min), "5m0s");
  EXPECT_EQ(format_duration(90min), "1h30m0s");
  EXPECT_EQ(format_duration(-61s), "-1m1s");
  EXPECT_EQ(format_duration(nanoseconds::min()), "-2562047h47m16.854775808s");
}

TEST(Duration, ReadsWhatItPrints) {
  for (auto duration : {1ns, 999'999ns, 1'000'001ns, 86'399'999'999'999ns, nanoseconds::max()}) {
    EXPECT_EQ(*parse_duration(format_duration(duration)), duration);
  }
}

}  // namespace
}  // namespace lode
