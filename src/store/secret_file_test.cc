#include "store/secret_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "store/test_directory.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class SecretFileTest : public ::testing::Test {
 protected:
  std::string put(const std::string& bytes) const {
    return file.update([&](const std::string*) { return bytes; }).value();
  }
  std::string read() const {
    const auto contents = file.read();
    return contents ? contents->bytes : "nothing";
  }

  TestDirectory directory;
  const SecretFile file{directory / "secret", std::chrono::milliseconds(100)};
};

TEST_F(SecretFileTest, IsOfItsUserAloneAndChangesAsAWhole) {
  EXPECT_EQ(read(), "nothing");
  EXPECT_EQ(file.stamp(), SecretFile::Stamp());
  EXPECT_EQ(put("one"), "one");
  EXPECT_EQ(read(), "one");
  struct stat info {};
  ASSERT_EQ(::stat(file.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  const auto before = file.stamp();
  EXPECT_EQ(before, file.read()->stamp);
  EXPECT_EQ(put("one"), "one");
  EXPECT_EQ(file.stamp(), before) << "nothing was to be changed";
  EXPECT_EQ(put("two"), "two");
  EXPECT_NE(file.stamp(), before);
}

TEST_F(SecretFileTest, ReliesOnNothingThatOthersCanReadOrMade) {
  directory.write("secret", "known");
  ASSERT_EQ(::chmod(file.path().c_str(), 0640), 0);
  EXPECT_EQ(read(), "nothing");
  EXPECT_EQ(put("one"), "one");
  EXPECT_EQ(read(), "one");
  fs::remove(file.path());
  directory.write("elsewhere", "other");
  fs::permissions(directory / "elsewhere", fs::perms::owner_read);
  fs::create_symlink(directory / "elsewhere", file.path());
  EXPECT_EQ(read(), "nothing");
  EXPECT_EQ(put("two"), "two");
  EXPECT_EQ(directory.read("elsewhere"), "other");
  put(std::string(SecretFile::kMostBytes, 'x'));
  EXPECT_EQ(read().size(), SecretFile::kMostBytes);
  put(std::string(SecretFile::kMostBytes + 1, 'x'));
  EXPECT_EQ(read(), "nothing");
  fs::remove(file.path());
  fs::create_directory(file.path());
  EXPECT_EQ(read(), "nothing");
  EXPECT_FALSE(file.update([](const std::string*) { return "x"; }));
}

TEST_F(SecretFileTest, LosesNoChangeOfMany) {
  const SecretFile patient(directory / "secret", std::chrono::seconds(60));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 10; ++n) {
        EXPECT_TRUE(patient.update(
            [](const std::string* now) { return (now == nullptr ? "" : *now) + "x"; }));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(read(), std::string(40, 'x'));
}

TEST_F(SecretFileTest, DoesNotWaitForEver) {
  put("one");
  const Descriptor holder(::open((directory / "secrets.lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(holder.get(), LOCK_EX), 0);
  const auto refused = file.update([](const std::string*) { return "two"; });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::unavailable);
  EXPECT_EQ(read(), "one") << "readers do not wait at all";
}

TEST_F(SecretFileTest, TellsOnceThatItWaits) {
  Descriptor holder(::open((directory / "secrets.lock").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(::flock(holder.get(), LOCK_EX), 0);
  std::vector<std::string> told;
  const SecretFile patient(directory / "secret", std::chrono::seconds(60),
                           [&](const std::string& lock) {
                             told.push_back(lock);
                             ::flock(holder.get(), LOCK_UN);
                           });
  EXPECT_TRUE(patient.update([](const std::string*) { return "one"; }));
  EXPECT_TRUE(patient.update([](const std::string*) { return "two"; }));
  EXPECT_EQ(told, std::vector<std::string>{directory / "secrets.lock"});
}

}  // namespace
}  // namespace lode
