#include "workspace/root.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

// A tree with ways out: outside/secret.txt beside, and links to it inside.
class RootTest : public ::testing::Test {
 protected:
  RootTest() {
    std::string pattern = (fs::temp_directory_path() / "lode-root-XXXXXX").string();
    base = ::mkdtemp(pattern.data());
    fs::create_directories(base / "root/sub");
    fs::create_directories(base / "outside");
    write("outside/secret.txt", "secret");
    write("root/a.txt", "inside");
    write("root/sub/b.txt", "below");
    fs::create_symlink(base / "outside/secret.txt", base / "root/absolute");
    fs::create_symlink("../outside/secret.txt", base / "root/relative");
    fs::create_symlink("../outside", base / "root/directory");
    fs::create_symlink("sub/b.txt", base / "root/good");
    EXPECT_EQ(::mkfifo((base / "root/pipe").c_str(), 0600), 0);
  }
  ~RootTest() override { fs::remove_all(base); }

  void write(const std::string& path, const std::string& text) const {
    std::ofstream(base / path) << text;
  }
  std::string read(const std::string& path) const {
    auto root = Root::open((base / "root").string());
    auto file = root->open_inside(path);
    if (!file) return file.error().message;
    auto bytes = read_all(*file, 100);
    return bytes ? *bytes : bytes.error().message;
  }

  fs::path base;
};

TEST_F(RootTest, OpensWhatIsInside) {
  EXPECT_EQ(read("a.txt"), "inside");
  EXPECT_EQ(read("sub/b.txt"), "below");
  EXPECT_EQ(read("sub/../a.txt"), "inside");
  EXPECT_EQ(read("good"), "below");
}

TEST_F(RootTest, OpensNothingElse) {
  for (const char* path :
       {"../outside/secret.txt", "absolute", "relative", "directory/secret.txt", "/etc/passwd",
        "sub/../../outside/secret.txt", "missing", "pipe", "a.txt/x", "a.txt/../a.txt"}) {
    EXPECT_EQ(read(path), "no such file") << path;
  }
  EXPECT_EQ(read(std::string("a.txt\0x", 7)), "no such file");
}

TEST_F(RootTest, FollowsNoLinkWhenTold) {
  fs::create_symlink("sub", base / "root/inner");
  auto root = Root::open((base / "root").string());
  EXPECT_TRUE(root->open_inside("inner/b.txt"));
  EXPECT_TRUE(root->open_without_links("sub/b.txt"));
  EXPECT_TRUE(root->open_without_links(""));
  for (const char* path : {"inner", "inner/b.txt", "good", "../outside", "relative"}) {
    EXPECT_FALSE(root->open_without_links(path)) << path;
  }
}

TEST_F(RootTest, BoundsWhatItReads) {
  write("root/long", std::string(101, 'x'));
  EXPECT_EQ(read("long"), "the file is over 100 bytes");
  write("root/long", std::string(100, 'x'));
  EXPECT_EQ(read("long"), std::string(100, 'x'));
}

TEST_F(RootTest, ListsNamesInOrder) {
  auto root = Root::open((base / "root").string());
  EXPECT_EQ(*root->names(""), (std::vector<std::string>{"a.txt", "absolute", "directory", "good",
                                                        "pipe", "relative", "sub"}));
  EXPECT_FALSE(root->names("directory"));
  EXPECT_FALSE(root->names("a.txt"));
}

TEST_F(RootTest, SaysWhatIsWrongWithARoot) {
  EXPECT_EQ(Root::open("/nowhere/at/all").error().code, Code::not_found);
  EXPECT_EQ(Root::open((base / "root/a.txt").string()).error().code, Code::invalid);
}

TEST(Root, WhatWasReplacedHasNoPath) {
  TestTree tree;
  tree.write("a", "1");
  tree.write("b (deleted)", "2");
  const auto file = tree.root().open_inside("a");
  EXPECT_EQ(tree.root().real_path(*file), "a");
  tree.write("new", "3");
  tree.rename("new", "a");
  EXPECT_EQ(tree.root().real_path(*file), std::nullopt);
  EXPECT_EQ(tree.root().real_path(*tree.root().open_inside("b (deleted)")), "b (deleted)");
}

}  // namespace
}  // namespace lode
