#include "providers/backlog/provider.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/tokens.h"
#include "engine/test_gate.h"
#include "providers/backlog/task_news.h"
#include "search/snippet.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

class BacklogProviderTest : public testing::Test {
 protected:
  BacklogProviderTest() {
    tree_.write("docs/adr/0001-first.md", "# 1\n");
    write("TASK-0001", "status: in_progress\nlabels: [ui]\n", "The walrus.\n");
    write("TASK-0002", "dependencies: [TASK-0001]\nparent_id: TASK-0001\n");
    subscription_ = events_.listen([this](const Change& change) {
      told_.insert(change.uri.empty() ? std::string(to_string(change.kind)) : change.uri);
    });
  }

  ~BacklogProviderTest() override { tasks_.stop(); }  // before what its threads tell

  void write(const std::string& id, const std::string& fields, const std::string& body = "") {
    const auto file = fmt::format("tasks/{}.md", id);
    tree_.write(".lode/backlog/" + file,
                fmt::format("---\ntitle: About {}\n{}---\n{}", id, fields, body));
    tasks_.refresh(file);
  }
  Result<Outcome> read(std::string_view address) {
    return read_at(provider_, everything_.exchange(), *Uri::parse(address));
  }
  // The text at an address; what is wrong, if there is none.
  std::string text(std::string_view address) {
    const auto outcome = read(address);
    return outcome ? std::get<Contents>(*outcome).items.front().bytes : outcome.error().message;
  }
  std::string canonical(std::string_view address) const {
    return std::string(provider_.canonical(*Uri::parse(address)).text());
  }

  TestTree tree_;
  Log log_{-1, Log::Form::text, LogLevel::off};
  Events events_;
  WatchedAddresses watched_;
  std::set<std::string> told_;
  Events::Subscription subscription_;
  std::unique_ptr<Workspace> workspace_ =
      std::move(*Workspace::open({(tree_ / "").string()}, SecretRules()));
  const std::string root_ = workspace_->trees().front().root.path();
  Tasks tasks_{{root_ + "/.lode/backlog", root_, {}, ""}, log_, [this](const Tasks::News& news) {
                 if (news_) news_->publish(news);
               }};
  std::optional<TaskNews> news_{std::in_place, tasks_, watched_, events_,
                                [](const TaskNews::Causes&) {}};
  BacklogProvider provider_{tasks_, watched_, {*workspace_, root_ + "/.lode/backlog", "", {}}};
  TestRequest everything_{[](Action, const Uri&) { return true; }};
};

TEST_F(BacklogProviderTest, AliasesAreSpellingsOfOneAddress) {
  for (const char* alias :
       {"mcp://backlog/tasks/task-0001", "mcp://backlog/tasks/TASK-0001",
        "mcp://backlog/tasks/TASK-0001/", "mcp://backlog/tasks/TASK-0001?x=1"}) {
    EXPECT_EQ(canonical(alias), "mcp://backlog/tasks/TASK-0001") << alias;
  }
  for (const char* alias :
       {"mcp://backlog/tasks/TASK-0001.md", "mcp://backlog/docs/tasks/TASK-0001.md",
        "mcp://backlog/tasks/task-0001/file"}) {
    EXPECT_EQ(canonical(alias), "mcp://backlog/tasks/TASK-0001/file") << alias;
  }
  for (const char* alias :
       {"mcp://backlog/resources/docs/adr/0001-first", "mcp://backlog/docs/adr/0001-first.md",
        "mcp://backlog/resources//docs/./adr/0001-first.md"}) {
    EXPECT_EQ(canonical(alias), "mcp://backlog/resources/docs/adr/0001-first.md") << alias;
  }
}

TEST_F(BacklogProviderTest, RulesAboutFilesHold) {
  const auto behind = [&](const char* address) {
    return provider_.file_behind(provider_.canonical(*Uri::parse(address)));
  };
  const auto task = behind("mcp://backlog/tasks/task-0001");
  ASSERT_TRUE(task);
  EXPECT_EQ(task->path, root_ + "/.lode/backlog/tasks/TASK-0001.md");
  EXPECT_EQ(behind("mcp://backlog/tasks/TASK-0404")->path,
            root_ + "/.lode/backlog/tasks/TASK-0404.md");
  const auto file = behind("mcp://backlog/resources/docs/adr/0001-first");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, root_ + "/docs/adr/0001-first.md");
  EXPECT_TRUE(file->is_the_file);
  EXPECT_FALSE(behind("mcp://backlog/resources/docs%2fadr"));
}

TEST_F(BacklogProviderTest, WhatIsHiddenIsNowhere) {
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_searchable());
  TestRequest some(
      [](Action, const Uri& uri) { return uri.text() != "mcp://backlog/tasks/TASK-0001"; });
  const auto at = [&](const char* address) {
    const auto outcome = read_at(provider_, some.exchange(), *Uri::parse(address));
    return outcome ? std::get<Contents>(*outcome).items.front().bytes : outcome.error().message;
  };
  EXPECT_EQ(at("mcp://backlog/tasks/TASK-0001"), "no such resource");
  EXPECT_EQ(at("mcp://backlog/tasks").find("\"id\":\"TASK-0001\""), std::string::npos);
  EXPECT_NE(at("mcp://backlog/tasks?ready=true").find("\"id\":\"TASK-0002\""), std::string::npos);
  EXPECT_NE(at("mcp://backlog/board").find("0 in progress, 1 open (1 ready)"), std::string::npos);
  EXPECT_EQ(at("mcp://backlog/tasks?q=walrus"), R"({"tasks":[],"total":0})");
  EXPECT_NE(at("mcp://backlog/tasks").find(R"(],"total":1})"), std::string::npos);
  // As of one that is not there.
  EXPECT_NE(at("mcp://backlog/problems").find("the parent TASK-0001 is not there"),
            std::string::npos);
}

TEST_F(BacklogProviderTest, ArtifactsOutsideOfTheWorkspaceAreTold) {
  TestTree home;
  home.write(".backlog/mine/tasks/TASK-0001.md", "# One\n");
  home.write(".backlog/mine/notes/a.md", "a\n");
  home.write(".backlog/engineer/b.md", "b\n");
  const auto backlog = home.root().path() + "/.backlog/mine";
  Tasks tasks({backlog, "", {}, ""}, log_, [](const Tasks::News&) {});
  WatchedAddresses watched;
  BacklogProvider provider(tasks, watched, {*workspace_, backlog, home.root().path(), {}});
  const std::vector<std::string> addresses{"mcp://backlog/artifacts/notes/a.md",
                                           "mcp://backlog/artifacts/engineer/b.md",
                                           "mcp://backlog/artifacts/later.md"};
  for (const auto& uri : addresses) provider.watch(*Uri::parse(uri), true);
  const auto told = [&] {
    told_.clear();
    provider.look_at_artifacts(events_);
    return told_;
  };
  using Told = std::set<std::string>;
  EXPECT_EQ(told(), Told{});
  home.write(".backlog/mine/notes/a.md", "changed\n");
  EXPECT_EQ(told(), Told{addresses[0]});
  home.remove(".backlog/engineer/b.md");
  home.write(".backlog/mine/artifacts/later.md", "later\n");
  EXPECT_EQ(told(), (Told{addresses[1], addresses[2]}));
  EXPECT_EQ(told(), Told{});
  provider.watch(*Uri::parse(addresses[0]), false);
  home.write(".backlog/mine/notes/a.md", "changed again\n");
  EXPECT_EQ(told(), Told{});
}

TEST_F(BacklogProviderTest, ChangesAreToldAtEveryAddressThatShowsThem) {
  for (const char* uri : {"mcp://backlog/tasks?status=done", "mcp://backlog/tasks?label=ui",
                          "mcp://backlog/tasks?label=other"}) {
    watched_.watch(*Uri::parse(uri), true);
  }
  told_.clear();
  write("TASK-0001", "status: done\n");
  EXPECT_EQ(told_,
            (std::set<std::string>{
                "mcp://backlog/board", "mcp://backlog/problems", "mcp://backlog/tasks/TASK-0001",
                "mcp://backlog/tasks/TASK-0001/file", "mcp://backlog/tasks/TASK-0001/history",
                "mcp://backlog/tasks/TASK-0002", "mcp://backlog/tasks?label=ui",
                "mcp://backlog/tasks?status=done", "resource_list"}));
}

TEST_F(BacklogProviderTest, TheBoardStaysUnderItsTokensWhateverTitlesAre) {
  std::string strange;
  for (int i = 0; i < 100; ++i) strange += "\xf0\x9f\xa7\xbf";
  for (int i = 10; i < 80; ++i) {
    const char* status = i % 3 == 0 ? "blocked" : i % 3 == 1 ? "open" : "in_progress";
    write(fmt::format("TASK-00{}", i),
          fmt::format("name: x\ndue: '{}'\nassignee: '{}'\nstatus: {}\n", strange, strange, status),
          "# " + strange + "\n");
    tree_.write(fmt::format(".lode/backlog/tasks/X-{}.md", i),
                fmt::format("---\ntitle: '{}'\nstatus: {}\n---\n", strange, status));
    tasks_.refresh(fmt::format("tasks/X-{}.md", i));
  }
  const auto board = text("mcp://backlog/board");
  EXPECT_LT(Tokenizer::o200k().count(board), 1500U) << board;
  EXPECT_NE(board.find("more: mcp://backlog/tasks?status=in_progress"), std::string::npos) << board;
}

TEST_F(BacklogProviderTest, APageStaysUnderItsTokensWhateverATaskHas) {
  std::string strange;
  for (int i = 0; i < 25; ++i) strange += "\xf0\x9f\xa7\xbf";
  std::string dependencies;
  std::string labels;
  for (int i = 0; i < 400; ++i) dependencies += fmt::format("  - X-{:098}\n", i);
  for (int i = 0; i < 100; ++i) labels += fmt::format("  - '{}{}'\n", strange, i);
  const auto fields =
      fmt::format("dependencies:\n{}labels:\n{}assignee: '{}'\n", dependencies, labels, strange);
  std::set<std::string> wanted{"TASK-0001", "TASK-0002"};
  for (int i = 10; i < 20; ++i) {
    write(fmt::format("TASK-00{}", i), fields, fmt::format("{} walrus\n", strange));
    wanted.insert(fmt::format("TASK-00{}", i));
  }
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_searchable());
  for (std::string next : {"mcp://backlog/tasks", "mcp://backlog/tasks?sort=title"}) {
    std::set<std::string> seen;
    while (!next.empty()) {
      const auto page = text(next);
      EXPECT_LE(Tokenizer::o200k().count(page), 4000U);
      const auto document = JsonDocument::parse(page);
      ASSERT_TRUE(document) << page;
      document->root()["tasks"].each([&](JsonView task) {
        const std::string id(task["id"].string().value_or(""));
        EXPECT_TRUE(seen.insert(id).second);
        EXPECT_EQ(task["dependencies_count"].integer().value_or(0), id > "TASK-0009" ? 400 : 0);
      });
      next = document->root()["next"].string().value_or("");
    }
    EXPECT_EQ(seen, wanted);
  }
  EXPECT_LE(Tokenizer::o200k().count(text("mcp://backlog/tasks?q=walrus")), 4000U);
}

TEST_F(BacklogProviderTest, WhatIsFoundIsSortedAsAsked) {
  for (int i = 10; i < 40; ++i) {
    write(fmt::format("TASK-00{}", i), fmt::format("priority: {}\n", i % 2 == 0 ? "high" : "low"),
          fmt::format("A walrus{}.\n", std::string(static_cast<std::size_t>(i % 7), '!')));
  }
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_searchable());
  std::vector<std::string> seen;
  for (std::string next = "mcp://backlog/tasks?q=walrus&sort=id"; !next.empty();) {
    const auto document = JsonDocument::parse(text(next));
    ASSERT_TRUE(document);
    document->root()["tasks"].each(
        [&](JsonView task) { seen.emplace_back(task["id"].string().value_or("")); });
    next = document->root()["next"].string().value_or("");
  }
  ASSERT_EQ(seen.size(), 31U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << fmt::format("{}", fmt::join(seen, " "));
  EXPECT_TRUE(text("mcp://backlog/tasks?q=walrus&sort=priority")
                  .starts_with(R"({"tasks":[{"id":"TASK-0010")"));
}

TEST_F(BacklogProviderTest, ATaskTellsItsVersionInItsMetadataToo) {
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_loaded());
  const auto document = JsonDocument::parse(text("mcp://backlog/tasks/TASK-0001"));
  ASSERT_TRUE(document);
  const auto task = document->root();
  EXPECT_FALSE(task["version"].string().value_or("").empty());
  EXPECT_EQ(task["resource"]["version"].string(), task["version"].string());
}

TEST_F(BacklogProviderTest, APageHasAsManyTasksAsAreWanted) {
  for (int i = 100; i < 400; ++i)
    write(fmt::format("TASK-0{}", i), "labels: [many]\n", "Of many.\n");
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_searchable());
  const auto page = [&](const std::string& uri) {
    auto parsed = JsonDocument::parse(text(uri));
    EXPECT_TRUE(parsed) << uri;
    return std::move(parsed).value();
  };
  const auto small = page("mcp://backlog/tasks?label=many");
  EXPECT_LT(small.root()["tasks"].size(), 101U);
  EXPECT_EQ(small.root()["total"].integer(), 300);
  for (const std::size_t limit : {7U, 200U, 300U, 1000U}) {
    std::set<std::string> seen;
    std::string next = fmt::format("mcp://backlog/tasks?label=many&limit={}", limit);
    while (!next.empty()) {
      const auto one = page(next);
      const auto left = 300 - seen.size();
      EXPECT_EQ(one.root()["tasks"].size(), std::min<std::size_t>(limit, left));
      EXPECT_EQ(one.root()["total"].integer(), 300);
      one.root()["tasks"].each(
          [&](JsonView task) { seen.emplace(task["id"].string().value_or("")); });
      next = one.root()["next"].string().value_or("");
      EXPECT_TRUE(next.empty() || next.find(fmt::format("limit={}", limit)) != next.npos) << next;
    }
    EXPECT_EQ(seen.size(), 300U);
  }
  EXPECT_TRUE(provider_.watchable(*Uri::parse("mcp://backlog/tasks?limit=10")));
  EXPECT_TRUE(provider_.watchable(*Uri::parse("mcp://backlog/board")));
  const auto found = page("mcp://backlog/tasks?q=many&limit=150");
  EXPECT_EQ(found.root()["tasks"].size(), 150U);
  EXPECT_EQ(found.root()["total"].integer(), 300);
  for (const char* wrong : {"0", "1001", "-1", "x", "", "1.5", "99999999999999999999"}) {
    const auto refused = read(fmt::format("mcp://backlog/tasks?limit={}", wrong));
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, Code::invalid) << wrong;
    EXPECT_FALSE(
        provider_.watchable(*Uri::parse(fmt::format("mcp://backlog/tasks?limit={}", wrong))));
  }
}

TEST_F(BacklogProviderTest, ListsHaveEveryTaskOnceHoweverLongThePagesAre) {
  for (int i = 10; i < 30; ++i) write(fmt::format("TASK-00{}", i), "");
  tasks_.start();
  ASSERT_TRUE(tasks_.wait_loaded());
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 100U}) {
    std::set<std::string> uris;
    std::size_t count = 0;
    std::string after;
    std::size_t pages = 0;
    do {
      const auto page = provider_.list(everything_.exchange(), {after, limit});
      ASSERT_TRUE(page);
      for (const auto& entry : page->items) uris.insert(entry.uri);
      count += page->items.size();
      after = page->next;
    } while (!after.empty() && ++pages < 1000);
    EXPECT_EQ(count, uris.size());
    EXPECT_EQ(count, 2U + 22 * 2) << limit;
  }
}

TEST(Snippet, ShowsWhereTheWordsStand) {
  EXPECT_EQ(snippet_of("A walrus.\nAnd more", "walruses", 100), "A walrus. And more");
  const std::string text = std::string(500, 'x') + " the blue whale sings " + std::string(500, 'y');
  const auto found = snippet_of(text, "whale song blue", 40);
  EXPECT_NE(found.find("blue whale"), std::string::npos) << found;
  EXPECT_TRUE(found.starts_with("…") && found.ends_with("…")) << found;
  EXPECT_EQ(snippet_of("nothing", "walrus", 40), "");
  EXPECT_EQ(snippet_of("", "", 40), "");
}

}  // namespace
}  // namespace lode
