#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace lode {
namespace {

TEST(WholeNumber, TakesEverySpelling) {
  EXPECT_EQ(whole_number(20, "limit", 1).value(), 20U);
  EXPECT_EQ(whole_number(20U, "limit", 1).value(), 20U);
  EXPECT_EQ(whole_number(20.0, "limit", 1).value(), 20U);
  EXPECT_EQ(whole_number(kMostWholeNumber, "limit", 1).value(), kMostWholeNumber);
}

TEST(WholeNumber, RefusesWhatIsNoCount) {
  for (const Json& value : {Json(-1), Json(-1.0), Json(1.5), Json(1e300), Json(-1e300),
                            Json(9.3e15), Json("3"), Json(nullptr), Json(std::uint64_t{1} << 63U),
                            Json(std::numeric_limits<double>::quiet_NaN()),
                            Json(std::numeric_limits<double>::infinity()), Json(0), Json(11)}) {
    const auto number = whole_number(value, "limit", 1, 10);
    ASSERT_FALSE(number.ok());
    EXPECT_EQ(number.error().code, Code::invalid);
    EXPECT_EQ(number.error().message, "\"limit\" must be a whole number from 1 to 10");
  }
}

}  // namespace
}  // namespace lode
