#include "cli/workspace_choice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class WorkspaceChoiceTest : public testing::Test {
 protected:
  WorkspaceChoiceTest() : before_(fs::current_path()) { tree_.make_directory("top/sub/deep"); }
  ~WorkspaceChoiceTest() override { fs::current_path(before_); }

  // From top/sub/deep.
  std::string chosen() const {
    fs::current_path(tree_ / "top/sub/deep");
    const auto found = choose_workspace("");
    return found ? *found : found.error().message;
  }

  TestTree tree_;
  const fs::path before_;
};

TEST_F(WorkspaceChoiceTest, TheNearestMarkWins) {
  tree_.make_directory("top/.git");
  EXPECT_EQ(chosen(), (tree_ / "top").string());
  tree_.make_directory("top/sub/.lode");
  EXPECT_EQ(chosen(), (tree_ / "top/sub").string());
  EXPECT_EQ(*choose_workspace("/named"), "/named");
}

TEST_F(WorkspaceChoiceTest, AMarkOfAnotherUserIsNotAdopted) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  for (const char* mark : {"top/sub/.lode", "top/sub/.git"}) {
    tree_.make_directory("top/.git");
    tree_.make_directory(mark);
    ASSERT_EQ(::lchown((tree_ / mark).c_str(), 65534, 65534), 0);
    EXPECT_EQ(chosen(), (tree_ / "top").string());
    tree_.remove("top/.git");
    EXPECT_EQ(chosen(), "no workspace: " + (tree_ / mark).string() +
                            " belongs to another user; if you want that directory served, name "
                            "it with --workspace DIR");
    tree_.remove(mark);
  }
}

}  // namespace
}  // namespace lode
