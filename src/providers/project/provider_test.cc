#include "providers/project/provider.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/json.h"
#include "base/tokens.h"
#include "engine/test_gate.h"
#include "workspace/test_git.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class ProjectTest : public ::testing::Test {
 protected:
  ProjectTest() { open({""}); }

  void open(const std::vector<std::string>& directories) {
    std::vector<std::string> paths;
    for (const auto& directory : directories) {
      tree.make_directory(directory);
      paths.push_back(directory.empty() ? tree.root().path() : (tree / directory).string());
    }
    workspace = std::move(*Workspace::open(paths, {}));
    ProjectParts parts{*workspace, [this] { return revision; }};
    provider.emplace(std::move(parts), ProjectLimits{3, 1000, 3});
  }
  void hide(const std::string& path) { hidden.insert((tree / path).string()); }

  Exchange exchange() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    return {who,    late ? std::chrono::steady_clock::time_point() : deadline,
            {},     progress,
            client, answers,
            &gate};
  }
  Result<Contents> contents(const std::string& rest) {
    auto uri = Uri::parse("resource://project/" + rest);
    if (!uri) return std::move(uri).error();
    auto outcome = read_at(*provider, exchange(), *uri);
    if (!outcome) return std::move(outcome).error();
    return std::get<Contents>(std::move(*outcome));
  }
  // The text at an address, or the error's message.
  std::string read(const std::string& rest) {
    auto found = contents(rest);
    return found ? found->items.at(0).bytes : found.error().message;
  }
  Code code(const std::string& rest) {
    const auto found = contents(rest);
    EXPECT_FALSE(found) << rest;
    return found ? Code::internal : found.error().code;
  }
  std::string canonical(const std::string& rest) {
    return std::string(provider->canonical(*Uri::parse("resource://project/" + rest)).text());
  }
  std::vector<std::string> complete(const std::string& argument, const std::string& value) {
    return provider
        ->complete(
            exchange(),
            {CompletionQuery::Of::resource, std::string(kProjectTemplate), argument, value, {}})
        ->values;
  }
  static bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }

  TestTree tree;
  std::set<std::string> hidden;
  std::uint64_t revision = 7;
  bool late = false;
  Principal who = Principal::local();
  NoProgress progress;
  ClientAbilities client;
  Answers answers;
  // What is below something hidden is hidden.
  const TestGate gate{[this](Action, const Uri& uri) {
    const auto path = *decoded_path(uri);
    return std::ranges::none_of(hidden, [&](const std::string& closed) {
      return path == closed || path.starts_with(closed + "/");
    });
  }};
  std::unique_ptr<Workspace> workspace;
  std::optional<ProjectProvider> provider;
};

TEST_F(ProjectTest, ShowsTheTreeWithoutWhatIsIgnored) {
  tree.write(".gitignore", "build/\n*.log\n");
  tree.write("build/out.o", "x");
  tree.write("trace.log", "x");
  tree.write(".env", "SECRET");
  tree.write("src/a.ts", "x");
  tree.write("src/deep/er/b.ts", "x");
  fs::create_symlink("src/a.ts", tree / "link.ts");
  const std::string head = fs::path(tree.root().path()).filename().string();
  EXPECT_EQ(read("structure"), head +
                                   ": 3 files, 3 directories\nsrc/\n  deep/\n    er/ (1 file)\n"
                                   "  a.ts\n.gitignore\nlink.ts (link)\n"
                                   "Depth 3: more with max_depth, or with "
                                   "resource://project/DIRECTORY/structure.\n");
  EXPECT_EQ(read("src/structure?max_depth=4"),
            "src: 2 files, 2 directories\ndeep/\n  er/\n    b.ts\na.ts\n");
  EXPECT_EQ(read("structure?pattern=b.ts&max_depth=9"),
            head + ": 1 file, 3 directories\nsrc/\n  deep/\n    er/\n      b.ts\n");
  EXPECT_EQ(read("structure?pattern=a.ts"), head + ": 1 file, 1 directory\nsrc/\n  a.ts\n");
  EXPECT_EQ(read("structure?exclude=deep,link*"),
            head + ": 2 files, 1 directory\nsrc/\n  a.ts\n.gitignore\n");
  EXPECT_TRUE(has(read("build/structure"), "0 files, 0 directories (ignored by git)"));
}

TEST_F(ProjectTest, HasOneSpelling) {
  for (const char* spelling :
       {"summary", "./summary", "/summary", "summary/", "summary?pattern="}) {
    EXPECT_EQ(canonical(spelling), "resource://project/summary") << spelling;
  }
  EXPECT_EQ(canonical("a//b/files?max_depth=2&pattern=*.ts"),
            "resource://project/a/b/files?pattern=%2A.ts&max_depth=2");
  EXPECT_EQ(canonical("summary/summary"), "resource://project/summary/summary");
}

TEST_F(ProjectTest, ListsFilesInPages) {
  for (const char* path : {"a-b", "a/x.ts", "b.md", "c.rs", "d", "e.py", "f.c"})
    tree.write(path, "12");
  const auto first = parse_json(read("files"));
  ASSERT_TRUE(first);
  const auto& object = first->as_object();
  EXPECT_EQ(to_text(object.at("files")),
            R"([{"path":"a-b","size":2},{"path":"a/x.ts","size":2,"language":"TypeScript"},)"
            R"({"path":"b.md","size":2,"language":"Markdown"}])");
  EXPECT_EQ(object.at("total").as_int64(), 7);
  EXPECT_EQ(static_cast<std::size_t>(object.at("tokens").as_int64()),
            Tokenizer::o200k().count(read("files")));
  // What comes and goes between the pages neither repeats nor hides others.
  tree.remove("b.md");
  tree.write("a/new.ts", "x");
  std::string seen;
  auto next =
      std::string(object.at("next").as_string()).substr(std::string("resource://project/").size());
  while (!next.empty()) {
    const auto page = parse_json(read(next));
    ASSERT_TRUE(page);
    for (const auto& file : page->at("files").as_array()) {
      seen += std::string(file.at("path").as_string()) + " ";
    }
    const auto* more = page->as_object().if_contains("next");
    next = more == nullptr
               ? ""
               : std::string(more->as_string()).substr(std::string("resource://project/").size());
  }
  EXPECT_EQ(seen, "c.rs d e.py f.c ");
  EXPECT_TRUE(has(read("files?pattern=*.ts,*.py&exclude=new*"), "\"total\":2"));
  EXPECT_TRUE(has(read("files?max_depth=1&exclude=?.*"), "\"total\":2"));
  EXPECT_TRUE(has(read("files?pattern=nothing"), R"({"files":[],"total":0,"tokens":)"));
}

TEST_F(ProjectTest, SummarisesFromFacts) {
  tree.write("README.md", "# Tool\n\nDoes it all.\n");
  tree.write("package.json",
             R"({"name":"tool","scripts":{"test":"x"},"dependencies":{"lit":"3"}})");
  tree.write("go/main.go", "package main\n\nfunc main() {}\n");
  tree.write("src/a.ts", "one\ntwo\nthree");
  tree.write("script", "#!/usr/bin/env python3\nprint()\n");
  run_git(tree / "", "init -b trunk");
  run_git(tree / "", "add -A");
  run_git(tree / "", "commit -m 'The subject'");
  const auto page = read("summary");
  for (const char* words :
       {"Does it all.", "5 files, 2 directories", "TypeScript: 1 file, 3 lines",
        "Python: 1 file, 2 lines", "- test: `npm run test` (package.json)", "- go/main.go\n",
        "package.json: 1 dependency: lit 3", "Branch trunk, head ", " of 2023-11-14: The subject",
        "Most changed in the last 1 commit: README.md (1)",
        "## Largest files\n- package.json 65 B\n"}) {
    EXPECT_TRUE(has(page, words)) << words << "\n" << page;
  }
  const auto below = read("src/summary");
  EXPECT_TRUE(below.starts_with("# src\n\n1 file, 0 directories\n")) << below;
  EXPECT_TRUE(has(below, "Branch trunk"));
  EXPECT_TRUE(has(below, "Most changed in the last 1 commit: a.ts (1)\n"));
}

TEST_F(ProjectTest, ABrokenManifestIsSaidNotRaised) {
  tree.write("package.json", "{\"name\": ");
  tree.write("Cargo.toml", "[package\n");
  const auto page = read("summary");
  EXPECT_TRUE(has(page, "- package.json: cannot be read: ")) << page;
  EXPECT_TRUE(has(page, "- Cargo.toml: cannot be read: ")) << page;
  tree.write("package.json", std::string(2 << 20, ' '));
  EXPECT_TRUE(has(read("summary"), "- package.json: cannot be read: "));
}

TEST_F(ProjectTest, SaysWhatThereWasNoTimeFor) {
  tree.write("a.ts", "x\n");
  late = true;
  const auto found = contents("summary");
  ASSERT_TRUE(found);
  EXPECT_TRUE(has(found->items[0].bytes, "There was no time to look into 1 file"));
  EXPECT_EQ(found->ttl.count(), 0);
  late = false;
  EXPECT_TRUE(has(read("summary"), "TypeScript: 1 file, 1 line"));
}

TEST_F(ProjectTest, CountsAgainWhatChanged) {
  tree.write("a.ts", "x\n");
  EXPECT_TRUE(has(read("summary"), "1 file, 1 line ("));
  tree.write("a.ts", "x\ny\n");
  EXPECT_TRUE(has(read("summary"), "1 file, 2 lines ("));
}

TEST_F(ProjectTest, WhatIsHiddenIsNowhere) {
  tree.write("open/a.ts", "x\n");
  tree.write("secret/b.rs", "x\ny\n");
  tree.write("secret/package.json", R"({"dependencies":{"hush":"1"}})");
  tree.write("open/c.rs", std::string(5000, 'z'));
  run_git(tree / "", "init -b main");
  run_git(tree / "", "add -A");
  run_git(tree / "", "commit -m one");
  hide("secret");
  hide("open/c.rs");
  EXPECT_FALSE(has(read("structure"), "secret"));
  EXPECT_TRUE(has(read("structure"), ": 1 file, 1 directory\n"));
  EXPECT_TRUE(has(read("files"), "\"total\":1,"));
  const auto page = read("summary");
  for (const char* words : {"secret", "hush", "Rust", "c.rs"})
    EXPECT_FALSE(has(page, words)) << page;
  EXPECT_TRUE(has(page, "Most changed in the last 1 commit: open/a.ts (1)\n"));
  for (const char* rest : {"secret/summary", "secret/sub/files", "secret/b.rs/structure",
                           "open/c.rs/structure", "absent/structure"}) {
    EXPECT_EQ(read(rest), "no such resource") << rest;
  }
  fs::create_directory_symlink("secret", tree / "way");
  EXPECT_EQ(read("way/structure"), "no such resource");
  EXPECT_EQ(complete("path", ""), std::vector<std::string>{"open"});
  hide(".git");
  EXPECT_FALSE(has(read("summary"), "## Git"));
}

TEST_F(ProjectTest, RefusesWhatMakesNoSense) {
  tree.write("src/a.ts", "x");
  const auto refused = [&](const std::string& rest, const std::string& words) {
    EXPECT_EQ(code(rest), Code::invalid) << rest;
    EXPECT_TRUE(has(read(rest), words)) << rest << ": " << read(rest);
  };
  refused("src", "\"src\" is no aspect: end the address with one of structure, summary, files");
  refused("src/sumary", "(did you mean \"summary\"?)");
  refused("src/a.ts/summary",
          "src/a.ts is a file; read resource://file/src/a.ts/structure or file:///");
  for (const char* depth : {"-1", "0", "65", "x", "", "1.5", "99999999999999999999"}) {
    refused("structure?max_depth=" + std::string(depth),
            "max_depth is a whole number from 1 to 64");
  }
  refused("structure?patern=x", "(did you mean \"pattern\"?)");
  refused("structure?cursor=x", "structure has no parameter \"cursor\"");
  refused("structure?pattern=a&pattern=b", "given twice");
  refused("structure?pattern=%5Ba", "\"pattern\": ");
  refused("files?cursor=abc", "the cursor is none that was given out");
  refused("files?cursor=", "the cursor is none that was given out");
  for (const char* rest : {"..%2F..%2Fetc/structure", "a%2Fb/structure", ".git/structure",
                           ".env/structure", "etc/passwd/summary"}) {
    EXPECT_FALSE(contents(rest)) << rest;
  }
}

TEST_F(ProjectTest, SeveralRootsHaveNames) {
  open({"one", "two"});
  tree.write("one/a.ts", "x\n");
  tree.write("two/sub/b.rs", "x\n");
  EXPECT_EQ(read("summary"),
            "# Workspace\n\n- one: resource://project/one/summary\n- two: "
            "resource://project/two/summary\n");
  EXPECT_EQ(code("structure"), Code::invalid);
  EXPECT_TRUE(has(read("two/summary"), "# two\n"));
  EXPECT_TRUE(has(read("two/sub/files"), R"("path":"b.rs")"));
  EXPECT_EQ(complete("path", ""), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(complete("path", "two/"), std::vector<std::string>{"two/sub"});
  auto page = provider->list(exchange(), {"", 1});
  ASSERT_TRUE(page);
  EXPECT_EQ(page->items.at(0).uri, "resource://project/one/summary");
  page = provider->list(exchange(), {page->next, 1});
  EXPECT_EQ(page->items.at(0).uri, "resource://project/two/summary");
  EXPECT_EQ(page->next, "");
  hide("one");
  EXPECT_FALSE(has(read("summary"), "one"));
  EXPECT_EQ(provider->list(exchange(), {"", 10})->items.size(), 1U);
}

TEST_F(ProjectTest, ListsAndCompletes) {
  tree.write("src/base/a.h", "x");
  tree.write("src/main.cc", "x");
  tree.write("build/x", "x");
  tree.write(".gitignore", "build\n");
  const auto page = provider->list(exchange(), {"", 10});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  EXPECT_EQ(page->items[0].uri, "resource://project/summary");
  EXPECT_EQ(complete("path", "s"), std::vector<std::string>{"src"});
  EXPECT_EQ(complete("path", ""), std::vector<std::string>{"src"});
  EXPECT_EQ(complete("path", "src/"), std::vector<std::string>{"src/base"});
  EXPECT_EQ(complete("path", "../"), std::vector<std::string>{});
  EXPECT_EQ(complete("aspect", "s"), (std::vector<std::string>{"structure", "summary"}));
  EXPECT_EQ(complete("pattern", ""), std::vector<std::string>{});
}

TEST_F(ProjectTest, StampsFollowTheWorkspaceAndTheHead) {
  tree.write("a", "x");
  run_git(tree / "", "init -b main");
  const auto files = contents("files");
  EXPECT_EQ(files->stamp, 7U);
  EXPECT_EQ(files->stamp_now(), 7U);
  const auto summary = contents("summary");
  EXPECT_EQ(summary->stamp, summary->stamp_now());
  EXPECT_EQ(summary->ttl, Contents::kUntilChanged);
  run_git(tree / "", "commit --allow-empty -m one");
  EXPECT_NE(summary->stamp_now(), summary->stamp);
  revision = 0;
  EXPECT_EQ(summary->stamp_now(), 0U);
  EXPECT_EQ(contents("structure")->ttl.count(), 0);
}

TEST_F(ProjectTest, ARepositoryElsewhereIsAskedEachTime) {
  tree.make_directory("main");
  run_git(tree / "main", "init -b main");
  run_git(tree / "main", "commit --allow-empty -m one");
  run_git(tree / "main", "worktree add ../side");
  const auto found = contents("side/summary");
  ASSERT_TRUE(found);
  EXPECT_TRUE(has(found->items[0].bytes, "Branch side")) << found->items[0].bytes;
  EXPECT_EQ(found->ttl.count(), 0);
}

TEST_F(ProjectTest, TheTemplateIsSmall) {
  const auto entry = provider->manifest()->routes.at(0).entry;
  std::string json;
  JsonWriter(json)
      .begin_object()
      .member("uriTemplate", entry.uri_template)
      .member("name", entry.name)
      .member("description", entry.description)
      .end_object();
  EXPECT_LE(Tokenizer::o200k().count(json), 60U);
}

}  // namespace
}  // namespace lode
