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
  std::vector<std::string> told;
  const OwnerToken ours{directory.path().string(),
                        [this](const std::string& word) { told.push_back(word); }};
  const OwnerToken theirs{directory.path().string(), [](const std::string&) {}};
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
  EXPECT_TRUE(told.empty());
}

TEST_F(OwnerTokenTest, IsMadeAnewAndSaysSoWhereTheFileCannotBeReliedOn) {
  const auto replaced = [&](const std::string& why) {
    EXPECT_FALSE(ours.look());
    const auto before = directory.read("token");
    EXPECT_NE(ours.keep().value(), before);
    EXPECT_TRUE(ours.look());
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front(),
              ours.path() + " did not count, since " + why + "; there is a new one now");
    told.clear();
  };
  ours.keep().value();
  ASSERT_EQ(::chmod((directory / "token").c_str(), 0604), 0);
  replaced("others may open it (its mode is 0604)");
  directory.write("token", "");
  replaced("it is empty");
  std::filesystem::remove(directory / "token");
  directory.write("elsewhere", "other");
  std::filesystem::create_symlink(directory / "elsewhere", directory / "token");
  replaced("it is a link");
  EXPECT_EQ(directory.read("elsewhere"), "other");
}

TEST_F(OwnerTokenTest, IsNotMadeOverWhatSomebodyWrote) {
  const auto token = ours.keep().value();
  for (const std::string& text : {token.substr(1), token + "\n", "G" + token.substr(1),
                                  std::string(SecretFile::kMostBytes + 1, 'a')}) {
    directory.write("token", text);
    EXPECT_FALSE(ours.look());
    const auto refused = ours.keep();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::invalid);
    EXPECT_NE(refused.error().message.find("lode token rotate"), std::string::npos);
    EXPECT_EQ(directory.read("token"), text);
  }
  const auto next = ours.rotate().value();
  EXPECT_EQ(ours.keep().value(), next);
}

TEST_F(OwnerTokenTest, IsOneHoweverManyMakeIt) {
  std::vector<std::string> tokens(8);
  std::vector<std::thread> threads;
  threads.reserve(tokens.size());
  for (auto& token : tokens) {
    threads.emplace_back([&] {
      token = OwnerToken(directory.path().string(), [](const std::string&) {}).keep().value();
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& token : tokens) EXPECT_EQ(token, tokens.front());
}

}  // namespace
}  // namespace lode
