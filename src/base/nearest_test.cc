#include "base/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace lode {
namespace {

constexpr std::array<std::string_view, 4> kWords{"list", "read", "subscribe", "write"};

TEST(Nearest, FindsWhatWasMeant) {
  EXPECT_EQ(nearest("lst", kWords), "list");
  EXPECT_EQ(nearest("raed", kWords), "read");
  EXPECT_EQ(nearest("READ", kWords), "read");
  EXPECT_EQ(nearest("subscibre", kWords), "subscribe");
}

TEST(Nearest, SaysNothingRatherThanGuess) {
  EXPECT_EQ(nearest("permit", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(100, 'r'), kWords), "");
  EXPECT_EQ(nearest("read", {}), "");
}

TEST(Nearest, EndsAMessage) {
  EXPECT_EQ(did_you_mean("lst", kWords), " (did you mean \"list\"?)");
  EXPECT_EQ(did_you_mean("permit", kWords), "");
}

}  // namespace
}  // namespace lode
