#include "base/buffer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace lode {
namespace {

TEST(Buffer, HoldsItsBytesWhenTruncated) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, 2 * kMiB, 9 * kMiB + 7}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 977);
    for (const std::size_t kept : {size, size / 2, size / 9, std::size_t{0}}) {
      auto buffer = Buffer::copy_of(bytes);
      EXPECT_EQ(buffer.view(), bytes);
      buffer.truncate(kept);
      EXPECT_EQ(buffer.view(), bytes.substr(0, kept));
      if (kept > 0) buffer.data()[kept - 1] = 'x';
    }
  }
}

}  // namespace
}  // namespace lode
