#include "providers/capability/move.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/descriptor.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class MoveTest : public ::testing::Test {
 protected:
  MoveTest() {
    tree.make_directory("from");
    tree.make_directory("to");
    from = open(tree / "from");
    to = open(tree / "to");
  }
  static Descriptor open(const fs::path& path) {
    return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  Status move(const std::string& name) const {
    return move_durably({from.get(), name}, {to.get(), name});
  }
  static std::string read(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // A folder with a program and a link in it.
  void write_folder() const {
    tree.write("from/skill/SKILL.md", "text");
    tree.write("from/skill/scripts/run", "program");
    fs::permissions(tree / "from/skill/scripts/run", fs::perms::owner_all);
    fs::create_symlink("SKILL.md", tree / "from/skill/link");
  }

  TestTree tree;
  Descriptor from;
  Descriptor to;
};

TEST_F(MoveTest, AFileAndAFolder) {
  tree.write("from/a.md", "a");
  write_folder();
  ASSERT_TRUE(move("a.md"));
  ASSERT_TRUE(move("skill"));
  EXPECT_EQ(read(tree / "to/a.md"), "a");
  EXPECT_EQ(read(tree / "to/skill/link"), "text");
  EXPECT_TRUE(fs::is_empty(tree / "from"));
}

TEST_F(MoveTest, NothingIsOverwritten) {
  tree.write("from/a.md", "a");
  tree.write("to/a.md", "b");
  const auto done = move("a.md");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::conflict);
  EXPECT_EQ(read(tree / "from/a.md"), "a");
  EXPECT_EQ(read(tree / "to/a.md"), "b");
  EXPECT_EQ(move("none").error().code, Code::not_found);
}

TEST_F(MoveTest, ToAnotherFilesystem) {
  struct stat here {};
  struct stat there {};
  const fs::path memory = "/dev/shm";
  if (::stat((tree / "from").c_str(), &here) != 0 || ::stat(memory.c_str(), &there) != 0 ||
      here.st_dev == there.st_dev) {
    GTEST_SKIP() << "there is no other filesystem";
  }
  std::string pattern = (memory / "lode-move-XXXXXX").string();
  const fs::path other = ::mkdtemp(pattern.data());
  to = open(other);
  write_folder();
  ASSERT_TRUE(move("skill"));
  EXPECT_FALSE(fs::exists(tree / "from/skill"));
  EXPECT_EQ(read(other / "skill/scripts/run"), "program");
  EXPECT_EQ(fs::status(other / "skill/scripts/run").permissions(), fs::perms::owner_all);
  EXPECT_TRUE(fs::is_symlink(other / "skill/link"));

  tree.write("from/skill", "a file");
  EXPECT_EQ(move("skill").error().code, Code::conflict);
  EXPECT_EQ(read(tree / "from/skill"), "a file");
  EXPECT_EQ(std::distance(fs::directory_iterator(other), fs::directory_iterator()), 1);
  fs::remove_all(other);
}

}  // namespace
}  // namespace lode
