#include "providers/backlog/tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <map>
#include <memory>
#include <set>

#include "base/descriptor.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using Texts = std::vector<std::string>;

Texts ids(const std::vector<TaskHead>& tasks) {
  Texts out;
  for (const auto& task : tasks) out.push_back(task.id);
  return out;
}

class TasksTest : public testing::Test {
 protected:
  // A task whose frontmatter holds these lines.
  void write(const std::string& id, const std::string& fields, const std::string& body = "") {
    const auto file = fmt::format("tasks/{}.md", id);
    tree_.write(file,
                fmt::format("---\nid: {}\ntitle: Title of {}\n{}---\n\n{}", id, id, fields, body));
    tasks_.refresh(file);
  }
  void remove(const std::string& id) {
    tree_.remove("tasks/" + id + ".md");
    tasks_.refresh("tasks/" + id + ".md");
  }
  Texts list(const TaskFilter& filter, TaskSort sort = TaskSort::rank) const {
    Tasks::Query query;
    query.filter = filter;
    query.sort = sort;
    return ids(tasks_.list(query).tasks);
  }
  Texts ready() const {
    TaskFilter filter;
    filter.ready = true;
    return list(filter);
  }
  std::string problems() const {
    std::string out;
    for (const auto& each : tasks_.problems()) out += each.task.file + ": " + each.text + "\n";
    return out;
  }

  TestTree tree_;
  TestTree state_;
  Log log_{-1, Log::Form::text, LogLevel::off};
  Tasks::News last_;
  Tasks::Place place_{(tree_ / "").string(), "", {}, (state_ / "tasks.index").string()};
  Tasks tasks_{place_, log_, [this](const Tasks::News& news) { last_ = news; }};
};

TEST_F(TasksTest, AreFoundAsTheirFilesSay) {
  write("TASK-0001", "status: in_progress\nlabels: [ui]\n", "Text.\n");
  ASSERT_TRUE(tasks_.find("task-0001"));
  EXPECT_EQ(tasks_.find("TASK-0001")->status, TaskStatus::in_progress);
  EXPECT_EQ(last_.tasks.at("TASK-0001").before, std::nullopt);
  write("TASK-0001", "status: done\n");
  EXPECT_EQ(last_.tasks.at("TASK-0001").before->status, TaskStatus::in_progress);
  EXPECT_EQ(last_.tasks.at("TASK-0001").now->status, TaskStatus::done);
  EXPECT_EQ(tasks_.counts()[0][static_cast<std::size_t>(TaskStatus::done)], 1U);
  EXPECT_TRUE(tasks_.labels("", 10).empty());
  remove("TASK-0001");
  EXPECT_FALSE(tasks_.find("TASK-0001"));
  EXPECT_EQ(tasks_.size(), 0U);
  EXPECT_EQ(tasks_.counts(), Tasks::Counts{});
}

TEST_F(TasksTest, AreReadyWhenNothingBlocksThem) {
  write("TASK-0001", "priority: low\n");
  write("TASK-0002", "dependencies: [TASK-0001]\n");
  write("TASK-0003", "dependencies: [TASK-0404]\ndue: 2026-01-01\n");
  write("TASK-0004", "priority: high\n");
  write("TASK-0005", "status: blocked\n");
  write("EPIC-0001", "");
  EXPECT_EQ(ready(), (Texts{"TASK-0004", "TASK-0003", "TASK-0001"}));
  EXPECT_EQ(ids(tasks_.blockers(*tasks_.find("TASK-0002"))), Texts{"TASK-0001"});
  EXPECT_EQ(ids(tasks_.blocked_by("TASK-0001")), Texts{"TASK-0002"});
  write("TASK-0001", "status: done\n");
  EXPECT_EQ(ready(), (Texts{"TASK-0004", "TASK-0003", "TASK-0002"}));
  write("TASK-0404", "");
  EXPECT_EQ(ready(), (Texts{"TASK-0004", "TASK-0002", "TASK-0404"}));
  remove("TASK-0404");
  EXPECT_EQ(tasks_.ready_count(), 3U);
  // What somebody does not see blocks nothing for him.
  write("TASK-0404", "");
  Tasks::Query query;
  query.filter.ready = true;
  query.shows = [](const TaskHead& task) { return task.id != "TASK-0404"; };
  EXPECT_EQ(ids(tasks_.list(query).tasks), (Texts{"TASK-0004", "TASK-0003", "TASK-0002"}));
}

TEST_F(TasksTest, WhatIsNotReadyIsOpenUnlessStatusesAreNamed) {
  write("TASK-0001", "", "A walrus.\n");
  write("TASK-0002", "dependencies: [TASK-0001]\n", "A walrus.\n");
  write("TASK-0003", "status: blocked\n", "A walrus.\n");
  write("TASK-0004", "status: in_progress\n", "A walrus.\n");
  write("FLDR-0001", "", "A walrus.\n");
  const TaskFilter open{.waiting = true};
  const TaskFilter more{.statuses = {TaskStatus::open, TaskStatus::blocked}, .waiting = true};
  const TaskFilter blocked{.statuses = {TaskStatus::blocked}, .waiting = true};
  EXPECT_EQ(list(open), Texts{"TASK-0002"});
  EXPECT_EQ(list(more), (Texts{"TASK-0002", "TASK-0003"}));
  EXPECT_EQ(list(blocked), Texts{"TASK-0003"});
  EXPECT_EQ(list({.statuses = {TaskStatus::blocked}, .ready = true}), Texts{});
  const auto found = [&](const TaskFilter& filter) {
    std::set<std::string> out;
    for (const auto& hit : tasks_.search("walrus", filter, 10, {})) out.insert(hit.task.id);
    return out;
  };
  using Ids = std::set<std::string>;
  EXPECT_EQ(found(open), Ids{"TASK-0002"});
  EXPECT_EQ(found(more), (Ids{"TASK-0002", "TASK-0003"}));
  EXPECT_EQ(found({.ready = true}), Ids{"TASK-0001"});
}

TEST_F(TasksTest, WhatChangedLatelyIsFoundFirst) {
  const auto write_both = [&](const char* first, const char* second) {
    write("TASK-0001", fmt::format("updated_at: {}\n", first), "About the walrus.\n");
    write("TASK-0002", fmt::format("updated_at: {}\n", second), "About the walrus.\n");
    Texts out;
    for (const auto& hit : tasks_.search("walrus", {}, 10, {})) out.push_back(hit.task.id);
    return out;
  };
  EXPECT_EQ(write_both("2020-01-01", "2199-01-01"), (Texts{"TASK-0002", "TASK-0001"}));
  EXPECT_EQ(write_both("2199-01-01", "2020-01-01"), (Texts{"TASK-0001", "TASK-0002"}));
}

TEST_F(TasksTest, AreListedByWhatTheyHave) {
  write("EPIC-0001", "");
  write("TASK-0001", "parent_id: EPIC-0001\nlabels: [a, b]\nassignee: ana\n");
  write("TASK-0002", "parent_id: epic-0001\nlabels: [b]\nstatus: done\n");
  write("TASK-10000", "status: in_progress\nupdated_at: 2030-01-01\n");
  EXPECT_EQ(list({}), (Texts{"TASK-10000", "EPIC-0001", "TASK-0001", "TASK-0002"}));
  EXPECT_EQ(list({.parent = "EPIC-0001"}), (Texts{"TASK-0001", "TASK-0002"}));
  EXPECT_EQ(ids(tasks_.children("EPIC-0001")), (Texts{"TASK-0001", "TASK-0002"}));
  EXPECT_EQ(list({.parent = "none", .label = ""}), (Texts{"TASK-10000", "EPIC-0001"}));
  EXPECT_EQ(list({.label = "b"}), (Texts{"TASK-0001", "TASK-0002"}));
  EXPECT_EQ(list({.label = "c"}), Texts{});
  EXPECT_EQ(list({.assignee = "ana"}), Texts{"TASK-0001"});
  EXPECT_EQ(list({.types = {TaskType::epic}}), Texts{"EPIC-0001"});
  EXPECT_EQ(list({.statuses = {TaskStatus::done, TaskStatus::in_progress}}),
            (Texts{"TASK-10000", "TASK-0002"}));
  EXPECT_EQ(list({}, TaskSort::id), (Texts{"EPIC-0001", "TASK-0001", "TASK-0002", "TASK-10000"}));
  EXPECT_EQ(list({}, TaskSort::updated).front(), "TASK-10000");
}

TEST_F(TasksTest, PagesGoOnWhereTheLastEnded) {
  for (int i = 1; i <= 7; ++i) write(fmt::format("TASK-000{}", i), "");
  for (const auto sort : {TaskSort::rank, TaskSort::id, TaskSort::updated, TaskSort::title}) {
    Tasks::Query query;
    query.sort = sort;
    query.limit = 3;
    Texts all;
    bool more = true;
    while (more) {
      const auto page = tasks_.list(query);
      for (const auto& task : page.tasks) all.push_back(task.id);
      ASSERT_FALSE(page.tasks.empty());
      query.after = sort_key(sort, page.tasks.back());
      more = page.more;
    }
    EXPECT_EQ(all.size(), 7U);
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 7U);
  }
}

TEST_F(TasksTest, ProblemsAreShownAndHarmNothing) {
  write("TASK-0001", "dependencies: [TASK-0002]\n");
  write("TASK-0002", "dependencies: [TASK-0003]\n");
  write("TASK-0003", "dependencies: [TASK-0001, TASK-0009]\nparent_id: TASK-0003\n");
  write("TASK-0004", "dependencies: [TASK-0001]\nparent_id: TASK-0005\n");
  write("TASK-0005", "parent_id: TASK-0004\n");
  tree_.write("tasks/TASK-0001-again.md", "# Twice\n");
  tree_.write("tasks/TASK-0006.md", "---\na: [\n---\n");
  tasks_.refresh("tasks/TASK-0001-again.md");
  tasks_.refresh("tasks/TASK-0006.md");
  const auto all = problems();
  for (const char* part :
       {"tasks/TASK-0001.md: the dependencies lead round", "TASK-0003.md: the dependencies lead",
        "TASK-0003.md: parent_id is the task itself", "TASK-0003.md: the dependency TASK-0009",
        "TASK-0004.md: the parents lead round", "tasks/TASK-0006.md: ",
        "tasks/TASK-0001-again.md: the id TASK-0001 is also that of tasks/TASK-0001.md"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
  EXPECT_EQ(all.find("TASK-0004.md: the dependencies"), std::string::npos) << all;
  EXPECT_TRUE(tasks_.depends_on("TASK-0002", "TASK-0001"));
  EXPECT_FALSE(tasks_.depends_on("TASK-0002", "TASK-0004"));
  EXPECT_TRUE(tasks_.is_below("TASK-0005", "TASK-0004"));
  EXPECT_TRUE(tasks_.find("TASK-0006")->malformed);
  EXPECT_EQ(tasks_.all_with("TASK-0001").size(), 2U);
}

// Whether a task is hidden or is not there cannot be told from what is wrong with others.
TEST_F(TasksTest, ProblemsAreThoseOfWhatSomebodySees) {
  const auto shows = [](const TaskHead& task) { return task.file != "tasks/TASK-0009.md"; };
  const auto seen = [&] {
    std::set<std::string> out;
    for (const auto& each : tasks_.problems(shows)) out.insert(each.task.file + ": " + each.text);
    return out;
  };
  write("TASK-0001", "parent_id: TASK-0009\ndependencies: [TASK-0009, TASK-0002]\n");
  write("TASK-0002", "dependencies: [TASK-0009]\n");
  const auto without = seen();
  EXPECT_EQ(without,
            (std::set<std::string>{"tasks/TASK-0001.md: the parent TASK-0009 is not there",
                                   "tasks/TASK-0001.md: the dependency TASK-0009 is not there",
                                   "tasks/TASK-0002.md: the dependency TASK-0009 is not there"}));
  EXPECT_EQ(tasks_.troubled(shows), 0U);
  write("TASK-0009", "parent_id: TASK-0009\ndependencies: [TASK-0001]\n");
  EXPECT_EQ(seen(), without);
  EXPECT_EQ(tasks_.troubled(shows), 0U);
  // Nor does it tell that its id is that of another.
  tree_.write("tasks/TASK-0009-again.md", "# Twice\n");
  tasks_.refresh("tasks/TASK-0009-again.md");
  EXPECT_EQ(seen(), without);
  EXPECT_EQ(tasks_.troubled(shows), 0U);
  EXPECT_EQ(tasks_.troubled({}), 2U);
}

TEST_F(TasksTest, SearchPutsTheExactIdFirstThenTitlesThenBodies) {
  write("TASK-0001", "", "about login\n");
  tree_.write("tasks/TASK-0002.md", "---\ntitle: Fix the login\nstatus: done\n---\n");
  tree_.write("tasks/TASK-0003.md", "---\ntitle: Fix the login\n---\n");
  tasks_.refresh("tasks/TASK-0002.md");
  tasks_.refresh("tasks/TASK-0003.md");
  const auto search = [&](std::string_view words, const TaskFilter& filter = {}) {
    Texts out;
    for (const auto& hit : tasks_.search(words, filter, 10, {})) out.push_back(hit.task.id);
    return out;
  };
  EXPECT_EQ(search("login"), (Texts{"TASK-0003", "TASK-0002", "TASK-0001"}));
  EXPECT_EQ(search(" task-0001 ").front(), "TASK-0001");
  EXPECT_EQ(search("login", {.statuses = {TaskStatus::done}}), Texts{"TASK-0002"});
  remove("TASK-0003");
  EXPECT_EQ(search("login").front(), "TASK-0002");
}

TEST_F(TasksTest, AreKnownToALaterRun) {
  write("TASK-0001", "order: 1.5\nlabels: [x]\ndependencies: [TASK-0002]\n", "words here\n");
  tree_.write("tasks/TASK-0002.md", "---\na: [\n---\n");
  std::size_t told = 0;
  {
    Tasks first(place_, log_, [](const Tasks::News&) {});
    first.start();
    ASSERT_TRUE(first.wait_searchable());
  }
  tree_.write("tasks/TASK-0003.md", "# New\n");
  Tasks second(place_, log_, [&](const Tasks::News& news) { told += news.tasks.size(); });
  second.start();
  ASSERT_TRUE(second.wait_searchable());
  second.stop();
  EXPECT_EQ(told, 1U) << "only what differs was read";
  EXPECT_EQ(second.size(), 3U);
  ASSERT_TRUE(second.find("TASK-0001"));
  EXPECT_EQ(second.find("TASK-0001")->order, 1.5);
  EXPECT_EQ(second.find("TASK-0001")->labels, Texts{"x"});
  EXPECT_TRUE(second.find("TASK-0002")->malformed);
  EXPECT_EQ(second.problems().size(), 1U);
  EXPECT_EQ(second.search("words", {}, 5, {}).size(), 1U);
}

TEST_F(TasksTest, AreListedBeforeTheyCanBeSearched) {
  for (int i = 1; i <= 9; ++i) tree_.write(fmt::format("tasks/TASK-000{}.md", i), "# A walrus\n");
  Texts told;
  std::unique_ptr<Tasks> tasks;
  tasks = std::make_unique<Tasks>(place_, log_, [&](const Tasks::News& news) {
    if (news.loaded) {
      told.push_back(fmt::format("loaded {} {} {}", tasks->size(), tasks->searchable(),
                                 tasks->search("walrus", {}, 10, {}).size()));
      // Somebody writes before the index is filled.
      tree_.write("tasks/TASK-0001.md", "# An otter\n");
      tree_.remove("tasks/TASK-0002.md");
      tasks->refresh("tasks/TASK-0001.md");
      tasks->refresh("tasks/TASK-0002.md");
    }
    if (news.searchable) told.push_back(fmt::format("searchable {}", tasks->searchable()));
  });
  tasks->start();
  ASSERT_TRUE(tasks->wait_searchable());
  EXPECT_EQ(tasks->search("walrus", {}, 10, {}).size(), 7U);
  EXPECT_EQ(tasks->search("otter", {}, 10, {}).size(), 1U);
  tasks->stop();
  EXPECT_EQ(told, (Texts{"loaded 9 false 0", "searchable true"}));
}

// How often each file of a directory has been opened since.
class Opens {
 public:
  explicit Opens(const std::string& directory)
      : inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(inotify_.get(), directory.c_str(), IN_OPEN), 0);
  }
  std::map<std::string, int> take() {
    std::map<std::string, int> opens;
    alignas(inotify_event) std::array<char, 16 * 1024> buffer{};
    for (ssize_t got = 0; (got = ::read(inotify_.get(), buffer.data(), buffer.size())) > 0;) {
      for (ssize_t at = 0; at < got;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        if ((event->mask & IN_ISDIR) == 0 && event->len > 0) ++opens[event->name];
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return opens;
  }

 private:
  const Descriptor inotify_;
};

TEST_F(TasksTest, AFileIsOpenedOnceForItsHeadAndItsWords) {
  std::map<std::string, int> once;
  for (int i = 10; i < 40; ++i) {
    const auto file = fmt::format("TASK-00{}.md", i);
    tree_.write("tasks/" + file, fmt::format("# Task {}\n\nAbout a walrus.\n", i));
    once[file] = 1;
  }
  const auto load = [&] {
    Opens opens((tree_ / "tasks").string());
    Tasks tasks(place_, log_, [](const Tasks::News&) {});
    tasks.start();
    EXPECT_TRUE(tasks.wait_searchable());
    EXPECT_EQ(tasks.search("walrus", {}, 100, {}).size(), 30U);
    return opens.take();
  };
  EXPECT_EQ(load(), once);
  EXPECT_EQ(load(), (std::map<std::string, int>{})) << "the second time none";
}

}  // namespace
}  // namespace lode
