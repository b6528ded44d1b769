#include "cli/state_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace lode {
namespace {

namespace fs = std::filesystem;

class StateDir : public testing::Test {
 protected:
  StateDir() {
    std::string pattern = testing::TempDir() + "lode-state-XXXXXX";
    base_ = ::mkdtemp(pattern.data());
    fs::create_directories(base_ / "My Project");
  }
  ~StateDir() override { fs::remove_all(base_); }

  std::string workspace() const { return (base_ / "My Project").string(); }
  Environment environment() const { return {{"XDG_STATE_HOME", (base_ / "state").string()}}; }

  fs::path base_;
};

mode_t mode_of(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST_F(StateDir, NameIsReadableAndFollowsFromThePath) {
  const auto path = state_dir(environment(), workspace());
  ASSERT_TRUE(path.ok());
  const fs::path directory(*path);
  EXPECT_EQ(directory.parent_path(), base_ / "state" / "lode");
  EXPECT_EQ(directory.filename().string().substr(0, 11), "My-Project-");
  EXPECT_EQ(directory.filename().string().size(), 11U + 16U);
  EXPECT_FALSE(fs::exists(base_ / "state"));
}

TEST_F(StateDir, LinksLeadToTheSame) {
  fs::create_directory_symlink(workspace(), base_ / "link");
  EXPECT_EQ(*state_dir(environment(), (base_ / "link").string()),
            *state_dir(environment(), workspace() + "/."));
}

TEST_F(StateDir, NamesakesDiffer) {
  fs::create_directories(base_ / "other" / "My Project");
  EXPECT_NE(*state_dir(environment(), (base_ / "other" / "My Project").string()),
            *state_dir(environment(), workspace()));
}

TEST_F(StateDir, OddNamesAreStillNames) {
  for (const char* name : {"...", "日本", "-", "-rf", ".hidden"}) {
    fs::create_directories(base_ / name);
    const auto path = state_dir(environment(), (base_ / name).string());
    ASSERT_TRUE(path.ok()) << name;
    const auto last = fs::path(*path).filename().string();
    EXPECT_NE(last[0], '.') << name;
    EXPECT_NE(last[0], '-') << name;
  }
}

TEST_F(StateDir, HomeIsTheFallback) {
  const Environment home{{"HOME", base_.string()}, {"XDG_STATE_HOME", "relative"}};
  EXPECT_TRUE(state_dir(home, workspace())->starts_with((base_ / ".local/state/lode/").string()));
  EXPECT_FALSE(state_dir({}, workspace()).ok());
  EXPECT_FALSE(state_dir(environment(), (base_ / "absent").string()).ok());
}

TEST_F(StateDir, IsTheOwnersAlone) {
  const auto path = state_dir(environment(), workspace());
  ASSERT_TRUE(make_state_dir(*path).ok());
  EXPECT_EQ(mode_of(*path), 0700U);
  EXPECT_EQ(mode_of(base_ / "state"), 0700U);
  ::chmod(path->c_str(), 0755);
  ASSERT_TRUE(make_state_dir(*path).ok());
  EXPECT_EQ(mode_of(*path), 0700U);
}

TEST_F(StateDir, RefusesWhatIsNoDirectory) {
  std::ofstream(base_ / "file").put('x');
  EXPECT_FALSE(make_state_dir((base_ / "file").string()).ok());
  EXPECT_FALSE(make_state_dir((base_ / "file" / "below").string()).ok());
}

}  // namespace
}  // namespace lode
