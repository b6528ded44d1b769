#include "follow/workspace_changes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "store/test_directory.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using Phase = WorkspaceChanges::Phase;

class WorkspaceChangesTest : public testing::Test {
 protected:
  void note(const std::string& what) LODE_EXCLUDES(mutex) {
    const Lock lock(mutex);
    notes += what;
  }
  std::string noted() const LODE_EXCLUDES(mutex) {
    const Lock lock(mutex);
    return notes;
  }
  bool eventually_noted(const std::string& what) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (noted().find(what) == std::string::npos) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  TestTree tree;
  TestDirectory state;
  Log log = Log::silent();
  Rest rest{std::chrono::milliseconds(0)};
  std::unique_ptr<Workspace> workspace =
      std::move(*Workspace::open({tree.root().path()}, SecretRules()));
  mutable Mutex mutex;
  std::string notes LODE_GUARDED_BY(mutex);
};

TEST_F(WorkspaceChangesTest, WhatIsMadeOfFilesIsOldBeforeAnybodyHears) {
  WorkspaceChanges changes(*workspace, log);
  EXPECT_EQ(changes.revision(), 0U);
  const auto listen = [&](Phase phase, const std::string& name) {
    changes.listen(phase, [this, name, &changes](Workspace::Tree&, const Changes&) {
      EXPECT_EQ(changes.revision(), 1U);
      note(name);
    });
  };
  listen(Phase::announce, "c");
  listen(Phase::outdate, "a");
  listen(Phase::announce, "d");
  listen(Phase::outdate, "b");
  changes.tell(workspace->trees().front(), {});
  EXPECT_EQ(noted(), "abcd");
}

TEST_F(WorkspaceChangesTest, TellsWhatIsThereWhatChangesAndWhatChangedMeanwhile) {
  const auto follow = [&](WorkspaceChanges& changes) {
    changes.listen(Phase::announce, [this](Workspace::Tree& where, const Changes& what) {
      EXPECT_EQ(&where, &workspace->trees().front());
      for (const auto& path : what.paths) note("changed " + path + "\n");
    });
    changes.listen_to_sweeps([this](Workspace::Tree&, const Snapshot& seen) {
      for (std::size_t i = 0; i < seen.size(); ++i) note("saw " + std::string(seen.path(i)) + "\n");
      note("swept\n");
    });
    changes.start(state.path().string(), rest);
  };
  tree.write("a", "1");
  {
    WorkspaceChanges changes(*workspace, log);
    follow(changes);
    EXPECT_TRUE(eventually_noted("saw a\nswept\n"));
    EXPECT_GT(changes.revision(), 0U);
    tree.write("b", "1");
    EXPECT_TRUE(eventually_noted("changed b\n"));
  }
  tree.write("c", "1");  // while nobody watches
  WorkspaceChanges changes(*workspace, log);
  follow(changes);
  EXPECT_TRUE(eventually_noted("changed c\n"));
  changes.stop();
}

// Without a snapshot of an earlier run, what changes before the watcher has begun is told by
// nobody: whoever promises to tell waits.
TEST_F(WorkspaceChangesTest, TellsEveryChangeOnceItHasBegun) {
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::seconds(30); };
  for (int i = 0; i < 20; ++i) {
    const TestDirectory fresh;
    WorkspaceChanges changes(*workspace, log);
    const std::string name = "f" + std::to_string(i);
    changes.listen(Phase::announce, [this](Workspace::Tree&, const Changes& what) {
      for (const auto& path : what.paths) note("changed " + path + "\n");
    });
    changes.wait_begun(soon());  // not started: does not wait
    changes.start(fresh.path().string(), rest);
    changes.wait_begun(soon());
    tree.write(name, "1");
    EXPECT_TRUE(eventually_noted("changed " + name + "\n"));
  }
}

// Whoever keeps what he has made of files asks this first.
TEST_F(WorkspaceChangesTest, SaysWhetherEveryChangeIsTold) {
  WorkspaceChanges changes(*workspace, log);
  const auto eventually = [&](bool told) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (changes.tells_all() != told && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return changes.tells_all() == told;
  };
  EXPECT_FALSE(changes.tells_all());
  changes.start(state.path().string(), rest);
  changes.wait_begun(std::chrono::steady_clock::now() + std::chrono::seconds(30));
  EXPECT_TRUE(changes.tells_all());
  const std::string home = tree.root().path();
  std::filesystem::rename(home, home + ".away");
  EXPECT_TRUE(eventually(false));
  std::filesystem::rename(home + ".away", home);
  EXPECT_TRUE(eventually(true));
  std::filesystem::remove_all(home);
  EXPECT_TRUE(eventually(false));
}

}  // namespace
}  // namespace lode
