#include "workspace/ignore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "workspace/test_tree.h"

namespace lode {
namespace {

bool matches(std::string_view pattern, std::string_view path, bool is_directory = false) {
  const auto parsed = IgnorePattern::parse(pattern);
  return parsed && parsed->matches(path, is_directory);
}

TEST(IgnorePattern, IsANameOrAPath) {
  EXPECT_TRUE(matches("a", "x/y/a"));
  EXPECT_TRUE(matches("/a", "a"));
  EXPECT_FALSE(matches("/a", "x/a"));
  EXPECT_TRUE(matches("x/a", "x/a"));
  EXPECT_FALSE(matches("x/a", "y/x/a"));
  EXPECT_TRUE(matches("a/", "x/a", true));
  EXPECT_FALSE(matches("a/", "x/a", false));
}

TEST(IgnorePattern, HasDoubleStarsOnlyBetweenSlashes) {
  EXPECT_TRUE(matches("**/b", "b"));
  EXPECT_TRUE(matches("**/b", "a/x/b"));
  EXPECT_TRUE(matches("a/**/b", "a/b"));
  EXPECT_TRUE(matches("a/**/b", "a/x/y/b"));
  EXPECT_TRUE(matches("a/**", "a/x/y"));
  EXPECT_FALSE(matches("a/**", "a"));
  EXPECT_FALSE(matches("a/x**", "a/xy/z"));
  EXPECT_FALSE(matches("a/x**/b", "a/x/y/b"));
  EXPECT_TRUE(matches("a/x**/b", "a/xy/b"));
  EXPECT_TRUE(matches("a/**\\/b", "a/x/b"));
  EXPECT_FALSE(matches("a/**\\/b", "a/b"));
}

TEST(IgnorePattern, KnowsEscapesAndClasses) {
  EXPECT_TRUE(matches("\\#a", "#a"));
  EXPECT_TRUE(matches("\\!a", "!a"));
  EXPECT_TRUE(matches("a\\ ", "a "));
  EXPECT_TRUE(matches("a  ", "a"));
  EXPECT_TRUE(matches("[]a]", "]"));
  EXPECT_TRUE(matches("[!a-c]x", "dx"));
  EXPECT_FALSE(matches("[^a-c]x", "bx"));
  EXPECT_TRUE(matches("[[:digit:][:upper:]]", "Q"));
  EXPECT_TRUE(matches("[a\\]]", "]"));
  EXPECT_TRUE(matches("[[:a]", ":"));
  EXPECT_FALSE(matches("a[/]b", "a/b"));
  for (const char* never : {"", "#a", "a\\", "[a", "[[:wrong:]]", "[a\\", "/", "   "}) {
    EXPECT_FALSE(IgnorePattern::parse(never)) << never;
  }
}

TEST(IgnorePattern, IsQuickWhateverThePattern) {
  const std::string name(4000, 'a');
  std::string stars;
  std::string deep;
  std::string path;
  for (int i = 0; i < 100; ++i) {
    stars += "*a";
    deep += "**/a/";
    path += "a/";
  }
  EXPECT_FALSE(matches(stars + "b", name));
  EXPECT_FALSE(matches(deep + "b", path + path + path + path + "c"));
}

TEST(IgnoreRules, ReadFilesFromTheRootDown) {
  const TestTree tree;
  tree.write(".gitignore", "\xEF\xBB\xBF*.log\r\nbuild/\n!keep.log\nvendor/*\n!vendor/ours\n");
  tree.write("sub/.gitignore", "!x.log\n/local\n");
  tree.write("build/.gitignore", "!*\n");
  tree.write(".git/info/exclude", "scratch\n*.md\n");
  IgnoreRules rules(tree.root());
  for (const char* path : {"a.log", "sub/a.log", "build/a.cc", "build/x/y", "vendor/theirs/a.cc",
                           "sub/local", "sub/local/deep", "scratch", "sub/deep/a.md"}) {
    EXPECT_TRUE(rules.ignored(path, false)) << path;
  }
  for (const char* path : {"", "keep.log", "sub/x.log", "sub/deep/x.log", "build",
                           "vendor/ours/a.cc", "local", "a.cc"}) {
    EXPECT_FALSE(rules.ignored(path, false)) << path;
  }
  EXPECT_TRUE(rules.ignored("build", true));
  EXPECT_TRUE(rules.in("sub").ignored("sub/local", false));
}

TEST(IgnoreRules, AreReadAgainWhenTold) {
  const TestTree tree;
  tree.write(".gitignore", "a\n");
  tree.write("sub/.gitignore", "b\n");
  IgnoreRules rules(tree.root());
  EXPECT_TRUE(rules.ignored("a", false));
  EXPECT_TRUE(rules.ignored("sub/b", false));
  tree.write("sub/.gitignore", "!a\n");
  EXPECT_TRUE(rules.ignored("sub/a", false));
  EXPECT_TRUE(rules.changed("sub/.gitignore"));
  EXPECT_FALSE(rules.ignored("sub/a", false));
  EXPECT_FALSE(rules.ignored("sub/b", false));
  EXPECT_FALSE(rules.changed("sub/other"));
  tree.remove("sub");
  EXPECT_FALSE(rules.changed("sub"));
  EXPECT_TRUE(rules.ignored("sub/a", false));
  tree.write(".gitignore", "");
  rules.refresh();
  EXPECT_FALSE(rules.ignored("a", false));
}

TEST(IgnoreRules, ReadNothingThroughLinksOrBeyondTheLimit) {
  const TestTree tree;
  tree.write("rules", "a\n");
  std::filesystem::create_symlink("rules", tree / ".gitignore");
  tree.write("long/.gitignore", "a\n" + std::string(kMaxIgnoreFile, '#'));
  IgnoreRules rules(tree.root());
  EXPECT_FALSE(rules.ignored("a", false));
  EXPECT_FALSE(rules.ignored("long/a", false));
}

// Random trees, with files of random patterns in them, judged by git and by us.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }

  std::string name() {
    static const std::vector<std::string> kNames = {"a",   "b",   "ab",  "ba",       "a.b",  "b.a",
                                                    "aab", "x-y", "A",   "]",        "a b",  "#a",
                                                    "!b",  "a*",  "[a]", "\xC3\xA9", "a\\b", "-"};
    return kNames[below(kNames.size())];
  }

  std::string pattern() {
    static const std::vector<std::string> kTails = {"", "", "", "/", "/**", " ", "\\ ", "/*", "//"};
    std::string line = below(4) == 0 ? "!" : "";
    if (below(4) == 0) line += "/";
    const std::size_t segments = below(3) == 0 ? 2 + below(3) : 1;
    for (std::size_t i = 0; i < segments; ++i) {
      line += i == 0 ? "" : below(12) == 0 ? "\\/" : "/";
      // A double star glued to a name is left out: versions of git disagree.
      line += segments > 1 && below(4) == 0 ? (below(5) == 0 ? "***" : "**") : segment();
    }
    return line + kTails[below(kTails.size())] + (below(8) == 0 ? "\r" : "");
  }

 private:
  std::string segment() {
    static const std::vector<std::string> kPieces = {"a",
                                                     "b",
                                                     "?",
                                                     "[ab]",
                                                     "[!a]",
                                                     "[^b]",
                                                     "[a-b]",
                                                     ".",
                                                     "-",
                                                     "\\a",
                                                     "\\*",
                                                     "\\[",
                                                     "[]]",
                                                     "[[:alpha:]]",
                                                     "[[:punct:]]",
                                                     "[a\\]]",
                                                     "[!-~]",
                                                     "[[:space:]b]",
                                                     "[",
                                                     "[[:x:]]",
                                                     "\\",
                                                     "[a/b]",
                                                     "[[:upper:]]",
                                                     "\xC3\xA9",
                                                     "[]-a]",
                                                     "[a-]",
                                                     "[--.]",
                                                     "[b-a]",
                                                     "[\\a-b]",
                                                     "[[:a]",
                                                     "A",
                                                     " ",
                                                     "#",
                                                     "!",
                                                     "]"};
    if (below(4) == 0) return name();
    std::string out;
    const std::size_t pieces = 1 + below(3);
    for (std::size_t i = 0; i < pieces; ++i) {
      const bool star = below(3) == 0 && !out.ends_with('*');
      out += star ? "*" : kPieces[below(below(2) == 0 ? 6 : kPieces.size())];
    }
    return out;
  }

  std::mt19937 random_;
};

std::string run(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  std::size_t n = 0;
  while ((n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) out.append(buffer.data(), n);
  ::pclose(pipe);
  return out;
}

struct Entry {
  std::string path;
  bool is_directory = false;
};

std::vector<Entry> make_tree(const TestTree& tree, Generator& random) {
  std::vector<Entry> directories = {{"", true}};
  std::vector<Entry> entries;
  std::set<std::string> taken;
  for (int i = 0; i < 350; ++i) {
    const std::string parent = directories[random.below(directories.size())].path;
    const std::string path = (parent.empty() ? "" : parent + "/") + random.name();
    const bool is_directory = directories.size() < 16 && random.below(2) == 0;
    if (std::count(path.begin(), path.end(), '/') > 5 || !taken.insert(path).second) continue;
    // A path that does not exist is a file to git.
    if (is_directory) {
      tree.make_directory(path);
      directories.push_back({path, true});
    }
    entries.push_back({path, is_directory});
  }
  for (const auto& directory : directories) {
    if (!directory.path.empty() && random.below(2) != 0) continue;
    std::string lines = random.below(10) == 0 ? "\xEF\xBB\xBF" : "";
    const std::size_t count = 1 + random.below(6);
    for (std::size_t i = 0; i < count; ++i) lines += (i == 0 ? "" : "\n") + random.pattern();
    tree.write(directory.path + (directory.path.empty() ? "" : "/") + ".gitignore", lines);
  }
  return entries;
}

std::set<std::string> ignored_by_git(const TestTree& tree, const std::vector<Entry>& entries) {
  std::string paths;
  for (const auto& entry : entries) paths += entry.path + '\0';
  tree.write(".git/paths", paths);
  const std::string at = (tree / "").string();
  const std::string answer =
      run("cd '" + at + "' && git -c core.excludesFile= -c core.ignoreCase=false check-ignore " +
          "--no-index -z --stdin < .git/paths");
  std::set<std::string> ignored;
  for (std::size_t begin = 0; begin < answer.size();) {
    const std::size_t end = answer.find('\0', begin);
    ignored.insert(answer.substr(begin, end - begin));
    begin = end + 1;
  }
  return ignored;
}

std::string rules_of(const TestTree& tree, const std::vector<Entry>& entries) {
  std::string all;
  for (const char* file : {".gitignore", ".git/info/exclude"}) {
    std::ifstream in(tree / file);
    all += file + (":\n" + std::string(std::istreambuf_iterator<char>(in), {})) + "\n";
  }
  for (const auto& entry : entries) {
    std::ifstream in(tree / (entry.path + "/.gitignore"));
    if (!in) continue;
    all += entry.path + ":\n" + std::string(std::istreambuf_iterator<char>(in), {}) + "\n";
  }
  return all;
}

// All that git asks for, without its templates.
void make_repository(const TestTree& tree) {
  tree.write(".git/HEAD", "ref: refs/heads/main\n");
  tree.make_directory(".git/objects");
  tree.make_directory(".git/refs");
}

TEST(IgnoreRules, AgreeWithGit) {
  std::size_t compared = 0;
  std::size_t ignored = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Generator random(seed);
    const TestTree tree;
    const auto entries = make_tree(tree, random);
    make_repository(tree);
    if (random.below(2) == 0) tree.write(".git/info/exclude", random.pattern() + "\n");
    const auto expected = ignored_by_git(tree, entries);
    IgnoreRules rules(tree.root());
    for (const auto& entry : entries) {
      const bool git = expected.contains(entry.path);
      EXPECT_EQ(rules.ignored(entry.path, entry.is_directory), git)
          << "seed " << seed << ": " << entry.path << "\n"
          << rules_of(tree, entries);
      if (HasFailure()) return;
      ++compared;
      ignored += git ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 5000U);
  EXPECT_GT(ignored, 1000U);
  EXPECT_GT(compared - ignored, 1000U);
}

}  // namespace
}  // namespace lode
