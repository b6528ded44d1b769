#include "workspace/watcher.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using std::chrono::steady_clock;

// Everything told so far.
class Heard {
 public:
  void add(Changes changes) {
    const Lock lock(mutex_);
    ++batches_;
    begun_ = begun_ || changes.begun;
    everything_ = everything_ || changes.everything;
    root_gone_ = root_gone_ || changes.root_gone;
    partly_ = changes.partly;
    trees_.insert(changes.trees.begin(), changes.trees.end());
    paths_.insert(changes.paths.begin(), changes.paths.end());
    listings_.insert(changes.listings.begin(), changes.listings.end());
    condition_.notify_all();
    while (held_) condition_.wait(mutex_);
  }
  // While held, the next callback does not return.
  void hold(bool held) {
    const Lock lock(mutex_);
    held_ = held;
    condition_.notify_all();
  }
  void clear() {
    const Lock lock(mutex_);
    batches_ = 0;
    everything_ = false;
    trees_.clear();
    paths_.clear();
    listings_.clear();
  }

  bool begun() {
    return eventually([this] { return begun_; });
  }
  bool everything() {
    return eventually([this] { return everything_; });
  }
  bool root_gone() {
    return eventually([this] { return root_gone_; });
  }
  // As it was told last, without waiting.
  bool partly() {
    const Lock lock(mutex_);
    return partly_;
  }
  bool path(const std::string& path) { return holds(paths_, path); }
  bool tree(const std::string& path) { return holds(trees_, path); }
  bool listing(const std::string& path) { return holds(listings_, path); }
  bool paths(std::size_t count) {
    return eventually([&] { return everything_ || paths_.size() >= count; });
  }

  // Without waiting.
  bool knows(const std::string& path) {
    const Lock lock(mutex_);
    return everything_ || paths_.contains(path) || listings_.contains(path);
  }
  bool lost_count() {
    const Lock lock(mutex_);
    return everything_;
  }
  int batches() {
    const Lock lock(mutex_);
    return batches_;
  }

 private:
  bool holds(const std::set<std::string>& names, const std::string& name) {
    return eventually([&] { return names.contains(name); });
  }
  template <class Test>
  bool eventually(Test test) {
    const auto until = steady_clock::now() + std::chrono::seconds(60);
    const Lock lock(mutex_);
    while (!test()) {
      if (!condition_.wait_until(mutex_, until) && !test()) return false;
    }
    return true;
  }

  Mutex mutex_;
  Condition condition_;
  bool held_ = false;
  int batches_ = 0;
  bool begun_ = false;
  bool everything_ = false;
  bool root_gone_ = false;
  bool partly_ = false;
  std::set<std::string> trees_;
  std::set<std::string> paths_;
  std::set<std::string> listings_;
};

class WatcherTest : public ::testing::Test {
 protected:
  void start(WatcherOptions options = {}) {
    watcher = std::make_unique<Watcher>(
        tree.root(), PathFilter{ignore, secrets}, log,
        [this](Changes changes) { heard.add(std::move(changes)); }, options);
    ASSERT_TRUE(watcher->start());
    ASSERT_TRUE(heard.begun());
    heard.clear();
  }
  // What happened before was told when this was.
  void settle() {
    const std::string marker = "marker" + std::to_string(++markers);
    tree.write(marker, "");
    ASSERT_TRUE(heard.path(marker));
  }

  TestTree tree;
  IgnoreRules ignore{tree.root()};
  SecretRules secrets;
  Log log = Log::silent();
  Heard heard;
  int markers = 0;
  std::unique_ptr<Watcher> watcher;
};

TEST_F(WatcherTest, DoesNothingUntilStarted) {
  const auto callback = [](const Changes&) { FAIL(); };
  const Watcher idle(tree.root(), PathFilter{ignore, secrets}, log, callback);
  tree.write("a", "");
}

TEST_F(WatcherTest, TellsFilesThatComeChangeAndGo) {
  tree.write("d/old", "1");
  start();
  tree.write("d/new", "1");
  EXPECT_TRUE(heard.path("d/new"));
  EXPECT_TRUE(heard.listing("d"));
  tree.write("d/old", "2");
  EXPECT_TRUE(heard.path("d/old"));
  heard.clear();
  tree.rename("d/old", "moved");
  EXPECT_TRUE(heard.path("d/old"));
  EXPECT_TRUE(heard.path("moved"));
  EXPECT_TRUE(heard.listing(""));
  heard.clear();
  tree.remove("moved");
  EXPECT_TRUE(heard.path("moved"));
}

TEST_F(WatcherTest, FindsWhatWasFilledBeforeItLooked) {
  start();
  for (int i = 0; i < 50; ++i) {
    const std::string base = "n" + std::to_string(i);
    tree.write(base + "/a/b/c/file", "");
    tree.write(base + "/a/late", "");
  }
  for (int i = 0; i < 50; ++i) {
    const std::string base = "n" + std::to_string(i);
    EXPECT_TRUE(heard.path(base + "/a/b/c/file")) << i;
    EXPECT_TRUE(heard.path(base + "/a/late")) << i;
    EXPECT_TRUE(heard.listing(base + "/a/b")) << i;
  }
  heard.clear();
  tree.write("n7/a/b/c/file", "more");
  EXPECT_TRUE(heard.path("n7/a/b/c/file"));
}

TEST_F(WatcherTest, FollowsDirectoriesThatMove) {
  tree.write("a/b/file", "");
  tree.make_directory("other");
  start();
  tree.rename("a", "other/z");
  EXPECT_TRUE(heard.tree("a"));
  EXPECT_TRUE(heard.path("other/z/b/file"));
  heard.clear();
  tree.write("other/z/b/file", "1");
  EXPECT_TRUE(heard.path("other/z/b/file"));
  tree.write("a/b/file", "anew");
  EXPECT_TRUE(heard.path("a/b/file"));
  // Round and round, faster than anyone can follow.
  for (int i = 0; i < 100; ++i) {
    tree.rename("a", "spare");
    tree.rename("other/z", "a");
    tree.rename("spare", "other/z");
  }
  settle();
  heard.clear();
  tree.write("a/b/file", "2");
  EXPECT_TRUE(heard.path("a/b/file"));
  EXPECT_FALSE(heard.knows("other/z/b/file"));
  tree.write("other/z/b/file", "3");
  EXPECT_TRUE(heard.path("other/z/b/file"));
}

TEST_F(WatcherTest, LosesSightOfWhatLeavesTheRoot) {
  const TestTree elsewhere;
  tree.write("d/e/file", "");
  start();
  std::filesystem::rename(tree / "d", elsewhere / "d");
  EXPECT_TRUE(heard.tree("d"));
  settle();
  heard.clear();
  elsewhere.write("d/e/file", "unseen");
  settle();
  EXPECT_FALSE(heard.knows("d/e/file"));
  std::filesystem::rename(elsewhere / "d", tree / "back");
  EXPECT_TRUE(heard.path("back/e/file"));
}

TEST_F(WatcherTest, SkipsSecretsLinksAndIgnoredDirectories) {
  const TestTree elsewhere;
  tree.write(".gitignore", "node_modules/\n*.log\n");
  tree.make_directory("node_modules/x");
  tree.make_directory(".git");
  std::filesystem::create_directory_symlink(elsewhere / "", tree / "link");
  std::filesystem::create_directory_symlink("..", tree / "loop");
  start();
  tree.write("node_modules/x/a.js", "");
  tree.write(".git/HEAD", "");
  tree.write(".env", "");
  elsewhere.write("outside", "");
  tree.write("debug.log", "");
  EXPECT_TRUE(heard.path("debug.log"));
  settle();
  for (const char* path : {"node_modules/x/a.js", "node_modules/x", ".git/HEAD", ".git", ".env",
                           "link/outside", "loop/debug.log"}) {
    EXPECT_FALSE(heard.knows(path)) << path;
  }
}

TEST_F(WatcherTest, FollowsTheRulesAsTheyChange) {
  tree.write("sub/.gitignore", "out/\n");
  tree.write("sub/out/a", "");
  tree.write("sub/src/a", "");
  start();
  tree.write("sub/.gitignore", "src/\n");
  EXPECT_TRUE(heard.tree("sub"));
  EXPECT_TRUE(heard.path("sub/out/a"));
  settle();
  heard.clear();
  tree.write("sub/src/a", "1");
  tree.write("sub/out/a", "1");
  EXPECT_TRUE(heard.path("sub/out/a"));
  settle();
  EXPECT_FALSE(heard.knows("sub/src/a"));
  tree.write(".gitignore", "x\n");
  EXPECT_TRUE(heard.everything());
}

TEST_F(WatcherTest, TellsABurstInFewBatches) {
  start();
  constexpr int kFiles = 5000;
  for (int i = 0; i < kFiles; ++i) {
    tree.write("d" + std::to_string(i % 50) + "/f" + std::to_string(i), "x");
  }
  EXPECT_TRUE(heard.paths(kFiles));
  EXPECT_LT(heard.batches(), kFiles / 10);
  if (!heard.lost_count()) {
    EXPECT_TRUE(heard.knows("d49/f4999"));
  }
}

TEST_F(WatcherTest, SurvivesTheLossOfEvents) {
  tree.make_directory("d");
  start();
  heard.hold(true);
  tree.write("first", "");
  ASSERT_TRUE(heard.path("first"));
  // The watcher's thread stands still; the kernel keeps 16,384 events by default.
  const std::string a = (tree / "d/a").string();
  const std::string b = (tree / "d/b").string();
  tree.write("d/a", "");
  for (int i = 0; i < 40'000; ++i) {
    ASSERT_EQ(::rename((i % 2 == 0 ? a : b).c_str(), (i % 2 == 0 ? b : a).c_str()), 0);
  }
  tree.write("made/unseen/file", "");
  tree.rename("d", "renamed");
  heard.hold(false);
  EXPECT_TRUE(heard.everything());
  heard.clear();
  tree.write("made/unseen/file", "1");
  EXPECT_TRUE(heard.path("made/unseen/file"));
  tree.write("renamed/x", "1");
  EXPECT_TRUE(heard.path("renamed/x"));
}

TEST_F(WatcherTest, BoundsABatch) {
  start({.quiet = std::chrono::milliseconds(100), .most = 10});
  for (int i = 0; i < 50; ++i) tree.write("f" + std::to_string(i), "");
  EXPECT_TRUE(heard.everything());
}

TEST_F(WatcherTest, ComparesWhatItCannotWatch) {
  for (int i = 0; i < 10; ++i) tree.write("d" + std::to_string(i) + "/file", "");
  start({.poll = std::chrono::milliseconds(50), .max_watches = 4});
  EXPECT_TRUE(heard.partly());
  for (int i = 0; i < 10; ++i) tree.write("d" + std::to_string(i) + "/file", "longer");
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(heard.path("d" + std::to_string(i) + "/file")) << i;
  tree.write("new/deep/file", "");
  EXPECT_TRUE(heard.path("new/deep/file"));
  heard.clear();
  tree.write("new/deep/file", "longer");
  EXPECT_TRUE(heard.path("new/deep/file"));
  tree.remove("d3");
  EXPECT_TRUE(heard.path("d3/file"));
}

TEST_F(WatcherTest, ComparesEverythingIfItMust) {
  tree.write("d/file", "");
  start({.poll = std::chrono::milliseconds(50), .max_watches = 0});
  EXPECT_TRUE(heard.partly());
  tree.write("d/file", "longer");
  EXPECT_TRUE(heard.path("d/file"));
  tree.write("top", "");
  EXPECT_TRUE(heard.path("top"));
  EXPECT_TRUE(heard.listing(""));
}

TEST_F(WatcherTest, TellsWhenTheRootIsGone) {
  tree.write("d/file", "");
  start();
  EXPECT_FALSE(heard.partly());
  std::filesystem::remove_all(tree / "");
  EXPECT_TRUE(heard.root_gone());
}

TEST_F(WatcherTest, GoesOnWhenTheRootIsMoved) {
  tree.write("d/file", "");
  start();
  const TestTree elsewhere;
  std::filesystem::path home = tree / "";
  home = home.parent_path();
  std::filesystem::rename(home, elsewhere / "moved");
  EXPECT_TRUE(heard.everything());
  heard.clear();
  elsewhere.write("moved/d/file", "1");
  EXPECT_TRUE(heard.path("d/file"));
}

TEST_F(WatcherTest, StopsAtAnyTime) {
  for (int i = 0; i < 100; ++i) tree.write("d" + std::to_string(i) + "/file", "");
  for (int round = 0; round < 20; ++round) {
    Watcher one(tree.root(), PathFilter{ignore, secrets}, log, [](const Changes&) {});
    ASSERT_TRUE(one.start());
    tree.write("d1/file", std::to_string(round));
  }
}

}  // namespace
}  // namespace lode
