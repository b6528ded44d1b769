#include "providers/code/symbol_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "store/test_directory.h"
#include "syntax/local_syntax.h"
#include "workspace/sweep.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

class SymbolIndexTest : public testing::Test {
 protected:
  struct Run {
    Run(SymbolIndexTest& test, const std::string& state)
        : symbols({*test.workspace, test.outlines, index, test.log}) {
      symbols.start(state);
    }
    // Best first.
    std::vector<std::string> rank(std::string_view query) const {
      std::vector<std::string> keys;
      for (const auto& hit : index.search(query, {})) keys.push_back(hit.key);
      return keys;
    }
    std::vector<std::string> find(std::string_view query) const {
      auto keys = rank(query);
      std::ranges::sort(keys);
      return keys;
    }
    SymbolIndex::Progress wait() const {
      return symbols.wait(std::chrono::steady_clock::now() + 30s);
    }

    Index index;
    SymbolIndex symbols;
  };

  Workspace::Tree& root() { return workspace->trees().front(); }

  static Changes paths(std::vector<std::string> names) {
    Changes changes;
    changes.paths = std::move(names);
    return changes;
  }
  static Changes trees(std::vector<std::string> names) {
    Changes changes;
    changes.trees = std::move(names);
    return changes;
  }

  static std::string uri(std::string_view path, std::string_view symbol) {
    return std::string("resource://file/").append(path).append("/source?symbol=").append(symbol);
  }

  // The format of what the file holds besides the index.
  static std::string head_of(const std::string& file) {
    std::string line;
    std::getline(std::ifstream(file) >> std::ws, line);
    const auto at = line.find(" with ");
    return at == std::string::npos ? "" : line.substr(at + 6);
  }

  TestTree tree;
  TestDirectory state;
  Log log = Log::to_stderr(LogLevel::error);
  std::unique_ptr<Workspace> workspace =
      std::move(*Workspace::open({tree.root().path()}, SecretRules()));
  LocalSyntax syntax;
  Outlines outlines{syntax};
};

using Keys = std::vector<std::string>;

TEST_F(SymbolIndexTest, FindsTheSymbolsOfAllFiles) {
  tree.write(".gitignore", "out/\n");
  tree.write("a.py", "class Walrus:\n  def swim(self):\n    '''Crosses the bay.'''\n");
  tree.write("run", "#!/bin/sh\nwalrus_run() { :; }\n");
  tree.write("out/b.py", "class Walrus: pass\n");
  tree.write("keys.json", "{\"walrus\": 1}");
  tree.write("binary.py", std::string("class Walrus: pass\n\0", 20));
  tree.write("plain", "walrus");
  Run run(*this, "");
  run.symbols.look_through();
  const auto progress = run.wait();
  EXPECT_TRUE(progress.complete());
  EXPECT_EQ(progress.symbols, 3U);
  EXPECT_EQ(run.find("walrus"),
            (Keys{uri("a.py", "Walrus"), uri("a.py", "Walrus.swim"), uri("run", "walrus_run")}));
  EXPECT_EQ(run.find("bay"), Keys{uri("a.py", "Walrus.swim")});
}

TEST_F(SymbolIndexTest, AnExactNameComesFirstThenWhatItsFileIsWorth) {
  const std::string comment = "'''Asks for a thing, with all that a thing that is asked needs.'''";
  tree.write("src/ask.py", "class AskThing:\n  " + comment + "\n  def close(self): pass\n" +
                               "def ask_thing_twice(): pass\n");
  tree.write("src/value.py", "ask_thing = 1\n");
  tree.write("tests/ask.py", "class AskThing: pass\n");
  tree.write("a/ask.min.js", "class AskThing {}\n");
  tree.write("a/long.js", "class AskThing {}\n/*" + std::string(2000, 'x') + "*/");
  Run run(*this, "");
  run.symbols.look_through();
  run.wait();
  EXPECT_EQ(run.rank("AskThing"),
            (Keys{uri("src/ask.py", "AskThing"), uri("src/value.py", "ask_thing"),
                  uri("tests/ask.py", "AskThing"), uri("src/ask.py", "AskThing.close"),
                  uri("src/ask.py", "ask_thing_twice"), uri("a/ask.min.js", "AskThing"),
                  uri("a/long.js", "AskThing")}));
  EXPECT_EQ(run.rank("AskThing.close").front(), uri("src/ask.py", "AskThing.close"));
}

TEST_F(SymbolIndexTest, EachOfSeveralSymbolsOfAPathHasAnAddress) {
  tree.write("a.py",
             "class A:\n  @property\n  def f(self): pass\n  @f.setter\n  def f(self, v): pass\n");
  Run run(*this, "");
  run.symbols.look_through();
  EXPECT_EQ(run.wait().symbols, 3U);
  EXPECT_EQ(run.find("f"), (Keys{uri("a.py", "A.f%3A2"), uri("a.py", "A.f%3A4")}));
  std::string many;
  for (int i = 0; i < 100; ++i) many += "def g(): pass\n";
  tree.write("a.py", many);
  run.symbols.changed(root(), paths({"a.py"}));
  EXPECT_EQ(run.wait().symbols, 16U);
}

TEST_F(SymbolIndexTest, FollowsWhatChanges) {
  tree.write("a.py", "def alpha(): pass\ndef both(): pass\n");
  tree.write("d/b.py", "def both(): pass\n");
  Run run(*this, "");
  run.symbols.look_through();
  run.wait();
  tree.write("a.py", "def both(): pass\ndef gamma(): pass # longer\n");
  run.symbols.changed(root(), paths({"a.py"}));
  run.wait();
  EXPECT_EQ(run.find("alpha"), Keys{});
  EXPECT_EQ(run.find("gamma"), Keys{uri("a.py", "gamma")});
  EXPECT_EQ(run.find("both").size(), 2U);
  tree.remove("d");
  run.symbols.changed(root(), trees({"d"}));
  run.wait();
  EXPECT_EQ(run.find("both"), Keys{uri("a.py", "both")});
  tree.write(".gitignore", "a.py\n");
  root().ignore.refresh();
  run.symbols.changed(root(), paths({".gitignore"}));
  run.wait();
  EXPECT_EQ(run.find("both"), Keys{});
  EXPECT_EQ(run.symbols.progress().files, 0U);
  EXPECT_EQ(run.symbols.progress().symbols, 0U);
}

TEST_F(SymbolIndexTest, AnEditBackAndForthLeavesNothingBehind) {
  Run run(*this, "");
  run.symbols.look_through();
  for (int i = 0; i < 40; ++i) {
    tree.write("a.py", "def f" + std::to_string(i % 7) + "(): pass\n" +
                           std::string(static_cast<std::size_t>(i), '#'));
    run.symbols.changed(root(), paths({"a.py"}));
  }
  run.wait();
  EXPECT_EQ(run.index.stats().documents, 1U);
  EXPECT_EQ(run.find("f4"), Keys{uri("a.py", "f4")});
}

TEST_F(SymbolIndexTest, RemembersWhatItKnew) {
  tree.write("a.py", "def alpha(): pass\n");
  tree.write("b.py", "def beta(): pass\n");
  {
    Run run(*this, state.path());
    run.symbols.look_through();
    run.wait();
  }
  tree.write("b.py", "def gamma(): pass # longer\n");
  tree.write("c.py", "def delta(): pass\n");
  {
    // Without a look at the files, what was known is known.
    Run run(*this, state.path());
    while (run.find("alpha").empty()) std::this_thread::yield();
    run.symbols.look_through();
    run.wait();
    EXPECT_EQ(run.find("alpha"), Keys{uri("a.py", "alpha")});
    EXPECT_EQ(run.find("beta"), Keys{});
    EXPECT_EQ(run.find("gamma delta").size(), 2U);
  }
}

// One root becomes two: what was known of files has other names now.
TEST_F(SymbolIndexTest, WhatIsKnownOfRootsThatWentIsForgotten) {
  tree.write("a.py", "def alpha(): pass\n");
  {
    Run run(*this, state.path());
    run.symbols.look_through();
    run.wait();
  }
  const TestTree second;
  second.write("b.py", "def beta(): pass\n");
  workspace =
      std::move(*Workspace::open({tree.root().path(), second.root().path()}, SecretRules()));
  Run run(*this, state.path());
  run.symbols.look_through();
  EXPECT_EQ(run.wait().symbols, 2U);
  const auto name = [&](std::size_t i) { return workspace->trees()[i].name; };
  EXPECT_EQ(run.find("alpha"), Keys{uri(name(0) + "/a.py", "alpha")});
  EXPECT_EQ(run.find("beta"), Keys{uri(name(1) + "/b.py", "beta")});
  // A change of one root is not looked for in the other.
  second.remove("b.py");
  Changes gone;
  gone.everything = true;
  run.symbols.changed(workspace->trees()[1], gone);
  EXPECT_EQ(run.wait().symbols, 1U);
}

TEST_F(SymbolIndexTest, WhatIsSeenEarlyWaitsForWhatWasKnown) {
  tree.write("a.py", "def alpha(): pass\n");
  {
    Run run(*this, state.path());
    run.symbols.look_through();
    run.wait();
  }
  // A file that is not looked at again keeps what the index says of it.
  Index index;
  SymbolIndex symbols({*workspace, outlines, index, log});
  const auto seen = sweep(root().root, PathFilter{root().ignore, workspace->secrets()});
  symbols.saw(root(), *seen);
  EXPECT_FALSE(symbols.progress().complete());
  EXPECT_EQ(symbols.progress().waiting, 0U);
  symbols.start(state.path());
  EXPECT_TRUE(symbols.wait(std::chrono::steady_clock::now() + 30s).complete());
  EXPECT_EQ(symbols.progress().symbols, 1U);
}

TEST_F(SymbolIndexTest, WhatCannotBeBelievedIsMadeAnew) {
  namespace fs = std::filesystem;
  const auto file = state / "symbols.index";
  const auto run_once = [&] {
    Run run(*this, state.path());
    run.symbols.look_through();
    run.wait();
    return run.find("alpha beta");
  };
  tree.write("a.py", "def alpha(): pass\n");
  const Keys right{uri("a.py", "alpha")};
  EXPECT_EQ(run_once(), right);
  ASSERT_TRUE(fs::exists(file));

  // An index without what is known of files, and one with what does not fit it.
  for (const auto* known : {"", "\x01",
                            "\x01\x04"
                            "b.py"
                            "\x01\x00\x00"}) {
    Index index;
    ASSERT_TRUE(index.put({.key = uri("b.py", "beta"), .kind = "symbol", .title = "beta"}));
    const auto format = head_of(file);
    ASSERT_TRUE(index.save(file, {format, known}));
    EXPECT_EQ(run_once(), right);
    EXPECT_EQ(head_of(file), format);
  }
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_EQ(run_once(), right);
  fs::remove(file);
  EXPECT_EQ(run_once(), right);
}

}  // namespace
}  // namespace lode
