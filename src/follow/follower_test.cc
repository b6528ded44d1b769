#include "follow/follower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <latch>
#include <optional>
#include <string>
#include <thread>

#include "follow/test_reader.h"
#include "store/test_directory.h"
#include "workspace/sweep.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using namespace std::chrono_literals;
using Texts = std::set<std::string>;
using Names = std::vector<std::string>;

Changes paths(Names names) {
  Changes changes;
  changes.paths = std::move(names);
  return changes;
}

Changes trees(Names names) {
  Changes changes;
  changes.trees = std::move(names);
  return changes;
}

// For what a watcher tells: nobody can say when.
bool eventually(const std::function<bool()>& what) {
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (!what()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

class FollowerTest : public testing::Test {
 protected:
  // A run of a program that follows.
  struct Run {
    explicit Run(const TestTree& tree, const std::string& kept = "", std::size_t threads = 1,
                 bool watches = false)
        : reader({(tree / "").string()}, kept),
          follower(reader, reader.log,
                   {.trees = 1, .threads = threads, .watches = watches, .look_for_trees = 5ms}) {}
    ~Run() { follower.stop(); }

    Follower::Progress wait() const {
      return follower.wait(std::chrono::steady_clock::now() + 30s);
    }
    void look_through() {
      follower.start();
      follower.look_through();
      EXPECT_TRUE(wait().complete());
    }
    void tell(Changes changes) {
      follower.changed(0, std::move(changes));
      EXPECT_TRUE(wait().complete());
    }

    TestReader reader;
    Follower follower;
  };

  // Another file in the place of one, so that who has the old one open reads on in it.
  void replace(const std::string& path, const std::string& text) const {
    tree.write(path + ".new", text);
    tree.rename(path + ".new", path);
  }

  TestTree tree;
};

TEST_F(FollowerTest, ReadsWhatCountsOnce) {
  tree.write("a.txt", "1");
  tree.write("d/e/b.txt", "2");
  tree.write("c.bin", "3");
  tree.write(".gitignore", "out/\n");
  tree.write("out/d.txt", "4");
  Run run(tree);
  EXPECT_FALSE(run.follower.progress().complete());
  run.look_through();
  EXPECT_EQ(run.reader.texts(), (Texts{"a.txt=1", "d/e/b.txt=2"}));
  EXPECT_EQ(run.reader.reads().size(), 2U);
  run.follower.look_through();
  run.wait();
  EXPECT_EQ(run.reader.reads().size(), 2U);
}

TEST_F(FollowerTest, FilesComeChangeAndVanish) {
  tree.write("a.txt", "1");
  Run run(tree);
  run.look_through();
  tree.write("b.txt", "2");
  tree.write("a.txt", "longer");
  run.tell(paths({"a.txt", "b.txt", "c.bin", "none.txt"}));
  EXPECT_EQ(run.reader.texts(), (Texts{"a.txt=longer", "b.txt=2"}));
  tree.remove("a.txt");
  run.tell(paths({"a.txt"}));
  EXPECT_EQ(run.reader.texts(), Texts{"b.txt=2"});
}

TEST_F(FollowerTest, ADirectoryIsRenamedAndGoes) {
  tree.write("d/a.txt", "1");
  tree.write("d/e/b.txt", "2");
  tree.write("de/c.txt", "3");
  Run run(tree);
  run.look_through();
  tree.rename("d", "f");
  auto changes = paths({"f/a.txt", "f/e/b.txt"});
  changes.trees = {"d"};
  run.reader.forget_reads();
  run.tell(changes);
  EXPECT_EQ(run.reader.texts(), (Texts{"f/a.txt=1", "f/e/b.txt=2", "de/c.txt=3"}));
  EXPECT_EQ(run.reader.reads(), (Names{"f/a.txt", "f/e/b.txt"}));
  tree.remove("f");
  run.tell(trees({"f"}));
  EXPECT_EQ(run.reader.texts(), Texts{"de/c.txt=3"});
}

TEST_F(FollowerTest, AnIgnoreFileConcernsOthers) {
  tree.write("a.txt", "1");
  tree.write("b.txt", "2");
  Run run(tree);
  run.look_through();
  tree.write(".gitignore", "a.txt\n");
  run.follower.tree(0)->filter().ignore.refresh();  // as a watcher does
  run.tell(paths({".gitignore"}));
  EXPECT_EQ(run.reader.texts(), Texts{"b.txt=2"});
}

TEST_F(FollowerTest, TheRootGoes) {
  tree.write("a.txt", "1");
  Run run(tree);
  run.look_through();
  tree.remove("a.txt");
  Changes changes;
  changes.everything = changes.root_gone = true;
  run.tell(changes);
  EXPECT_EQ(run.reader.texts(), Texts{});
}

TEST_F(FollowerTest, AFileThatChangesWhileItIsReadIsReadAgain) {
  tree.write("a.txt", "old");
  Run run(tree);
  std::atomic<int> times = 0;
  run.reader.while_reading = [&](const FilePlace& place) {
    if (++times > 1) return;
    replace(place.path, "new");
    run.follower.changed(0, paths({place.path}));
  };
  run.look_through();
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=new"});
  EXPECT_EQ(times, 2);
}

// The one who cannot wait comes while the thread reads an older file.
TEST_F(FollowerTest, WhatIsKeptLastIsNewest) {
  tree.write("a.txt", "old");
  Run run(tree);
  std::latch reading(1);
  std::latch go_on(1);
  std::atomic<int> times = 0;
  run.reader.while_reading = [&](const FilePlace&) {
    if (++times > 1) return;
    reading.count_down();
    go_on.wait();
  };
  run.follower.start();
  run.follower.look_through();
  reading.wait();
  replace("a.txt", "new");
  std::jthread other([&] { run.follower.look_now({0, "a.txt"}); });
  go_on.count_down();
  other.join();
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=new"});
  run.wait();
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=new"});
}

TEST_F(FollowerTest, ThousandsAtOnceAreReadOnceEach) {
  constexpr int kFiles = 3'000;
  Names names;
  for (int i = 0; i < kFiles; ++i) {
    names.push_back("d" + std::to_string(i % 50) + "/" + std::to_string(i) + ".txt");
    tree.write(names.back(), "x");
  }
  Run run(tree, "", 4);
  run.look_through();
  EXPECT_EQ(run.reader.texts().size(), names.size());
  EXPECT_EQ(run.reader.reads().size(), names.size());
  auto twice = paths(names);
  twice.paths.insert(twice.paths.end(), names.begin(), names.end());
  run.tell(twice);
  EXPECT_EQ(run.reader.reads().size(), 2 * names.size());
  tree.remove("d7");
  Changes everything;
  everything.everything = true;
  run.tell(everything);
  EXPECT_EQ(run.reader.texts().size(), names.size() - kFiles / 50);
  EXPECT_EQ(run.reader.reads().size(), 2 * names.size());
}

TEST_F(FollowerTest, WhatASweepSawBeforeTheStartIsHeldAgainstWhatWasKept) {
  const TestDirectory state;
  tree.write("a.txt", "1");
  {
    Run run(tree, state / "kept");
    run.look_through();
    run.reader.save();
  }
  Run run(tree, state / "kept");
  IgnoreRules ignore(tree.root());
  const SecretRules secrets;
  run.follower.saw(0, *sweep(tree.root(), PathFilter{ignore, secrets}));
  EXPECT_FALSE(run.follower.progress().complete());
  run.follower.start();
  EXPECT_TRUE(run.wait().complete());
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=1"});
  EXPECT_EQ(run.reader.reads(), Names{});
}

TEST_F(FollowerTest, ASecondStartReadsWhatChangedAlone) {
  const TestDirectory state;
  tree.write("a.txt", "1");
  tree.write("b.txt", "2");
  tree.write("c.txt", "3");
  {
    Run run(tree, state / "kept");
    run.look_through();
    run.reader.save();
  }
  tree.write("b.txt", "other");
  tree.remove("c.txt");
  Run run(tree, state / "kept");
  run.look_through();
  EXPECT_EQ(run.reader.reads(), Names{"b.txt"});
  EXPECT_EQ(run.reader.texts(), (Texts{"a.txt=1", "b.txt=other"}));
}

TEST_F(FollowerTest, WhatWasKeptMayBeAnything) {
  const TestDirectory state;
  const TestTree elsewhere;
  tree.write("a.txt", "1");
  const auto run_once = [&](const TestTree& on) {
    Run run(on, state / "kept");
    run.look_through();
    run.reader.save();
    return run.reader.texts();
  };
  EXPECT_EQ(run_once(tree), Texts{"a.txt=1"});
  // Of another workspace: its files are not ours.
  elsewhere.write("a.txt", "2");
  elsewhere.write("b.txt", "3");
  EXPECT_EQ(run_once(elsewhere), (Texts{"a.txt=2", "b.txt=3"}));
  EXPECT_EQ(run_once(tree), Texts{"a.txt=1"});
  // Damaged, cut off, of an older version, and nothing at all.
  auto bytes = state.read("kept");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  const std::string old = seal("texts of a test 0", "");
  for (const auto& bad : {bytes, bytes.substr(0, bytes.size() / 2), old, std::string()}) {
    state.write("kept", bad);
    EXPECT_EQ(run_once(tree), Texts{"a.txt=1"});
  }
}

TEST_F(FollowerTest, AnEndInTheMiddleLosesNothing) {
  const TestDirectory state;
  constexpr std::size_t kFiles = 200;
  for (std::size_t i = 0; i < kFiles; ++i) tree.write(std::to_string(i) + ".txt", "x");
  std::size_t first = 0;
  {
    Run run(tree, state / "kept", 2);
    std::latch some(1);
    std::atomic<int> reads = 0;
    run.reader.while_reading = [&](const FilePlace&) {
      if (++reads != 20) return;
      run.follower.request_stop();
      some.count_down();
    };
    run.follower.start();
    run.follower.look_through();
    some.wait();
    EXPECT_TRUE(run.follower.stop());
    EXPECT_FALSE(run.follower.progress().complete());
    EXPECT_LE(run.reader.batches(), 1U);  // the empty one that it begins with
    run.reader.save();
    first = run.reader.texts().size();
    EXPECT_LT(first, kFiles);
  }
  Run run(tree, state / "kept", 2);
  run.look_through();
  EXPECT_EQ(run.reader.texts().size(), kFiles);
  EXPECT_EQ(run.reader.reads().size(), kFiles - first);
}

TEST_F(FollowerTest, AThreadEndsWhenNothingCanBeRead) {
  tree.write("a.txt", "1");
  Run run(tree);
  run.reader.readable = false;
  run.follower.start();
  run.follower.look_through();
  EXPECT_TRUE(run.follower.stop());
  EXPECT_FALSE(run.follower.progress().complete());
  EXPECT_FALSE(run.follower.stop());
}

TEST_F(FollowerTest, NewsComeAfterTheFilesAndInOrder) {
  Run run(tree);
  run.look_through();
  run.reader.on_settled = [&](const FileReader::Settled& settled) {
    for (const auto& [which, changes] : settled.told) {
      for (const auto& path : changes.paths) {
        EXPECT_TRUE(run.reader.texts().contains(path + "=x")) << path;
      }
    }
  };
  ToldChanges all;
  for (int i = 0; i < 100; ++i) {
    const auto name = std::to_string(i) + ".txt";
    tree.write(name, "x");
    all.emplace_back(0, paths({name}));
    run.follower.changed(0, paths({name}));
  }
  run.wait();
  run.follower.stop();  // after the last was settled
  EXPECT_EQ(run.reader.told(), all);
}

// Each file is changed while it is read: what was told before is settled all the same.
TEST_F(FollowerTest, SteadyChangesHoldUpNobody) {
  constexpr std::size_t kTimes = 50;
  tree.write("a.txt", "x");
  Run run(tree);
  run.reader.while_reading = [&](const FilePlace& place) {
    const auto times = run.reader.reads().size();
    if (times < kTimes) run.follower.changed(0, paths({place.path}));
    EXPECT_GE(run.reader.batches() + 1, times);
  };
  run.look_through();
  EXPECT_EQ(run.reader.reads().size(), kTimes);
}

TEST_F(FollowerTest, WhatWaitsIsBounded) {
  tree.write("a.txt", "x");
  Run run(tree);
  std::latch told(1);
  run.reader.while_reading = [&](const FilePlace&) { told.wait(); };
  run.follower.start();
  run.follower.look_through();
  ASSERT_TRUE(eventually([&] { return !run.reader.reads().empty(); }));
  for (int i = 0; i < 4; ++i) run.follower.changed(0, paths(Names(100'000, "none.txt")));
  tree.write("b.txt", "y");
  told.count_down();
  run.wait();
  run.follower.stop();
  Changes everything;
  everything.everything = true;
  ASSERT_FALSE(run.reader.told().empty());
  EXPECT_EQ(run.reader.told().front(), (std::pair<std::size_t, Changes>(0, everything)));
  EXPECT_EQ(run.reader.texts(), (Texts{"a.txt=x", "b.txt=y"}));
}

TEST_F(FollowerTest, OneWhoCannotWaitNeedsNoThread) {
  tree.write("a.txt", "1");
  tree.write("d/b.txt", "2");
  Run run(tree, "", 1, true);
  const auto in_d = [](const std::string& path) { return path.starts_with("d/"); };
  run.follower.look_through_now(0, in_d);
  EXPECT_EQ(run.reader.texts(), Texts{"d/b.txt=2"});
  run.follower.look_through_now(0, in_d);
  EXPECT_EQ(run.reader.reads().size(), 1U);
  run.follower.look_now({0, "a.txt"});
  EXPECT_EQ(run.reader.texts(), (Texts{"a.txt=1", "d/b.txt=2"}));
  tree.remove("d");
  run.follower.look_through_now(0, in_d);
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=1"});
}

// ---- trees that are watched here ----

TEST_F(FollowerTest, AWatchedTreeIsFollowed) {
  tree.write("a.txt", "1");
  Run run(tree, "", 1, true);
  run.follower.start();
  ASSERT_TRUE(run.wait().complete());
  EXPECT_EQ(run.reader.texts(), Texts{"a.txt=1"});
  tree.write("d/b.txt", "2");
  EXPECT_TRUE(eventually([&] { return run.reader.texts() == Texts{"a.txt=1", "d/b.txt=2"}; }));
  tree.rename("d", "e");
  EXPECT_TRUE(eventually([&] { return run.reader.texts() == Texts{"a.txt=1", "e/b.txt=2"}; }));
  tree.remove("e");
  EXPECT_TRUE(eventually([&] { return run.reader.texts() == Texts{"a.txt=1"}; }));
}

TEST_F(FollowerTest, ATreeComesAndGoes) {
  const std::string there = (tree / "there").string();
  const std::string late = (tree / "late").string();
  tree.write("there/a.txt", "1");
  TestReader reader({there, late});
  Follower follower(reader, reader.log, {.trees = 2, .watches = true, .look_for_trees = 5ms});
  follower.start();
  // What is not there keeps nobody waiting.
  ASSERT_TRUE(follower.wait(std::chrono::steady_clock::now() + 30s).complete());
  EXPECT_EQ(reader.texts(0), Texts{"a.txt=1"});
  for (int i = 0; i < 3; ++i) {
    tree.write("late/b.txt", "2");
    EXPECT_TRUE(eventually([&] { return reader.texts(1) == Texts{"b.txt=2"}; })) << i;
    tree.remove("late");
    EXPECT_TRUE(eventually([&] { return reader.texts(1).empty(); })) << i;
  }
  EXPECT_EQ(reader.texts(0), Texts{"a.txt=1"});
}

// One directory in the place of another.
class ReplacedTreeTest : public FollowerTest {
 protected:
  ReplacedTreeTest() {
    tree.write("above/here/a.txt", "old");
    tree.write("above/here/gone.txt", "old");
    tree.write("other/here/a.txt", "new");
    tree.write("other/here/b.txt", "new");
  }

  void follow(std::chrono::milliseconds look_for_trees) {
    follower.emplace(reader, reader.log,
                     Follower::Options{.watches = true, .look_for_trees = look_for_trees});
    follower->start();
    ASSERT_TRUE(follower->wait(std::chrono::steady_clock::now() + 30s).complete());
    ASSERT_EQ(reader.texts(), (Texts{"a.txt=old", "gone.txt=old"}));
  }
  // What happens in the directory that went is nothing to us; in the other it is.
  void expect_new(const std::string& went) {
    EXPECT_TRUE(eventually([&] { return reader.texts() == Texts{"a.txt=new", "b.txt=new"}; }));
    tree.write(went + "/c.txt", "elsewhere");
    tree.write("above/here/a.txt", "newer");
    EXPECT_TRUE(eventually([&] { return reader.texts() == Texts{"a.txt=newer", "b.txt=new"}; }));
    Changes everything;
    everything.everything = true;
    follower->stop();
    const auto told = reader.told();
    const std::pair<std::size_t, Changes> all(0, everything);
    EXPECT_NE(std::find(told.begin(), told.end(), all), told.end());
  }

  TestReader reader{{(tree / "above/here").string()}};
  std::optional<Follower> follower;
};

// Its watch tells: nobody looks within the time of the test.
TEST_F(ReplacedTreeTest, ATreeIsMovedAndAnotherTakesItsPlace) {
  follow(1h);
  tree.rename("above/here", "elsewhere");
  tree.rename("other/here", "above/here");
  expect_new("elsewhere");
}

// No watch tells.
TEST_F(ReplacedTreeTest, ADirectoryAboveATreeIsMovedAndAnotherTakesItsPlace) {
  follow(5ms);
  tree.rename("above", "elsewhere");
  tree.rename("other", "above");
  expect_new("elsewhere/here");
}

TEST_F(ReplacedTreeTest, ALinkAboveATreeLeadsElsewhere) {
  tree.rename("above", "real");
  std::filesystem::create_directory_symlink("real", tree / "above");
  follow(5ms);
  tree.remove("above");
  std::filesystem::create_directory_symlink("other", tree / "above");
  expect_new("real/here");
}

TEST_F(ReplacedTreeTest, ATreeIsMovedAndComesBack) {
  follow(5ms);
  tree.rename("above/here", "elsewhere");
  EXPECT_TRUE(eventually([&] { return reader.texts().empty(); }));
  EXPECT_EQ(follower->tree(0), nullptr);
  tree.rename("elsewhere", "above/here");
  EXPECT_TRUE(eventually([&] { return reader.texts() == Texts{"a.txt=old", "gone.txt=old"}; }));
}

// Who cannot wait does not read the old one either.
TEST_F(ReplacedTreeTest, OneWhoCannotWaitSeesWhatTookItsPlace) {
  follow(1h);
  tree.rename("above", "elsewhere");
  tree.rename("other", "above");
  follower->look_now({0, "a.txt"});
  EXPECT_TRUE(reader.texts().contains("a.txt=new"));
  expect_new("elsewhere/here");
}

}  // namespace
}  // namespace lode
