#include "links/link_target.h"

#include <gtest/gtest.h>

#include <set>

namespace lode {
namespace {

using Kind = MarkdownLink::Kind;

class LinkTarget : public testing::Test {
 protected:
  LinkTarget() {
    world_.roots = {{"/home/ana/w", "w"}};
    world_.exists = [this](const std::string& path) { return files_.contains(path); };
    world_.address = [this](const std::string& path) -> std::optional<std::string> {
      const std::string root = "/home/ana/w/";
      if (!files_.contains(path) || !path.starts_with(root)) return std::nullopt;
      return "mcp://backlog/resources/" + path.substr(root.size());
    };
    world_.unresolved = [](const std::string& uri) -> std::optional<std::string> {
      if (uri == "mcp://backlog/board") return std::nullopt;
      return "no such resource";
    };
    world_.only_file = [](const std::string& name) -> std::optional<std::string> {
      if (name != "moved.md") return std::nullopt;
      return "/home/ana/w/src/moved.md";
    };
  }

  // "problem right", with "!" if it is certain; empty: all is well.
  std::string judge(std::string_view destination, Kind kind = Kind::inlined) const {
    const auto found = judge_link(destination, kind, "/home/ana/w/docs", world_);
    if (!found) return "";
    return std::string(to_string(found->problem)) + " " + found->right +
           (found->certain ? "!" : "");
  }

  std::set<std::string> files_{"/home/ana/w/docs/a.md", "/home/ana/w/README.md",
                               "/home/ana/w/docs/b c.md", "/home/ana/w/docs", "/home/ana/w"};
  LinkWorld world_;
};

TEST_F(LinkTarget, WhatWorksEverywhereIsWell) {
  for (const char* well :
       {"https://example.com/x", "mailto:a@b", "#part", "a.md", "a.md#part", "./a.md",
        "../README.md", "b%20c.md", "b c.md", "a.md?raw=1", "..", "/README.md",
        "mcp://backlog/board", "mcp://backlog/board#x", "//host/x", "HTTPS://x", "plugin://x/y"}) {
    EXPECT_EQ(judge(well), "") << well;
  }
}

TEST_F(LinkTarget, PathsOfOneMachineBecomeAddresses) {
  EXPECT_EQ(judge("file:///home/ana/w/docs/a.md"),
            "machine-specific mcp://backlog/resources/docs/a.md!");
  EXPECT_EQ(judge("file:///home/ana/w/docs/../README.md#part"),
            "machine-specific mcp://backlog/resources/README.md#part!");
  EXPECT_EQ(judge("/home/ana/w/docs/a.md"), "machine-specific mcp://backlog/resources/docs/a.md!");
  EXPECT_EQ(judge("file:///Users/bo/w/docs/a.md", Kind::bare),
            "machine-specific mcp://backlog/resources/docs/a.md!");
  EXPECT_EQ(judge("C:\\work\\w\\docs\\a.md"),
            "machine-specific mcp://backlog/resources/docs/a.md!");
  EXPECT_EQ(judge("file:///Users/bo/other/docs/a.md"), "machine-specific ");
  EXPECT_EQ(judge("file:///Users/bo/other/moved.md"), "machine-specific ../src/moved.md");
  EXPECT_EQ(judge("~/notes.md"), "machine-specific ");
  EXPECT_EQ(judge("/etc/passwd"), "machine-specific ");
}

TEST_F(LinkTarget, WhatIsNotThereIsTold) {
  EXPECT_EQ(judge("gone.md"), "dead ");
  EXPECT_EQ(judge("a"), "dead a.md");
  EXPECT_EQ(judge("README.md"), "dead ../README.md");
  EXPECT_EQ(judge("moved.md#x"), "dead ../src/moved.md#x");
  EXPECT_EQ(judge("../../../../../x"), "dead ");
  EXPECT_EQ(judge("%zz"), "dead ");
  EXPECT_EQ(judge("%ff"), "dead ");
  EXPECT_EQ(judge("mcp://backlog/tasks/TASK-9"), "unresolved ");
  EXPECT_EQ(judge("file://host/x"), "unresolved ");
  EXPECT_EQ(judge("file:///a/%2e%2e/%2e%2e/b"), "unresolved ");
}

TEST_F(LinkTarget, PatternsInProseAreNoAddresses) {
  EXPECT_EQ(judge("mcp://backlog/tasks/{id}", Kind::bare), "");
  EXPECT_EQ(judge("file:///\u2026", Kind::bare), "");
  EXPECT_EQ(judge("mcp://", Kind::bare), "");
  EXPECT_EQ(judge("mcp://backlog/tasks/{id}"), "unresolved ");
}

TEST(RelativeLink, GoesUpAndDown) {
  EXPECT_EQ(relative_link("/w/docs", "/w/docs/a.md"), "a.md");
  EXPECT_EQ(relative_link("/w/docs/x", "/w/doc/a b.md"), "../../doc/a%20b.md");
  EXPECT_EQ(relative_link("/w", "/w/docs"), "docs");
}

}  // namespace
}  // namespace lode
