#include "cli/owner_token.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "store/test_directory.h"

namespace lode {
namespace {

class OwnerTokenTest : public ::testing::Test {
 protected:
  TestDirectory directory;
  const OwnerToken ours{directory.path().string()};
  const OwnerToken theirs{directory.path().string()};
};

TEST_F(OwnerTokenTest, IsOneForAllUntilItIsRotated) {
  EXPECT_FALSE(ours.look());
  const auto token = ours.keep().value();
  EXPECT_EQ(token.size(), 48U);
  EXPECT_EQ(directory.read("token"), token) << "and nothing else";
  EXPECT_EQ(theirs.keep().value(), token);
  const auto next = theirs.rotate().value();
  EXPECT_NE(next, token);
  EXPECT_EQ(ours.look(), next);
  EXPECT_EQ(ours.keep().value(), next);
}

TEST_F(OwnerTokenTest, IsMadeAnewWhereTheFileCannotBeReliedOn) {
  const auto token = ours.keep().value();
  ASSERT_EQ(::chmod((directory / "token").c_str(), 0604), 0);
  EXPECT_FALSE(ours.look());
  const auto next = ours.keep().value();
  EXPECT_NE(next, token);
  for (const std::string& text :
       {std::string(), next.substr(1), next + "\n", "G" + next.substr(1)}) {
    directory.write("token", text);
    EXPECT_FALSE(ours.look());
    EXPECT_NE(ours.keep().value(), text);
  }
}

TEST_F(OwnerTokenTest, IsOneHoweverManyMakeIt) {
  std::vector<std::string> tokens(8);
  std::vector<std::thread> threads;
  threads.reserve(tokens.size());
  for (auto& token : tokens) {
    threads.emplace_back([&] { token = OwnerToken(directory.path().string()).keep().value(); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& token : tokens) EXPECT_EQ(token, tokens.front());
}

}  // namespace
}  // namespace lode
