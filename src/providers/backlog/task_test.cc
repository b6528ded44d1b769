#include "providers/backlog/task.h"

#include <gtest/gtest.h>

#include "providers/backlog/layout.h"
#include "providers/backlog/task_body.h"

namespace lode {
namespace {

using std::chrono::system_clock;
using Texts = std::vector<std::string>;

Task read(std::string_view file, std::string_view text) {
  return read_task({file, text, text.size(), system_clock::time_point(std::chrono::seconds(0))});
}

TEST(Task, ReadsWhatBacklogMcpWrites) {
  const auto task = read("tasks/TASK-0060.md",
                         "---\n"
                         "id: TASK-0060\n"
                         "title: 'MCP resource viewer'\n"
                         "status: in_progress\n"
                         "epic_id: EPIC-0002\n"
                         "references:\n"
                         "  - url: 'mcp://backlog/resources/docs/adr/0004.md'\n"
                         "    title: ADR 4\n"
                         "  - url: https://example.org\n"
                         "evidence: ['Fixed in CR-1']\n"
                         "blocked_reason: Waiting\n"
                         "created_at: '2026-01-20T10:00:00.000Z'\n"
                         "updated_at: '2026-01-22T10:00:00.500+02:00'\n"
                         "mood: good\n"
                         "---\n"
                         "\n"
                         "# Viewer\n\nShows *resources*\n- in a pane\n");
  EXPECT_EQ(task.id, "TASK-0060");
  EXPECT_EQ(task.type, TaskType::task);
  EXPECT_EQ(task.status, TaskStatus::in_progress);
  EXPECT_EQ(task.title, "MCP resource viewer");
  EXPECT_EQ(task.parent, "EPIC-0002");
  ASSERT_EQ(task.references.size(), 2U);
  EXPECT_EQ(task.references[0].title, "ADR 4");
  EXPECT_EQ(task.references[1].url, "https://example.org");
  EXPECT_EQ(task.evidence, Texts{"Fixed in CR-1"});
  EXPECT_EQ(task.blocked_reason, Texts{"Waiting"});
  EXPECT_EQ(task.created, "2026-01-20T10:00:00.000Z");
  EXPECT_EQ(task.updated_at, parse_task_time("2026-01-22T08:00:00Z"));
  EXPECT_EQ(task.excerpt, "Shows *resources* in a pane");
  EXPECT_EQ(task.fields.at("mood").as_string(), "good");
  EXPECT_TRUE(task.body.starts_with("# Viewer"));
  EXPECT_TRUE(task.problems.empty());
  EXPECT_FALSE(task.malformed);
}

TEST(Task, ReadsWhatPeopleWrite) {
  const auto task = read("tasks/task-7 - Fix it.md",
                         "---\ntitle: Fix it\nstatus: To Do\nassignee: [ana, bob]\n"
                         "labels: [ui, web]\npriority: P1\ndependencies: [TASK-1, task-2]\n"
                         "due: 2026-02-01\nordinal: 12.5\n---\n- [ ] one\n- [x] two\n");
  EXPECT_EQ(task.id, "task-7");
  EXPECT_EQ(task.status, TaskStatus::open);
  EXPECT_EQ(task.assignee, "ana");
  EXPECT_EQ(task.labels, (Texts{"ui", "web"}));
  EXPECT_EQ(task.priority, TaskPriority::high);
  EXPECT_EQ(task.dependencies, (Texts{"TASK-1", "task-2"}));
  EXPECT_EQ(task.due, "2026-02-01");
  EXPECT_EQ(task.order, 12.5);
  EXPECT_EQ(task.criteria, 2);
  EXPECT_EQ(task.criteria_done, 1);
  EXPECT_TRUE(task.problems.empty());
}

TEST(Task, TypesComeFromTheFieldTheIdOrTheFolder) {
  EXPECT_EQ(read("tasks/EPIC-0001.md", "# A\n").type, TaskType::epic);
  EXPECT_EQ(read("epics/plan.md", "# A\n").type, TaskType::epic);
  EXPECT_EQ(read("tasks/TASK-0001.md", "---\ntype: milestone\ntitle: A\n---\n").type,
            TaskType::milestone);
  EXPECT_EQ(read("docs/milestones/MLST-0001.md", "# A\n").type, TaskType::milestone);
}

TEST(Task, AMalformedFileKeepsItsIdAndItsText) {
  const std::string text = "---\ntitle: [unclosed\n---\n# Heading\nbody \xff\n";
  const auto task = read("tasks/TASK-0002.md", text);
  EXPECT_TRUE(task.malformed);
  EXPECT_EQ(task.id, "TASK-0002");
  EXPECT_EQ(task.title, "Heading");
  EXPECT_FALSE(task.is_open());
  EXPECT_NE(task.body.find("[unclosed"), std::string::npos);
  EXPECT_NE(task.body.find("\xef\xbf\xbd"), std::string::npos);
  ASSERT_EQ(task.problems.size(), 1U);
  EXPECT_GE(task.problems[0].line, 2U);
}

TEST(Task, WrongFieldsAreNotedAndLeftOut) {
  const auto task = read("tasks/TASK-0003.md",
                         "---\nid: TASK-0004\ntitle: [a]\nstatus: maybe\npriority: {}\n"
                         "parent_id: task-0003\ndependencies: [TASK-0003, {a: b}]\norder: first\n"
                         "created_at: yesterday\nreferences: [{title: x}]\n---\n# Named\n");
  EXPECT_EQ(task.id, "TASK-0003");
  EXPECT_EQ(task.title, "Named");
  EXPECT_EQ(task.status, TaskStatus::open);
  EXPECT_EQ(task.parent, "");
  EXPECT_TRUE(task.dependencies.empty());
  EXPECT_FALSE(task.order.has_value());
  std::string all;
  for (const auto& problem : task.problems) all += problem.text + "\n";
  for (const char* name :
       {"id is not TASK-0003", "title is no text", "status is none of", "priority is no text",
        "parent_id is the task itself", "dependencies has the task itself", "order is no number",
        "created_at is no time", "references has an item without url"}) {
    EXPECT_NE(all.find(name), std::string::npos) << name << " in\n" << all;
  }
}

TEST(Task, ALongFileIsReadAsFarAsItGoes) {
  std::string text = "---\ntitle: Long\n---\n";
  text.resize(kTaskTextBytes, 'x');
  const auto task = read_task({"tasks/TASK-0001.md", text, std::uint64_t{20} << 20, {}});
  EXPECT_FALSE(task.malformed);
  EXPECT_TRUE(task.body_cut);
  EXPECT_EQ(task.title, "Long");
  EXPECT_EQ(task.problems.size(), 1U);
}

TEST(Task, TimesAreThoseOfIso8601) {
  EXPECT_EQ(parse_task_time("1970-01-02"), 86'400);
  EXPECT_EQ(parse_task_time("1970-01-01T00:01:00Z"), 60);
  EXPECT_EQ(parse_task_time("1970-01-01 00:01"), 60);
  EXPECT_EQ(parse_task_time("1970-01-01T01:00:00.123+01:00"), 0);
  for (const char* bad : {"", "soon", "2026-13-01", "2026-02-30", "2026-01-01T", "2026-01-01T1:00",
                          "2026-01-01T10:00:00+99:00", "-026-01-01", "2026-01-01X"}) {
    EXPECT_FALSE(parse_task_time(bad)) << bad;
  }
}

TEST(TaskBody, CriteriaAreCheckBoxes) {
  const auto of = [](std::string_view body) {
    std::string out;
    for (const auto& each : criteria_in(body)) out += (each.done ? "+" : "-") + each.text + ";";
    return out;
  };
  EXPECT_EQ(of("- [ ] a\n* [X] b\n1. [x] c\n- [y] d\n-[ ] e\n"), "-a;+b;+c;");
  EXPECT_EQ(of("- [ ] a\n## Acceptance Criteria\n- [x] b\n### More\n- [ ] c\n## Notes\n- [ ] d\n"),
            "+b;-c;");
  EXPECT_EQ(of("```\n- [ ] code\n```\n- [ ] a\n"), "-a;");
  EXPECT_EQ(of("## Acceptance criteria\n\nNone yet.\n"), "");
}

TEST(TaskLayout, FilesOfTasks) {
  for (const char* good :
       {"tasks/TASK-0001.md", "tasks/fix-login.md", "docs/tasks/TASK-0001.md",
        "artifacts/ARTF-0001.md", "tasks/task-1.2 - A title.md", "epics/EPIC-1-some-words.md"}) {
    EXPECT_TRUE(type_of_task_file(good)) << good;
  }
  for (const char* bad :
       {"TASK-0001.md", "tasks/a/TASK-0001.md", "tasks/TASK-0001.txt", "docs/tasks/how-to.md",
        "artifacts/notes.md", "tasks/README.md", "tasks/.hidden.md", "adr/0001-x.md", "tasks/"}) {
    EXPECT_FALSE(type_of_task_file(bad)) << bad;
  }
  EXPECT_EQ(id_of_task_file("tasks/task-1.2 - A title.md"), "task-1.2");
  EXPECT_EQ(id_of_task_file("tasks/TASK-0001-words.md"), "TASK-0001");
  EXPECT_EQ(id_of_task_file("tasks/fix-login.md"), "fix-login");
  EXPECT_EQ(number_of_task_id("TASK-0042"), 42U);
  EXPECT_FALSE(number_of_task_id("task-1.2"));
  EXPECT_FALSE(number_of_task_id("TASK-99999999999999999999999"));
}

}  // namespace
}  // namespace lode
