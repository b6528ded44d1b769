#include "base/random.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(RandomHex, HasTheLengthAndDiffers) {
  EXPECT_EQ(random_hex(16).size(), 32U);
  EXPECT_NE(random_hex(16), random_hex(16));
}

}  // namespace
}  // namespace lode
