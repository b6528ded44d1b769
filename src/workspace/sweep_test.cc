#include "workspace/sweep.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/unfinished.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

class SweepTest : public ::testing::Test {
 protected:
  Snapshot sweep_now(SweepLimits limits = {}) {
    ignore.refresh();
    auto snapshot = sweep(tree.root(), filter, {}, {}, limits);
    EXPECT_TRUE(snapshot);
    return std::move(*snapshot);
  }
  static std::vector<std::string> paths(const Snapshot& snapshot) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < snapshot.size(); ++i) out.emplace_back(snapshot.path(i));
    return out;
  }

  TestTree tree;
  IgnoreRules ignore{tree.root()};
  SecretRules secrets;
  PathFilter filter{ignore, secrets};
};

using Paths = std::vector<std::string>;

// What a killed process leaves behind, and what only looks like it.
TEST_F(SweepTest, RemovesWhatWasNeverFinished) {
  const auto old = [&](const std::string& path) {
    tree.write(path, "half");
    const timespec times[2] = {{1, 0}, {1, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (tree / path).c_str(), times, 0), 0);
  };
  const std::string held = "d/.lode-00000000000000aa.unfinished";
  const std::string young = "d/.lode-00000000000000bb.unfinished";
  const Paths stay{held, young, "d/.lode-mine.unfinished", "d/.lode-0123456789abcdeg.unfinished",
                   "d/lode-0123456789abcdef.unfinished"};
  for (const auto& path : stay) old(path);
  tree.write(young, "half");
  old("d/.lode-0123456789abcdef.unfinished");
  old(".lode-fedcba9876543210.unfinished");
  const Descriptor writer(::open((tree / held).c_str(), O_WRONLY | O_CLOEXEC));
  hold_unfinished(writer.get());
  EXPECT_EQ(paths(sweep_now()), (Paths{"d", "d/lode-0123456789abcdef.unfinished"}));
  for (const auto& path : stay) EXPECT_TRUE(std::filesystem::exists(tree / path)) << path;
  EXPECT_FALSE(std::filesystem::exists(tree / "d/.lode-0123456789abcdef.unfinished"));
  EXPECT_FALSE(std::filesystem::exists(tree / ".lode-fedcba9876543210.unfinished"));
}

TEST_F(SweepTest, SeesEverythingOnce) {
  tree.write("a.txt", "hello");
  tree.write("d/e/f.txt", "");
  tree.write("d-x", "");
  tree.make_directory("empty");
  std::filesystem::create_directory_symlink("..", tree / "d/loop");
  ASSERT_EQ(::mkfifo((tree / "pipe").c_str(), 0600), 0);
  const Snapshot snapshot = sweep_now();
  EXPECT_EQ(paths(snapshot), (Paths{"a.txt", "d", "d-x", "d/e", "d/e/f.txt", "d/loop", "empty"}));
  ASSERT_NE(snapshot.find("a.txt"), nullptr);
  EXPECT_EQ(snapshot.find("a.txt")->stamp, tree.root().stamp("a.txt"));
  EXPECT_TRUE(S_ISREG(snapshot.find("a.txt")->mode));
  EXPECT_TRUE(S_ISLNK(snapshot.find("d/loop")->mode));
  EXPECT_TRUE(S_ISDIR(snapshot.find("empty")->mode));
  EXPECT_EQ(snapshot.find("b"), nullptr);
  EXPECT_TRUE(snapshot.complete());
}

TEST_F(SweepTest, LeavesOutWhatIsIgnoredOrSecret) {
  tree.write(".gitignore", "node_modules/\n*.log\n");
  tree.write("node_modules/x/y.js", "");
  tree.write("a.log", "");
  tree.write(".env", "");
  tree.write(".git/HEAD", "");
  tree.write("src/a.cc", "");
  EXPECT_EQ(paths(sweep_now()), (Paths{".gitignore", "src", "src/a.cc"}));
}

TEST_F(SweepTest, BeginsAtADirectory) {
  tree.write(".gitignore", "*.log\n");
  tree.write("a/b/c.txt", "");
  tree.write("a/b/d.log", "");
  tree.write("ab", "");
  const auto below = sweep(tree.root(), filter, {}, {}, {}, "a");
  ASSERT_TRUE(below);
  EXPECT_EQ(paths(*below), (Paths{"a/b", "a/b/c.txt"}));
  EXPECT_EQ(sweep(tree.root(), filter, {}, {}, {}, "ab").error().code, Code::not_found);
  EXPECT_EQ(sweep(tree.root(), filter, {}, {}, {}, "none").error().code, Code::not_found);
}

TEST_F(SweepTest, KeepsItsLimits) {
  for (int i = 0; i < 20; ++i) tree.write("f" + std::to_string(i), "");
  tree.write("1/2/3/4", "");
  const Snapshot few = sweep_now({.entries = 7});
  EXPECT_EQ(few.size(), 7U);
  EXPECT_FALSE(few.complete());
  const Snapshot shallow = sweep_now({.depth = 1});
  EXPECT_FALSE(shallow.complete());
  EXPECT_NE(shallow.find("1/2"), nullptr);
  EXPECT_EQ(shallow.find("1/2/3"), nullptr);
  EXPECT_TRUE(sweep_now({.depth = 3}).complete());
}

TEST_F(SweepTest, StopsAndTellsProgress) {
  std::stop_source source;
  tree.write("d/a", "");
  std::size_t told = 0;
  ASSERT_TRUE(sweep(tree.root(), filter, source.get_token(), [&](std::size_t n) { told = n; }));
  EXPECT_EQ(told, 2U);
  source.request_stop();
  EXPECT_EQ(sweep(tree.root(), filter, source.get_token()).error().code, Code::cancelled);
}

TEST_F(SweepTest, DiffersByWhatChanged) {
  tree.write("same", "1");
  tree.write("written", "1");
  tree.write("d/gone", "1");
  tree.write("kind", "1");
  const Snapshot before = sweep_now();
  EXPECT_EQ(diff(before, before), Changes());
  tree.write("written", "12");
  tree.remove("d/gone");
  tree.remove("kind");
  tree.write("kind/inner", "");
  tree.write("new/deep/file", "");
  const Changes changes = diff(before, sweep_now());
  EXPECT_EQ(changes.paths, (Paths{"d/gone", "kind", "kind/inner", "new/deep/file", "written"}));
  EXPECT_EQ(changes.listings, (Paths{"", "d", "kind", "new", "new/deep"}));
  EXPECT_EQ(changes.directories, (Paths{"new", "new/deep"}));
  EXPECT_TRUE(changes.trees.empty());
}

TEST_F(SweepTest, AFileMovedOverAnotherIsAChangeWhateverItsTime) {
  tree.write("a", "1");
  tree.write("b", "2");
  std::filesystem::last_write_time(tree / "b", std::filesystem::last_write_time(tree / "a"));
  const Snapshot before = sweep_now();
  tree.rename("b", "a");
  EXPECT_EQ(diff(before, sweep_now()).paths, (Paths{"a", "b"}));
}

TEST_F(SweepTest, SnapshotsAreSavedAndLoaded) {
  tree.write("a", "1");
  tree.write("directory/with/a/long/name/file.txt", "12345");
  tree.write("directory/with/a/long/name/file.txu", "");
  const Snapshot snapshot = sweep_now();
  const std::string file = (tree / "snapshot.bin").string();
  ASSERT_TRUE(snapshot.save(file));
  const auto loaded = Snapshot::load(file);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(paths(*loaded), paths(snapshot));
  EXPECT_EQ(diff(snapshot, *loaded), Changes());
  EXPECT_TRUE(loaded->complete());
  EXPECT_EQ(Snapshot::load((tree / "missing").string()).error().code, Code::not_found);
  EXPECT_FALSE(snapshot.save((tree / "no/such/directory").string()));
}

TEST_F(SweepTest, DamagedSnapshotsAreRefused) {
  tree.write("a", "1");
  tree.write("b/c", "1");
  const std::string file = (tree / "snapshot.bin").string();
  ASSERT_TRUE(sweep_now().save(file));
  std::ifstream in(file, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    tree.write("bad", bad);
    EXPECT_EQ(Snapshot::load((tree / "bad").string()).error().code, Code::invalid) << i;
    tree.write("bad", good.substr(0, i));
    EXPECT_EQ(Snapshot::load((tree / "bad").string()).error().code, Code::invalid) << i;
  }
}

}  // namespace
}  // namespace lode
