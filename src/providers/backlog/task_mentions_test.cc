#include "providers/backlog/task_mentions.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

constexpr std::string_view kText =
    "---\nid: TASK-0005\nparent_id: 'task-1'\ndependencies:\n  - TASK-10\n  - TASK-1 # why\n"
    "title: After TASK-1\nevidence: mcp://backlog/tasks/TASK-1/file\n---\n\n"
    "TASK-1 is a word, mcp://backlog/tasks/TASK-1. is meant,\n"
    "  mcp://backlog/tasks/TASK-1.2 and mcp://backlog/tasks/TASK-10 are not.\n";

TEST(TaskMentionsTest, FindsFieldsAndAddresses) {
  const auto found = find_mentions(kText, "TASK-1");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].in, TaskMention::In::parent);
  EXPECT_EQ(found[0].line, 3U);
  EXPECT_EQ(found[0].written, "parent_id: 'task-1'");
  EXPECT_EQ(found[1].in, TaskMention::In::dependencies);
  EXPECT_EQ(found[1].line, 6U);
  EXPECT_EQ(found[2].line, 8U);
  EXPECT_EQ(found[3].in, TaskMention::In::text);
  EXPECT_EQ(found[3].line, 11U);
}

TEST(TaskMentionsTest, ReplacesFromTheEnd) {
  std::string text(kText);
  auto found = find_mentions(text, "TASK-1");
  for (auto at = found.rbegin(); at != found.rend(); ++at) {
    replace_mention(text, *at, "TASK-1", "TASK-0042");
  }
  EXPECT_EQ(text,
            "---\nid: TASK-0005\nparent_id: 'TASK-0042'\ndependencies:\n  - TASK-10\n"
            "  - TASK-0042 # why\ntitle: After TASK-1\n"
            "evidence: mcp://backlog/tasks/TASK-0042/file\n---\n\n"
            "TASK-1 is a word, mcp://backlog/tasks/TASK-0042. is meant,\n"
            "  mcp://backlog/tasks/TASK-1.2 and mcp://backlog/tasks/TASK-10 are not.\n");
  EXPECT_TRUE(find_mentions(text, "TASK-1").empty());
}

TEST(TaskMentionsTest, NamesEveryIdOfATextThatCannotBeRead) {
  const auto found = find_mentions("---\na: [\nTASK-1\n", "TASK-1");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].in, TaskMention::In::malformed);
}

TEST(TaskMentionsTest, TellsTheSidesOfAConflict) {
  const auto sides =
      conflict_sides("a\n<<<<<<< HEAD\nb\n||||||| base\nx\n=======\nc\n>>>>>>> other\nd\n");
  EXPECT_EQ(sides.ours, "a\nb\nd\n");
  EXPECT_EQ(sides.theirs, "a\nc\nd\n");
  EXPECT_TRUE(conflict_sides("a\n=======\nb\n").empty());
  EXPECT_TRUE(conflict_sides("<<<<<<< HEAD\nb\n=======\n").empty()) << "not ended";
}

}  // namespace
}  // namespace lode
