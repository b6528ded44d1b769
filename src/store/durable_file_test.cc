#include "store/durable_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "base/descriptor.h"
#include "base/unfinished.h"
#include "store/test_directory.h"

namespace lode {
namespace {

class DurableFileTest : public ::testing::Test {
 protected:
  Status write(const std::string& name, std::string_view bytes, mode_t mode = 0640) const {
    return write_durably(handle.get(), name, bytes, mode);
  }
  mode_t mode(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::lstat((directory / name).c_str(), &info), 0);
    return info.st_mode & 07777U;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  TestDirectory directory;
  const Descriptor handle{::open(directory.path().c_str(), O_PATH | O_DIRECTORY)};
};

TEST_F(DurableFileTest, CreatesAndReplaces) {
  const mode_t umask = ::umask(0);
  EXPECT_TRUE(write("a", "first"));
  ::umask(umask);
  EXPECT_EQ(directory.read("a"), "first");
  EXPECT_EQ(mode("a"), 0640U);
  EXPECT_TRUE(write("a", ""));
  EXPECT_EQ(directory.read("a"), "");
  const std::string long_one(3'000'000, 'x');
  EXPECT_TRUE(write("a", long_one));
  EXPECT_EQ(directory.read("a"), long_one);
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(DurableFileTest, HoldsWhatItHasNotFinished) {
  const auto asked = [&]() -> Status {
    for (const auto& name : names()) {
      EXPECT_TRUE(is_unfinished_write(name)) << name;
      EXPECT_FALSE(remove_if_abandoned(handle.get(), name, std::chrono::seconds(0)));
    }
    return {};
  };
  EXPECT_TRUE(write_durably(handle.get(), "a", "bytes", 0600, asked));
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(DurableFileTest, KeepsPermissionsAndOwner) {
  directory.write("a", "old");
  ASSERT_EQ(::chmod((directory / "a").c_str(), 0604), 0);
  const bool as_root = ::geteuid() == 0;
  if (as_root) {
    ASSERT_EQ(::chown((directory / "a").c_str(), 12, 34), 0);
  }
  EXPECT_TRUE(write("a", "new"));
  EXPECT_EQ(mode("a"), 0604U);
  struct stat info {};
  ASSERT_EQ(::stat((directory / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, as_root ? 12U : ::geteuid());
  EXPECT_EQ(info.st_gid, as_root ? 34U : ::getegid());
}

TEST_F(DurableFileTest, RefusesWhatIsNoFile) {
  for (const char* name : {"", ".", "..", "a/b", "/a"}) {
    EXPECT_EQ(write(name, "x").error().code, Code::invalid) << name;
  }
  EXPECT_EQ(write(std::string("a\0b", 3), "x").error().code, Code::invalid);
  EXPECT_EQ(write(std::string(300, 'n'), "x").error().code, Code::invalid);
  std::filesystem::create_directory(directory / "sub");
  directory.write("target", "kept");
  std::filesystem::create_symlink("target", directory / "link");
  for (const char* name : {"sub", "link"}) {
    EXPECT_EQ(write(name, "x").error().code, Code::unsupported) << name;
  }
  EXPECT_EQ(directory.read("target"), "kept");
  EXPECT_EQ(names().size(), 3U);
}

// A file that may not grow stands for a disk that is full.
TEST_F(DurableFileTest, LeavesTheOldFileAndNothingElseAfterAnError) {
  ASSERT_TRUE(write("a", "old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  auto written = write("a", std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "writing: File too large");
  EXPECT_EQ(directory.read("a"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(DurableFileTest, KnowsItsUnfinishedFiles) {
  EXPECT_TRUE(is_unfinished_write(".lode-0123456789abcdef.unfinished"));
  EXPECT_FALSE(is_unfinished_write(".lode"));
  EXPECT_FALSE(is_unfinished_write("a.unfinished"));
}

TEST_F(DurableFileTest, LooksOnceMoreBeforeItReplaces) {
  directory.write("a", "old");
  const auto refused = [&]() -> Status {
    EXPECT_EQ(names().size(), 2U);
    return Error{Code::conflict, "no longer", {}};
  };
  const auto done = write_durably(handle.get(), "a", "new", 0666, refused);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "no longer");
  EXPECT_EQ(directory.read("a"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_TRUE(write_durably(handle.get(), "a", "new", 0666, [] { return Status(); }));
  EXPECT_EQ(directory.read("a"), "new");
}

TEST_F(DurableFileTest, CreatesOnlyWhereThereIsNothing) {
  EXPECT_TRUE(create_durably(handle.get(), "a", "first"));
  const auto again = create_durably(handle.get(), "a", "second");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::conflict);
  EXPECT_EQ(directory.read("a"), "first");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(DurableFileTest, ReplacesOnlyTheFileThatIsMeant) {
  directory.write("a", "old");
  struct stat old {};
  ASSERT_EQ(::fstatat(handle.get(), "a", &old, 0), 0);
  EXPECT_TRUE(replace_durably(handle.get(), "a", "new", old));
  EXPECT_EQ(directory.read("a"), "new");
  const auto again = replace_durably(handle.get(), "a", "newer", old);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::conflict);
  EXPECT_EQ(directory.read("a"), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_EQ(replace_durably(handle.get(), "b", "x", old).error().code, Code::conflict);
}

}  // namespace
}  // namespace lode
