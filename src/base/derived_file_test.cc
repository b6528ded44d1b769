#include "base/derived_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lode {
namespace {

TEST(DerivedFile, WhatIsSealedComesBack) {
  for (const std::string body : {"", "a", "with\nlines\0and nothing"}) {
    const auto bytes = seal("things 1", body);
    ASSERT_TRUE(unseal("things 1", bytes));
    EXPECT_EQ(*unseal("things 1", bytes), body);
  }
}

TEST(DerivedFile, AnotherVersionOrAnyDamageIsRefused) {
  const auto good = seal("things 1", "body");
  EXPECT_EQ(unseal("things 2", good).error().code, Code::invalid);
  EXPECT_EQ(unseal("things", good).error().code, Code::invalid);
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_FALSE(unseal("things 1", bad)) << i;
    EXPECT_FALSE(unseal("things 1", good.substr(0, i))) << i;
  }
  EXPECT_FALSE(unseal("things 1", good + "x"));
}

TEST(DerivedFile, IsReplacedAsAWholeAndPrivate) {
  std::string pattern = (std::filesystem::temp_directory_path() / "lode-derived-XXXXXX").string();
  const std::filesystem::path directory = ::mkdtemp(pattern.data());
  const std::string file = (directory / "f").string();
  EXPECT_EQ(read_derived(file, 100).error().code, Code::not_found);
  ASSERT_TRUE(write_derived(file, "first, longer"));
  ASSERT_TRUE(write_derived(file, "second"));
  EXPECT_EQ(read_derived(file, 100)->view(), "second");
  EXPECT_EQ(read_derived(file, 5).error().code, Code::invalid);
  EXPECT_EQ(read_derived(directory.string(), 100).error().code, Code::invalid);
  EXPECT_FALSE(write_derived(file + "/none", "x"));
  struct stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 1);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace lode
