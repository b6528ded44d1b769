#include "store/file_key_ring.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "store/test_directory.h"

namespace lode {
namespace {

using std::chrono::hours;

// Two rings on one file are what two processes have.
class FileKeyRingTest : public ::testing::Test {
 protected:
  FileKeyRing::Options options() {
    FileKeyRing::Options options;
    options.old_keys = 2;
    options.clock = [this] { return now; };
    return options;
  }

  bool opens(FileKeyRing& ring, const SealingKey& key) {
    const auto found = ring.find(key.id);
    return found && found->secret == key.secret;
  }
  mode_t mode() const {
    struct stat info {};
    return ::stat((directory / "keys").c_str(), &info) == 0 ? info.st_mode & 0777U : 0;
  }

  TestDirectory directory;
  std::chrono::system_clock::time_point now{hours(24 * 365 * 50)};
  FileKeyRing ours{directory / "keys", options()};
  FileKeyRing theirs{directory / "keys", options()};
};

TEST_F(FileKeyRingTest, IsMadeWhenItIsNeededAndShared) {
  EXPECT_FALSE(std::filesystem::exists(directory / "keys"));
  EXPECT_FALSE(ours.find("00000000"));
  EXPECT_FALSE(std::filesystem::exists(directory / "keys"));
  const auto key = ours.current();
  EXPECT_EQ(mode(), 0600U);
  EXPECT_EQ(ours.current().id, key.id);
  EXPECT_EQ(theirs.current().secret, key.secret);
  EXPECT_FALSE(theirs.find("00000000"));
}

TEST_F(FileKeyRingTest, IsRotatedForAllAndKeepsSomeOldKeys) {
  std::vector<SealingKey> keys{ours.current()};
  EXPECT_TRUE(opens(theirs, keys[0]));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(theirs.rotate());
    keys.push_back(theirs.current());
    EXPECT_EQ(ours.current().id, keys.back().id);
    EXPECT_TRUE(opens(ours, keys.back()));
  }
  EXPECT_FALSE(ours.find(keys[0].id)) << "two old ones are kept";
  EXPECT_TRUE(opens(ours, keys[1]));
  EXPECT_TRUE(opens(theirs, keys[2]));
}

TEST_F(FileKeyRingTest, IsRenewedInTimeByWhoNotices) {
  const auto first = ours.current();
  now += hours(7 * 24 - 1);
  EXPECT_EQ(theirs.current().id, first.id);
  now += hours(1);
  const auto second = theirs.current();
  EXPECT_NE(second.id, first.id);
  EXPECT_EQ(ours.current().id, second.id) << "once, not by each";
  EXPECT_TRUE(opens(ours, first));
}

TEST_F(FileKeyRingTest, BeginsAnewWhereTheFileCannotBeReliedOn) {
  const auto key = ours.current();
  ASSERT_EQ(::chmod((directory / "keys").c_str(), 0644), 0);
  EXPECT_FALSE(ours.find(key.id)) << "others may know it";
  EXPECT_NE(ours.current().id, key.id);
  EXPECT_EQ(mode(), 0600U);
  for (const char* text : {"", "x", "0badc0de 1 00\n", "0badc0de one 00\n\n"}) {
    directory.write("keys", text);
    const auto fresh = ours.current();
    EXPECT_TRUE(opens(theirs, fresh)) << text;
  }
}

TEST_F(FileKeyRingTest, IsOfOneProcessWhereThereIsNoPlace) {
  FileKeyRing homeless(directory / "missing/keys");
  const auto key = homeless.current();
  EXPECT_EQ(homeless.current().id, key.id);
  EXPECT_TRUE(opens(homeless, key));
  EXPECT_FALSE(homeless.rotate());
}

TEST_F(FileKeyRingTest, IsOneHoweverManyMakeIt) {
  std::vector<SealingKey> keys(8);
  std::vector<std::thread> threads;
  threads.reserve(keys.size());
  for (auto& key : keys) {
    threads.emplace_back([&] { key = FileKeyRing(directory / "keys").current(); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& key : keys) EXPECT_EQ(key.id, keys.front().id);
}

}  // namespace
}  // namespace lode
