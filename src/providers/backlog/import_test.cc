#include "providers/backlog/import.h"

#include <gtest/gtest.h>

#include "providers/backlog/task.h"

namespace lode {
namespace {

using Paths = std::vector<std::string>;

TEST(BacklogImport, KnowsTreesByTheirFiles) {
  const auto project =
      find_backlog_source(Paths{"README.md", "backlog/config.yml", "backlog/tasks/task-1 - A.md"});
  ASSERT_TRUE(project);
  EXPECT_EQ(project->format, BacklogFormat::backlog_md);
  EXPECT_EQ(project->prefix, "backlog/");
  EXPECT_EQ(find_backlog_source(Paths{"config.yml", "tasks/task-1 - A.md"})->prefix, "");
  EXPECT_EQ(find_backlog_source(Paths{"tasks/TASK-0001.md"})->format, BacklogFormat::backlog_mcp);
  EXPECT_EQ(find_backlog_source(Paths{"docs/epics/EPIC-0001.md"})->format,
            BacklogFormat::backlog_mcp);
  EXPECT_FALSE(find_backlog_source(Paths{"tasks/build.md", "config.yml.bak", "personas/a.md"}));
  EXPECT_FALSE(find_backlog_source(Paths{"tasks/TASK-0001.md"}, BacklogFormat::backlog_md));
  EXPECT_EQ(find_backlog_format("backlog.md"), BacklogFormat::backlog_md);
  EXPECT_FALSE(find_backlog_format("x"));
}

TEST(BacklogImport, SaysWhereEachFileGoes) {
  const BacklogSource md{BacklogFormat::backlog_md, "backlog/"};
  const auto target = [&](std::string_view path) { return place_in_backlog(md, path).target; };
  EXPECT_EQ(target("backlog/tasks/task-1 - A.md"), "tasks/task-1 - A.md");
  EXPECT_EQ(target("backlog/completed/task-2 - B.md"), "tasks/task-2 - B.md");
  EXPECT_EQ(target("backlog/milestones/m-0 - one.md"), "milestones/m-0 - one.md");
  EXPECT_EQ(target("backlog/docs/sub/doc-1 - G.md"), "artifacts/docs/sub/doc-1 - G.md");
  EXPECT_TRUE(place_in_backlog(md, "backlog/drafts/draft-1 - D.md").draft);
  EXPECT_TRUE(place_in_backlog(md, "backlog/archive/tasks/task-3 - C.md").archived);
  for (const char* none : {"backlog/config.yml", "AGENTS.md", "backlog/tasks/readme.md",
                           "backlog/tasks/a/task-1.md", "backlog/tasks/task-1.txt"}) {
    EXPECT_EQ(target(none), "") << none;
    EXPECT_FALSE(place_in_backlog(md, none).why.empty());
  }
  const BacklogSource mcp{BacklogFormat::backlog_mcp, ""};
  EXPECT_EQ(place_in_backlog(mcp, "docs/tasks/TASK-0001.md").target, "tasks/TASK-0001.md");
  EXPECT_EQ(place_in_backlog(mcp, "tasks/EPIC-0002.md").target, "tasks/EPIC-0002.md");
  EXPECT_EQ(place_in_backlog(mcp, "artifacts/x/y.txt").target, "artifacts/x/y.txt");
  EXPECT_EQ(place_in_backlog(mcp, "state/operations.jsonl").target, "");
}

// What becomes of a task of Backlog.md.
ImportedTask imported(const std::string& path, const std::string& fields) {
  const BacklogSource source{BacklogFormat::backlog_md, ""};
  auto done = import_task(source, place_in_backlog(source, path),
                          "---\nid: TASK-1\ntitle: A\n" + fields + "---\n\n- [ ] #1 B\n");
  EXPECT_TRUE(done.ok());
  return done ? *done : ImportedTask{};
}

TEST(BacklogImport, TakesTasksByteForByteButForWhatItSays) {
  const auto kept = imported("tasks/task-1 - A.md",
                             "status: To Do  # later\nparent_task_id: TASK-9\nmilestone: m-0\n");
  EXPECT_TRUE(kept.mended.empty());
  EXPECT_EQ(task_key(kept.id), "TASK-1");
  EXPECT_NE(kept.text.find("status: To Do  # later"), std::string::npos);
  const auto milestone = imported("tasks/task-1 - A.md", "status: Done\nmilestone: m-0\n");
  EXPECT_NE(milestone.text.find("parent_id: m-0\n"), std::string::npos) << milestone.text;
  const auto own = imported("tasks/task-1 - A.md", "status: In Review\n");
  EXPECT_NE(own.text.find("status: in_progress\n"), std::string::npos);
  EXPECT_NE(own.text.find("original_status: In Review\n"), std::string::npos);
  const auto draft = imported("drafts/draft-1 - A.md", "status: Draft\nlabels: [ui]\n");
  EXPECT_NE(draft.text.find("status: open\n"), std::string::npos);
  EXPECT_NE(draft.text.find("labels: [ui, draft]\n"), std::string::npos) << draft.text;
  const auto archived = imported("archive/tasks/task-1 - A.md", "status: To Do\nlabels: []\n");
  EXPECT_NE(archived.text.find("status: cancelled\n"), std::string::npos);
  EXPECT_EQ(imported("archive/tasks/task-1 - A.md", "status: Done\n").mended.size(), 0U);
}

TEST(BacklogImport, LeavesMalformedFilesBehind) {
  const BacklogSource source{BacklogFormat::backlog_md, ""};
  const auto done =
      import_task(source, place_in_backlog(source, "tasks/task-1 - A.md"), "---\na: [\n---\n");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::invalid);
}

}  // namespace
}  // namespace lode
