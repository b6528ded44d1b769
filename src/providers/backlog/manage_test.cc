#include "providers/backlog/manage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <set>
#include <thread>

#include "engine/test_gate.h"
#include "providers/backlog/manage_edit.h"
#include "providers/backlog/manage_fixture.h"

namespace lode {
namespace {

using testing::Test;
namespace fs = std::filesystem;

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

class TaskManageTest : public TaskManageFixture {};

TEST_F(TaskManageTest, CreatesAFileThatSaysWhatWasAsked) {
  const auto answer = run(
      R"({"op":"create","title":"Serve the board","labels":["http"],"priority":"High","due":"2026-12-01","body":"What is to be done.","fields":{"estimate":3}})");
  EXPECT_TRUE(answer.starts_with("created mcp://backlog/tasks/TASK-0001 (version ")) << answer;
  EXPECT_EQ(read("tasks/TASK-0001.md"),
            "---\nid: TASK-0001\ntitle: Serve the board\nstatus: open\nlabels:\n  - http\n"
            "priority: high\ndue_date: \"2026-12-01\"\nestimate: 3\n"
            "created_at: \"2026-01-15T13:05:01Z\"\nupdated_at: \"2026-01-15T13:05:01Z\"\n---\n\n"
            "What is to be done.\n");
  ASSERT_TRUE(task("TASK-0001"));
  EXPECT_EQ(task("TASK-0001")->priority, TaskPriority::high);
  run(R"({"op":"create","title":"Epic","type":"epic"})");
  EXPECT_TRUE(exists("epics/EPIC-0001.md"));
  EXPECT_EQ(task("EPIC-0001")->type, TaskType::epic);
}

TEST_F(TaskManageTest, PutsNewTasksWhereTheTreeHasThem) {
  write("tasks/EPIC-0003.md", "---\ntitle: Old epic\n---\n");
  write("docs/tasks/TASK-0001.md", "---\ntitle: Old\n---\n");
  run(R"({"op":"create","title":"Next","type":"epic"})");
  EXPECT_TRUE(exists("docs/epics/EPIC-0004.md"));
  std::filesystem::remove_all(path("docs"));
  run(R"({"op":"create","title":"Next","type":"epic"})");
  EXPECT_TRUE(exists("tasks/EPIC-0005.md")) << "above the counter";
}

TEST_F(TaskManageTest, UpdatesOnlyTheBytesOfWhatChanges) {
  const std::string before =
      "---\n# by hand\nid: TASK-0001\ntitle:   'A title'   # quoted\nstatus: open\nmood: {a: 1}\n"
      "updated_at: 2020-01-01T00:00:00Z\n---\n\nBody  with  blanks\n";
  write("tasks/TASK-0001.md", before);
  EXPECT_TRUE(has(run(R"({"op":"update","id":"task-0001","status":"in progress"})"),
                  "updated mcp://backlog/tasks/TASK-0001: status, open → in_progress"));
  std::string wanted = before;
  wanted.replace(wanted.find("status: open"), 12, "status: in_progress");
  wanted.replace(wanted.find("2020-01-01T00:00:00Z"), 20, "2026-01-15T13:05:01Z");
  EXPECT_EQ(read("tasks/TASK-0001.md"), wanted);
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","status":"in_progress"})"), "already"));
  EXPECT_EQ(read("tasks/TASK-0001.md"), wanted);
}

TEST_F(TaskManageTest, TimesNeverGoBack) {
  run(R"({"op":"create","title":"A"})");
  now -= std::chrono::hours(24);
  run(R"({"op":"update","id":"TASK-0001","priority":"low"})");
  EXPECT_TRUE(has(read("tasks/TASK-0001.md"), "updated_at: \"2026-01-15T13:05:01Z\""));
}

TEST_F(TaskManageTest, ReplacesTextLiterallyAndOnce) {
  run(R"({"op":"create","title":"A","body":"cost is body\n- [ ] one\n- [ ] two\n"})");
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","old":"body","new":"$& and $' \\1"})"),
                  "updated"));
  EXPECT_TRUE(has(read("tasks/TASK-0001.md"), "cost is $& and $' \\1\n"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","old":"- [ ]","new":"- [x]"})"),
                  "more than once"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","old":"three","new":"x"})"),
                  "does not have the text \"three\""));
  run(R"({"op":"update","id":"TASK-0001","replace":[{"old":"[ ] one","new":"[x] one"},{"old":"[ ] two","new":"[x] two"}]})");
  EXPECT_EQ(task("TASK-0001")->criteria_done, 2);
}

TEST_F(TaskManageTest, AWholeBodyNeedsTheVersionThatWasRead) {
  const auto version = version_in(run(R"({"op":"create","title":"A","body":"one"})"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","body":"two"})"), version));
  const auto call = [](const std::string& which) {
    return fmt::format(R"({{"op":"update","id":"TASK-0001","body":"two","if_version":"{}"}})",
                       which);
  };
  // By hand, meanwhile.
  auto text = read("tasks/TASK-0001.md");
  text.replace(text.find("status: open"), 12, "status: done");
  write("tasks/TASK-0001.md", text + "more\n");
  const auto refused = run(call(version));
  EXPECT_TRUE(has(refused, "status, body changed since")) << refused;
  EXPECT_TRUE(has(read("tasks/TASK-0001.md"), "more\n"));
  EXPECT_TRUE(has(run(call(task_version(text + "more\n"))), "updated"));
  EXPECT_TRUE(has(read("tasks/TASK-0001.md"), "\n\ntwo\n"));
}

TEST_F(TaskManageTest, AllOperationsOrNone) {
  const auto refused = run(
      R"({"operations":[{"op":"create","title":"A"},{"op":"update","id":"TASK-0404","title":"B"}]})");
  EXPECT_TRUE(has(refused, "nothing was written: operation 2: no task has the id \"TASK-0404\""))
      << refused;
  EXPECT_FALSE(exists("tasks/TASK-0001.md"));
  const auto made = run(
      R"({"operations":[{"op":"create","title":"Epic","type":"epic"},{"op":"create","title":"Child","parent":"#1"},{"op":"create","title":"Next","dependencies":["#2"]},{"op":"comment","id":"#2","text":"hello"}]})");
  EXPECT_TRUE(has(made, "created mcp://backlog/tasks/EPIC-0001")) << made;
  EXPECT_EQ(task("TASK-0001")->parent, "EPIC-0001");
  EXPECT_EQ(task("TASK-0002")->dependencies, std::vector<std::string>{"TASK-0001"});
  EXPECT_TRUE(
      has(read("tasks/TASK-0001.md"), "## Comments\n\n- **local** 2026-01-15T13:05:01Z: hello\n"));
  EXPECT_FALSE(std::filesystem::exists(tree / "state/backlog-journal"));
}

TEST_F(TaskManageTest, FinishesWhatAKilledProcessBegan) {
  run(R"({"op":"create","title":"A"})");
  run(R"({"op":"create","title":"B"})");
  const auto files = TaskFiles::Place{path(""), (tree / "w").string(), (tree / "state").string()};
  const auto before_a = read("tasks/TASK-0001.md");
  {
    // As far as it came: the journal is written, and one of the files.
    auto open = TaskFiles::open(files).value();
    auto a = open.read("tasks/TASK-0001.md", 10000).value();
    auto b = open.read("tasks/TASK-0002.md", 10000).value();
    std::vector<TaskFiles::Change> changes{{"tasks/TASK-0001.md", a, a.text + "new\n", {}},
                                           {"tasks/TASK-0002.md", b, b.text + "new\n", {}},
                                           {"tasks/TASK-0009.md", {}, "---\ntitle: C\n---\n", {}}};
    ASSERT_TRUE(open.write_journal(changes));
    ASSERT_TRUE(open.apply(changes[0]));
  }
  write("tasks/TASK-0002.md", read("tasks/TASK-0002.md") + "by hand\n");
  const auto recovered = process.manager.recover();
  ASSERT_TRUE(recovered);
  EXPECT_EQ(recovered->finished, std::vector<std::string>{"tasks/TASK-0009.md"});
  EXPECT_EQ(recovered->left, std::vector<std::string>{"tasks/TASK-0002.md"});
  EXPECT_EQ(read("tasks/TASK-0001.md"), before_a + "new\n");
  EXPECT_TRUE(has(read("tasks/TASK-0002.md"), "by hand\n")) << "somebody's edit stays";
  EXPECT_FALSE(has(read("tasks/TASK-0002.md"), "new\n"));
  EXPECT_TRUE(exists("tasks/TASK-0009.md"));
  EXPECT_FALSE(std::filesystem::exists(tree / "state/backlog-journal"));
}

TEST_F(TaskManageTest, UndoesWhatWasWrittenWhenAFileIsInTheWay) {
  run(R"({"op":"create","title":"A"})");
  const auto before = read("tasks/TASK-0001.md");
  auto open = TaskFiles::open({path(""), (tree / "w").string(), (tree / "state").string()}).value();
  auto a = open.read("tasks/TASK-0001.md", 10000).value();
  write("tasks/TASK-0002.md", "by hand");
  const auto done = open.write({{"tasks/TASK-0001.md", a, "changed", {}},
                                {"tasks/TASK-0003.md", {}, "made", {}},
                                {"tasks/TASK-0002.md", {}, "ours", {}}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::conflict);
  EXPECT_EQ(read("tasks/TASK-0001.md"), before);
  EXPECT_FALSE(exists("tasks/TASK-0003.md"));
  EXPECT_EQ(read("tasks/TASK-0002.md"), "by hand");
}

TEST_F(TaskManageTest, AClaimHasOneWinner) {
  run(R"({"op":"create","title":"A"})");
  EXPECT_TRUE(has(run(R"({"op":"claim","id":"TASK-0001","as":"ana"})"), "claimed"));
  Process other(*this);
  for (const auto* who : {"ben", "ana"}) {
    const auto answer =
        run(other.manager, fmt::format(R"({{"op":"claim","id":"TASK-0001","as":"{}"}})", who));
    EXPECT_TRUE(has(answer, "ana has TASK-0001 already")) << answer;
  }
  run(R"({"operations":[{"op":"create","title":"Later","dependencies":["TASK-0001"]},{"op":"create","title":"Low","priority":"low"},{"op":"create","title":"High","priority":"high"},{"op":"create","title":"Hers","priority":"critical","assignee":"ana"}]})");
  EXPECT_TRUE(has(run(R"({"op":"claim","as":"ben"})"), "TASK-0004 for ben"));
  EXPECT_TRUE(has(run(other.manager, R"({"op":"claim","as":"cem"})"), "TASK-0003 for cem"));
  EXPECT_TRUE(has(run(R"({"op":"claim","as":"cem"})"), "no task is ready"));
  EXPECT_TRUE(has(run(R"({"op":"claim","as":"ana"})"), "TASK-0005 for ana"));
  run(R"({"op":"move","id":"TASK-0005","status":"done","evidence":"seen"})");
  EXPECT_TRUE(has(run(R"({"op":"claim","id":"TASK-0005","as":"ana"})"), "TASK-0005 is done"));
}

TEST_F(TaskManageTest, ParallelClaimsAndCreatesNeverCollide) {
  constexpr int kThreads = 4;
  constexpr int kEach = 10;
  for (int i = 0; i < kEach; ++i) run(R"({"op":"create","title":"A"})");
  std::vector<std::vector<std::string>> won(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Process mine(*this);
        for (int i = 1; i <= kEach; ++i) {
          run(mine.manager, R"({"op":"create","title":"B"})");
          const auto answer = run(
              mine.manager, fmt::format(R"({{"op":"claim","id":"TASK-{:04}","as":"same"}})", i));
          if (answer.starts_with("claimed")) won[static_cast<std::size_t>(t)].push_back(answer);
        }
      });
    }
  }
  std::size_t claims = 0;
  for (const auto& each : won) claims += each.size();
  EXPECT_EQ(claims, static_cast<std::size_t>(kEach));
  Process last(*this);
  last.tasks.load_now();
  EXPECT_EQ(last.tasks.size(), static_cast<std::size_t>(kEach + kThreads * kEach));
  EXPECT_TRUE(last.tasks.problems().empty());
}

TEST_F(TaskManageTest, RefusesCyclesAndSaysTheWay) {
  run(R"({"operations":[{"op":"create","title":"A"},{"op":"create","title":"B","parent":"#1","dependencies":["#1"]},{"op":"create","title":"C","parent":"#2","dependencies":["#2"]}]})");
  EXPECT_TRUE(has(run(R"({"op":"move","id":"TASK-0001","parent":"TASK-0003"})"),
                  "parents of TASK-0001 would lead round in a circle: "
                  "TASK-0001 → TASK-0003 → TASK-0002 → TASK-0001"));
  // What another process wrote counts, before anybody has heard of it.
  Process other(*this);
  run(other.manager, R"({"op":"update","id":"TASK-0003","dependencies":null})");
  EXPECT_TRUE(
      has(run(R"({"op":"update","id":"TASK-0001","dependencies":["TASK-0003"]})"), "updated"));
  EXPECT_TRUE(
      has(run(other.manager, R"({"op":"update","id":"TASK-0003","dependencies":["TASK-0002"]})"),
          "TASK-0003 → TASK-0002 → TASK-0001 → TASK-0003"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","parent":"TASK-0001"})"), "itself"));
}

TEST_F(TaskManageTest, DeletesToTheTrashAndBringsBack) {
  run(R"({"op":"create","title":"A","body":"kept"})");
  run(R"({"op":"create","title":"B","parent":"TASK-0001"})");
  const auto before = read("tasks/TASK-0001.md");
  const auto deleted = run(R"({"op":"delete","id":"TASK-0001"})");
  EXPECT_TRUE(has(deleted, "still named by TASK-0002")) << deleted;
  EXPECT_FALSE(exists("tasks/TASK-0001.md"));
  EXPECT_FALSE(task("TASK-0001"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"New"})"), "TASK-0003"))
      << "ids are not given again";
  EXPECT_TRUE(has(run(R"({"op":"restore","id":"TASK-0001"})"), "restored"));
  EXPECT_EQ(read("tasks/TASK-0001.md"), before);
  EXPECT_TRUE(has(run(R"({"op":"restore","id":"TASK-0001"})"), "the trash has no task"));
}

// The trash is on another file system, and an editor saves the file while it goes there. It saves
// only what is still there, so that the last that it saved is what must be in the trash.
TEST_F(TaskManageTest, LosesNoEditOnTheWayToATrashElsewhere) {
  const fs::path elsewhere = "/dev/shm/lode-trash-" + std::to_string(::getpid());
  struct stat here {};
  struct stat there {};
  if (::stat("/dev/shm", &there) != 0 || ::stat((tree / "").c_str(), &here) != 0 ||
      here.st_dev == there.st_dev) {
    GTEST_SKIP() << "there is no other file system";
  }
  const TaskFiles::Place place{path(""), (tree / "w").string(), elsewhere.string()};
  for (int round = 0; round < 10; ++round) {
    write("tasks/TASK-0001.md", "first");
    std::string saved = "first";
    std::atomic<bool> begun = false;
    std::jthread editor([&](const std::stop_token& stop) {
      for (int i = 0; !stop.stop_requested(); ++i) {
        const auto text = fmt::format("edit {}", i);
        write("tasks/draft", text);
        if (::renameat2(AT_FDCWD, path("tasks/draft").c_str(), AT_FDCWD,
                        path("tasks/TASK-0001.md").c_str(), RENAME_EXCHANGE) != 0) {
          return;
        }
        saved = text;
        begun = true;
      }
    });
    while (!begun) std::this_thread::yield();
    auto files = TaskFiles::open(place).value();
    const auto entry = files.new_entry("TASK-0001", now);
    const auto done = files.write({{"tasks/TASK-0001.md", {}, {}, entry}});
    editor.request_stop();
    editor.join();
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_FALSE(exists("tasks/TASK-0001.md"));
    EXPECT_EQ(files.read_entry(entry).value().text, saved);
    std::set<std::string> left;
    for (const auto& each : fs::directory_iterator(path("tasks")))
      left.insert(each.path().filename());
    EXPECT_EQ(left, std::set<std::string>{"draft"});
    fs::remove_all(elsewhere);
  }
}

TEST_F(TaskManageTest, WritesNoJournalThatNobodyWouldFinish) {
  auto files =
      TaskFiles::open({path(""), (tree / "w").string(), (tree / "state").string()}).value();
  std::vector<TaskFiles::Change> changes(TaskFiles::kMostChanges + 1);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    changes[i].file = fmt::format("tasks/TASK-{:06}.md", i);
    changes[i].after = "";
  }
  const auto done = files.write(changes);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::unsupported);
  EXPECT_FALSE(exists("tasks"));
  EXPECT_FALSE(TaskFiles::has_journal((tree / "state").string()));
}

TEST_F(TaskManageTest, AClaimTakesWhatListsCallReady) {
  write("tasks/TASK-0001.md", "---\ntitle: Hidden\n---\n");
  write("tasks/TASK-0002.md", "---\ntitle: Seen\ndependencies: [TASK-0001]\n---\n");
  write("tasks/TASK-0003.md", "---\ntitle: Hers\nassignee: ana\npriority: low\n---\n");
  write("tasks/TASK-0004.md", "---\ntitle: Waits\ndependencies: [TASK-0003]\n---\n");
  process.tasks.load_now();
  TestRequest some(
      [](Action, const Uri& uri) { return uri.text() != "mcp://backlog/tasks/TASK-0001"; });
  const auto exchange = some.exchange();
  const ManageGate gate(exchange, process.tasks);
  const auto claim = [&](const char* who) {
    auto done = process.manager.run(gate, JsonObject{{"op", "claim"}, {"as", who}});
    return done ? done->items.at(0).bytes : done.error().message;
  };
  EXPECT_TRUE(has(claim("ben"), "claimed mcp://backlog/tasks/TASK-0002 for ben"));
  EXPECT_TRUE(has(claim("ben"), "no task is ready")) << "what is somebody else's still blocks";
}

TEST_F(TaskManageTest, AttachesFilesAndReferencesThatWorkEverywhere) {
  run(R"({"op":"create","title":"A"})");
  EXPECT_TRUE(has(run(R"({"op":"attach","id":"TASK-0001","name":"trace 1.txt","content":"x"})"),
                  "attached mcp://backlog/artifacts/TASK-0001/trace%201.txt"));
  EXPECT_EQ(read("artifacts/TASK-0001/trace 1.txt"), "x");
  EXPECT_TRUE(has(run(R"({"op":"attach","id":"TASK-0001","name":"trace 1.txt","content":"y"})"),
                  "already"));
  EXPECT_TRUE(has(run(R"({"op":"attach","id":"TASK-0001","name":"../x","content":"y"})"), "name"));
  const auto inside = "file://" + (tree / "w/docs/a b.md").string();
  EXPECT_TRUE(has(
      run(fmt::format(R"({{"op":"attach","id":"TASK-0001","url":"{}","title":"Plan"}})", inside)),
      "mcp://backlog/resources/docs/a%20b.md"));
  const auto outside =
      run(R"({"op":"update","id":"TASK-0001","references":["/etc/hosts","https://example.com"]})");
  EXPECT_TRUE(has(outside, "warning: /etc/hosts is of this machine alone")) << outside;
  const auto body = run(fmt::format(
      R"({{"op":"create","title":"B","body":"see [x]({}) and /home/me/x.txt."}})", inside));
  EXPECT_TRUE(has(body, "(write mcp://backlog/resources/docs/a")) << body;
  EXPECT_TRUE(has(body, "warning: /home/me/x.txt is of this machine alone")) << body;
}

TEST_F(TaskManageTest, LeavesMalformedAndTooLongFilesAlone) {
  const std::string broken = "---\na: [\n---\nbody\n";
  write("tasks/TASK-0001.md", broken);
  for (const auto* call :
       {R"({"op":"update","id":"TASK-0001","status":"done"})",
        R"({"op":"comment","id":"TASK-0001","text":"x"})", R"({"op":"claim","id":"TASK-0001"})"}) {
    EXPECT_TRUE(has(run(call), "left as it is")) << run(call);
  }
  EXPECT_EQ(read("tasks/TASK-0001.md"), broken);
  write("tasks/TASK-0002.md", "---\ntitle: A\n---\n" + std::string(kTaskTextBytes, 'x'));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0002","status":"done"})"), "by hand"));
  run(R"({"op":"create","title":"C"})");
  const auto large = std::string(kTaskTextBytes - 10, 'x');
  EXPECT_TRUE(has(run(fmt::format(R"({{"op":"update","id":"TASK-0003","body":"{}"}})", large)),
                  "more than"));
}

TEST_F(TaskManageTest, WritesThroughNoLinks) {
  tree.make_directory("elsewhere");
  tree.make_directory("w/.lode/backlog");
  std::filesystem::create_directory_symlink(tree / "elsewhere", path("tasks"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A"})"), "links"));
  EXPECT_TRUE(std::filesystem::is_empty(tree / "elsewhere"));
  std::filesystem::remove_all(tree / "w/.lode");
  std::filesystem::create_directory_symlink(tree / "elsewhere", tree / "w/.lode");
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A"})"), "links"));
  EXPECT_TRUE(std::filesystem::is_empty(tree / "elsewhere"));
}

TEST_F(TaskManageTest, ErrorsTeachTheRightCall) {
  EXPECT_TRUE(has(run("{}"), "\"op\" is missing; it is one of create, update"));
  EXPECT_TRUE(has(run(R"({"op":"creat"})"), "create"));
  EXPECT_TRUE(
      has(run(R"({"op":"create"})"), "create needs \"title\". Example: {\"op\":\"create\""));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A","lables":["x"]})"), "labels"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A","status":"x"})"), "\"status\" is one of open"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A","due":"soon"})"), "2026-12-01"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A\nB"})"), "line end"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001"})"), "says nothing"));
  EXPECT_TRUE(has(run(R"({"op":"update","id":"TASK-0001","old":"x"})"), "go together"));
  EXPECT_TRUE(has(run(R"({"op":"attach","id":"TASK-0001"})"), "a url, or a name"));
  EXPECT_TRUE(has(run(R"({"operations":[]})"), "1 to 100"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A","fields":{"id":"X"}})"), "by Lode alone"));
  EXPECT_TRUE(has(run(R"({"op":"create","title":"A","parent":"#3"})"), "no earlier operation"));
}

TEST_F(TaskManageTest, RenumbersTheYoungerOfTasksWithOneId) {
  write("tasks/TASK-0007-old.md", "---\nid: TASK-0007\ntitle: Old\ncreated_at: 2026-01-01\n---\n");
  write("tasks/TASK-0007-new.md",
        "---\nid: TASK-0007\ntitle: New\ncreated_at: 2026-01-05\n---\n\nSee "
        "mcp://backlog/tasks/TASK-0007 and mcp://backlog/tasks/TASK-00071.\n");
  write("tasks/TASK-0008-a.md",
        "---\nid: TASK-0008\ntitle: A\ncreated_at: 2026-01-02\ndependencies: [TASK-0007]\n---\n");
  write("tasks/TASK-0008-b.md",
        "---\nid: TASK-0008\ntitle: B\ncreated_at: 2026-01-06\ndependencies: [TASK-0007]\n"
        "parent_id: TASK-0007\n---\n");
  write("tasks/TASK-0009.md",
        "---\nid: TASK-0009\ntitle: C\ncreated_at: 2026-01-07\ndependencies: [TASK-0007]\n---\n");
  const auto plan = process.manager.renumber({true, {}});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->renumbered.size(), 2U);
  // Without a history nobody can tell which one others mean.
  ASSERT_EQ(plan->unclear.size(), 4U);
  EXPECT_EQ(plan->unclear[0].file, "tasks/TASK-0008-a.md");
  EXPECT_EQ(plan->unclear[0].line, 5U);
  EXPECT_EQ(plan->unclear[0].written, "dependencies: [TASK-0007]");
  EXPECT_EQ(plan->unclear[3].file, "tasks/TASK-0009.md");
  const auto refused = process.manager.renumber({false, {}});
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->written);
  EXPECT_TRUE(exists("tasks/TASK-0007-new.md"));
  const auto none = process.manager.renumber({false, {"tasks/TASK-0009.md"}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::invalid);
  const auto two =
      process.manager.renumber({false, {"tasks/TASK-0007-old.md", "tasks/TASK-0007-new.md"}});
  ASSERT_FALSE(two);

  const auto done = process.manager.renumber({false, {"/x/tasks/TASK-0007-old.md"}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->written);
  EXPECT_EQ(done->renumbered[0].new_id, "TASK-0010");
  EXPECT_EQ(done->renumbered[0].kept, "tasks/TASK-0007-old.md");
  EXPECT_TRUE(done->renumbered[0].followed.empty());
  EXPECT_EQ(done->unclear.size(), 4U);
  EXPECT_EQ(done->unclear[0].kept, "tasks/TASK-0007-old.md");
  EXPECT_FALSE(exists("tasks/TASK-0007-new.md"));
  EXPECT_EQ(read("tasks/TASK-0010-new.md"),
            "---\nid: TASK-0010\ntitle: New\ncreated_at: 2026-01-05\n---\n\nSee "
            "mcp://backlog/tasks/TASK-0010 and mcp://backlog/tasks/TASK-00071.\n");
  EXPECT_EQ(task("TASK-0011")->parent, "TASK-0007");
  EXPECT_EQ(task("TASK-0008")->dependencies, std::vector<std::string>{"TASK-0007"});
  EXPECT_TRUE(process.tasks.problems().empty());
  EXPECT_TRUE(process.manager.renumber({false, {}})->renumbered.empty());
}

TEST_F(TaskManageTest, RenumbersATaskThatGitPutIntoTheFileOfAnother) {
  write("tasks/TASK-0001.md",
        "---\nid: TASK-0001\n<<<<<<< HEAD\ntitle: Ours\ncreated_at: 2026-01-05\n=======\n"
        "title: Theirs\ncreated_at: 2026-01-02\n>>>>>>> clone\nstatus: open\n---\n\n"
        "<<<<<<< HEAD\nSee mcp://backlog/tasks/TASK-0001/file\n=======\nText\n>>>>>>> clone\n");
  const std::string edited =
      "---\nid: TASK-0002\n<<<<<<< HEAD\ntitle: One\n=======\ntitle: Other\n>>>>>>> clone\n"
      "created_at: 2026-01-05\n---\n";
  write("tasks/TASK-0002.md", edited);
  const auto done = process.manager.renumber({false, {}});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(done->renumbered.size(), 1U);
  EXPECT_EQ(done->renumbered[0].file, "tasks/TASK-0001.md:ours");
  EXPECT_EQ(done->unmerged, std::vector<std::string>{"tasks/TASK-0002.md"});
  EXPECT_EQ(read("tasks/TASK-0001.md"),
            "---\nid: TASK-0001\ntitle: Theirs\ncreated_at: 2026-01-02\nstatus: open\n---\n\n"
            "Text\n");
  EXPECT_EQ(read("tasks/TASK-0003.md"),
            "---\nid: TASK-0003\ntitle: Ours\ncreated_at: 2026-01-05\nstatus: open\n---\n\n"
            "See mcp://backlog/tasks/TASK-0003/file\n");
  EXPECT_EQ(read("tasks/TASK-0002.md"), edited) << "one task, changed on both sides";
}

}  // namespace
}  // namespace lode
