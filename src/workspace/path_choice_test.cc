#include "workspace/path_choice.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

bool takes(const std::string& pattern, const std::string& path, std::size_t begin = 0) {
  return PathChoice::parse(pattern, "")->takes(path, begin);
}
bool leaves_out(const std::string& exclude, const std::string& path, std::size_t begin = 0) {
  return PathChoice::parse("", exclude)->leaves_out(path, begin);
}

TEST(PathChoice, AGlobWithoutASlashIsForNames) {
  EXPECT_TRUE(takes("*.cc", "a.cc"));
  EXPECT_TRUE(takes("*.cc", "src/deep/a.cc"));
  EXPECT_FALSE(takes("*.cc", "a.cc/b"));
  EXPECT_TRUE(takes("*.{h,cc}", "src/a.h"));
  EXPECT_TRUE(takes("", "anything"));
}

TEST(PathChoice, AGlobWithASlashIsForPaths) {
  EXPECT_TRUE(takes("src/*.cc", "src/a.cc"));
  EXPECT_FALSE(takes("src/*.cc", "src/deep/a.cc"));
  EXPECT_FALSE(takes("src/*.cc", "lib/src/a.cc"));
  EXPECT_TRUE(takes("**/src/*.cc", "lib/src/a.cc"));
  EXPECT_TRUE(takes("/a.cc", "a.cc"));
  EXPECT_TRUE(takes("./a.cc", "a.cc"));
  EXPECT_FALSE(takes("/a.cc", "src/a.cc"));
  EXPECT_TRUE(takes("src/", "src/deep/a.cc"));
  EXPECT_TRUE(takes("src/", "lib/src/a.cc"));
  EXPECT_FALSE(takes("src/", "src"));
  EXPECT_FALSE(takes("/src/", "lib/src/a.cc"));
}

TEST(PathChoice, PathsBelowTheStartWillDo) {
  EXPECT_TRUE(takes("deep/*.cc", "src/deep/a.cc", 4));
  EXPECT_TRUE(takes("src/deep/*.cc", "src/deep/a.cc", 4));
  EXPECT_FALSE(takes("deep/*.cc", "src/deep/a.cc"));
}

TEST(PathChoice, LeavesOutByAnyOfSeveralGlobs) {
  EXPECT_TRUE(leaves_out("*.o, build/", "build"));
  EXPECT_TRUE(leaves_out("*.o, build/", "x/build"));
  EXPECT_TRUE(leaves_out("*.o,build", "x/a.o"));
  EXPECT_TRUE(leaves_out("*.{o,a},,src/gen", "src/gen"));
  EXPECT_TRUE(leaves_out("*.{o,a},,src/gen", "x/y.a"));
  EXPECT_FALSE(leaves_out("*.{o,a},src/gen", "x/src/gen"));
  EXPECT_FALSE(leaves_out("", "a"));
  EXPECT_FALSE(leaves_out(" , ", "a"));
}

TEST(PathChoice, TakesByAnyOfSeveralGlobs) {
  EXPECT_TRUE(takes("*.{c,h}, Makefile,", "a/x.c"));
  EXPECT_TRUE(takes("*.{c,h}, Makefile,", "Makefile"));
  EXPECT_FALSE(takes("*.{c,h}, Makefile,", "x.cc"));
  EXPECT_FALSE(PathChoice::parse(" , ", "")->has_pattern());
  EXPECT_TRUE(PathChoice::parse("a", "")->has_pattern());
}

TEST(PathChoice, SaysWhichGlobIsWrong) {
  std::string many;
  for (int i = 0; i < 40; ++i) many += "a,";
  EXPECT_EQ(PathChoice::parse(many, "").error().message, "\"pattern\": more than 32 globs");
  EXPECT_EQ(PathChoice::parse("a{b", "").error().message.find("\"pattern\": "), 0U);
  EXPECT_EQ(PathChoice::parse("", "a,[").error().message.find("\"exclude\": "), 0U);
}

}  // namespace
}  // namespace lode
