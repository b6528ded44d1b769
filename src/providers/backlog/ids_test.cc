#include "providers/backlog/ids.h"

#include <gtest/gtest.h>

#include <fstream>

#include "workspace/test_git.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

class TaskIdsTest : public ::testing::Test {
 protected:
  TaskIds::Place place(const std::string& backlog) {
    tree.make_directory(backlog);
    return {(tree / backlog).string(), (tree / "state").string()};
  }
  std::string next(const TaskIds::Place& at) {
    auto ids = TaskIds::open(at).value();
    auto id = ids.next(TaskType::task);
    EXPECT_TRUE(ids.save());
    return id ? *id : id.error().message;
  }
  TestTree tree;
};

TEST_F(TaskIdsTest, AreAboveWhatWasGivenAndSeen) {
  const auto at = place("w/.lode/backlog");
  EXPECT_EQ(next(at), "TASK-0001");
  EXPECT_EQ(next(at), "TASK-0002");
  auto ids = TaskIds::open(at).value();
  for (const auto* id :
       {"task-0009", "TASK-3.1", "TASK-99999999999999999999", "X-77", "EPIC-0040"}) {
    ids.see(id);
  }
  EXPECT_EQ(*ids.next(TaskType::task), "TASK-0010");
  EXPECT_EQ(*ids.next(TaskType::epic), "EPIC-0041");
  EXPECT_EQ(TaskIds::open(at, 1ms).error().code, Code::unavailable);
  ASSERT_TRUE(ids.save());
  EXPECT_EQ(next(at), "TASK-0011");
  EXPECT_TRUE(std::filesystem::exists(tree / "state/backlog-ids"));
}

TEST_F(TaskIdsTest, EndAtTheLimitAndAreNotGivenTwice) {
  const auto at = place("w/backlog");
  auto ids = TaskIds::open(at).value();
  ids.see("TASK-999999999998");
  EXPECT_EQ(*ids.next(TaskType::task), "TASK-999999999999");
  EXPECT_EQ(ids.next(TaskType::task).error().code, Code::unsupported);
  EXPECT_EQ(*ids.next(TaskType::epic), "EPIC-0001");
  ASSERT_TRUE(ids.save());
  EXPECT_TRUE(next(at).starts_with("no id is left above TASK-999999999999")) << next(at);
}

TEST_F(TaskIdsTest, WorkTreesOfARepositoryShareThem) {
  tree.make_directory("a/sub");
  run_git(tree / "a", "init");
  run_git(tree / "a", "commit --allow-empty -m first");
  run_git(tree / "a", "worktree add ../b");
  EXPECT_EQ(next(place("a/sub/backlog")), "TASK-0001");
  EXPECT_EQ(next(place("b/sub/backlog")), "TASK-0002");
  EXPECT_EQ(next(place("a/sub/backlog")), "TASK-0003");
  EXPECT_TRUE(std::filesystem::exists(tree / "a/.git/lode/backlog-ids"));
  EXPECT_FALSE(std::filesystem::exists(tree / "state"));
}

TEST_F(TaskIdsTest, ARepositoryThatDoesNotNameTheWorkTreeIsNotWritten) {
  tree.make_directory("victim");
  run_git(tree / "victim", "init");
  tree.write("clone/.git", "gitdir: " + (tree / "victim/.git").string() + "\n");
  EXPECT_EQ(next(place("clone/backlog")), "TASK-0001");
  EXPECT_FALSE(std::filesystem::exists(tree / "victim/.git/lode"));
  EXPECT_TRUE(std::filesystem::exists(tree / "state/backlog-ids"));
}

TEST_F(TaskIdsTest, NothingIsWrittenThroughLinks) {
  tree.make_directory("w");
  tree.make_directory("elsewhere");
  run_git(tree / "w", "init");
  std::filesystem::create_directory_symlink(tree / "elsewhere", tree / "w/.git/lode");
  EXPECT_EQ(next(place("w/backlog")), "TASK-0001");
  EXPECT_TRUE(std::filesystem::is_empty(tree / "elsewhere"));
  std::filesystem::remove(tree / "w/.git/lode");
  tree.make_directory("w/.git/lode");
  tree.write("victim", "TASK 50\n");
  std::filesystem::create_symlink(tree / "victim", tree / "w/.git/lode/backlog-ids");
  auto ids = TaskIds::open(place("w/backlog")).value();
  EXPECT_EQ(*ids.next(TaskType::task), "TASK-0001");
  EXPECT_FALSE(ids.save());
  std::ifstream in(tree / "victim");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "TASK 50\n");
}

TEST_F(TaskIdsTest, ACounterThatIsNoneDoesNoHarm) {
  const auto at = place("w/backlog");
  tree.write("state/backlog-ids",
             "TASK\nTASK x\n\nTASK -5\nEPIC 4\nTASK 99999999999999999999999\n");
  EXPECT_EQ(next(at), "TASK-0001");
}

}  // namespace
}  // namespace lode
