// Files at revisions, and their histories.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "workspace/git.h"
#include "workspace/git_revision.h"
#include "workspace/test_git.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr auto kForever = Git::SteadyTime::max();

class GitFileTest : public ::testing::Test {
 protected:
  void git(const std::string& arguments, const std::string& in = "") const {
    run_git(tree / in, arguments);
  }
  // time: hours after the fixed time of run_git().
  void commit(const std::string& file, const std::string& text, const std::string& subject,
              int hours = 0) {
    tree.write(file, text);
    git("add -A");
    commit_staged(subject, hours);
  }
  void commit_staged(const std::string& subject, int hours) const {
    const auto date = std::to_string(1'700'000'000 + hours * 3600) + " +0000";
    const std::string command = "cd '" + tree.root().path() +
                                "' && HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Ada"
                                " GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a"
                                " GIT_COMMITTER_EMAIL=a@example.com GIT_AUTHOR_DATE='" +
                                date + "' GIT_COMMITTER_DATE='" + date + "' git commit -m '" +
                                subject + "' >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << subject;
  }
  std::string head() { return reader.head(tree.root(), "")->id; }

  // The text of a file at a revision, or what is wrong.
  std::string at(const std::string& revision, const std::string& path = "a.txt",
                 const std::string& in = "") {
    const auto found = reader.file(tree.root(), in, path, revision, kForever, {});
    return found ? found->bytes : found.error().message;
  }
  Code code_at(const std::string& revision, const std::string& path = "a.txt") {
    return reader.file(tree.root(), "", path, revision, kForever, {}).error().code;
  }
  GitFileHistory changes_of(const std::string& path, const GitHistoryPage& page = {},
                            const std::string& in = "") {
    return changes_of(std::vector{path}, page, in);
  }
  GitFileHistory changes_of(const std::vector<std::string>& paths, const GitHistoryPage& page = {},
                            const std::string& in = "") {
    auto found = reader.file_history(tree.root(), in, paths, page, kForever, {});
    EXPECT_TRUE(found) << found.error().message;
    return found ? std::move(*found) : GitFileHistory();
  }
  static std::vector<std::string> subjects(const GitFileHistory& history) {
    std::vector<std::string> all;
    for (const auto& change : history.changes) all.push_back(change.subject);
    return all;
  }
  using Subjects = std::vector<std::string>;

  TestTree tree;
  Git reader;
};

TEST_F(GitFileTest, ReadsAFileByEveryKindOfRevision) {
  git("init -b main");
  commit("a.txt", "one", "one");
  const auto first = head();
  git("tag light");
  git("tag -a whole -m note");
  git("tag -a nested whole -m note");
  commit("a.txt", "two", "two", 24);
  git("branch feature/x");
  git("update-ref refs/remotes/origin/main HEAD");
  git("update-ref refs/notes/own HEAD~1");
  commit("a.txt", "three", "three", 48);
  EXPECT_EQ(at("HEAD"), "three");
  EXPECT_EQ(at("main"), "three");
  EXPECT_EQ(at("refs/heads/main"), "three");
  EXPECT_EQ(at("heads/main"), "three");
  EXPECT_EQ(at("feature/x"), "two");
  EXPECT_EQ(at("origin/main"), "two");
  EXPECT_EQ(at("refs/notes/own"), "one");
  for (const char* tag : {"light", "whole", "nested", "tags/whole"}) EXPECT_EQ(at(tag), "one");
  EXPECT_EQ(at(first), "one");
  EXPECT_EQ(at(first.substr(0, 7)), "one");
  std::string upper = first.substr(0, 12);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(at(upper), "one");
  // 2023-11-14T22:13:20Z is the time of the first.
  EXPECT_EQ(at("2023-11-14"), "one");
  EXPECT_EQ(at("2023-11-15"), "two");
  EXPECT_EQ(at("2023-11-15T22:13"), "one");
  EXPECT_EQ(at("2023-11-15T22:13:20Z"), "two");
  EXPECT_EQ(at("2023-11-15T23:13:20+02:00"), "one");
  EXPECT_EQ(at("2024-01-01"), "three");
  EXPECT_EQ(at("2023-11-13"), "no such revision: HEAD has no commit that is so old");
  for (const char* none : {"", "nosuch", "abc", "ffffffff", "HEAD~1", "../HEAD", "main:a.txt",
                           "0123456789012345678901234567890123456789", "refs/../HEAD"}) {
    EXPECT_EQ(code_at(none), Code::not_found) << none;
  }
  // The same, packed.
  git("gc --prune=now");
  git("pack-refs --all");
  for (const char* tag : {"light", "whole", "nested"}) EXPECT_EQ(at(tag), "one");
  EXPECT_EQ(at(first.substr(0, 7)), "one");
  EXPECT_EQ(at("2023-11-15"), "two");
  EXPECT_EQ(at("HEAD"), "three");
}

TEST_F(GitFileTest, TakesTheWorkTreeForNothing) {
  git("init -b main");
  commit("dir/a.txt", "committed", "one");
  tree.write("dir/a.txt", "edited");
  EXPECT_EQ(at("HEAD", "dir/a.txt"), "committed");
  tree.remove("dir");
  tree.write(".git/index", "rubbish");
  const auto file = reader.file(tree.root(), "", "dir/a.txt", "HEAD", kForever, {});
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes, "committed");
  EXPECT_EQ(file->commit, head());
  EXPECT_EQ(file->id.size(), 40U);
  EXPECT_EQ(file->time.time_since_epoch().count(), 1'700'000'000);
  EXPECT_FALSE(fs::exists(tree / "dir"));
}

TEST_F(GitFileTest, ListsADirectoryAndFollowsNoLinks) {
  git("init -b main");
  tree.write("dir/b.txt", "b");
  tree.write("dir/sub/c.txt", "c");
  fs::create_symlink("b.txt", tree / "dir/link");
  fs::create_directory_symlink("dir", tree / "way");
  git("add -A");
  git("commit -m one");
  const auto directory = reader.file(tree.root(), "", "dir", "HEAD", kForever, {});
  ASSERT_TRUE(directory);
  EXPECT_TRUE(directory->directory);
  ASSERT_EQ(directory->entries.size(), 2U);
  EXPECT_EQ(directory->entries[0].name, "b.txt");
  EXPECT_FALSE(directory->entries[0].directory);
  EXPECT_EQ(directory->entries[1].name, "sub");
  EXPECT_TRUE(directory->entries[1].directory);
  EXPECT_TRUE(reader.file(tree.root(), "", "", "HEAD", kForever, {})->directory);
  for (const char* none : {"dir/link", "way/b.txt", "way", "dir/absent", "dir/b.txt/x", "/dir",
                           "dir/", "dir//b.txt", "dir/./b.txt", "dir/../dir/b.txt", ".."}) {
    EXPECT_EQ(code_at("HEAD", none), Code::not_found) << none;
  }
}

TEST_F(GitFileTest, ReadsNoMoreThanItMay) {
  git("init -b main");
  commit("a.txt", std::string(5000, 'x'), "one");
  Git small(Git::kLibrary, {.file_bytes = 4999});
  EXPECT_EQ(small.file(tree.root(), "", "a.txt", "HEAD", kForever, {}).error().code,
            Code::unsupported);
  EXPECT_EQ(at("HEAD").size(), 5000U);
  EXPECT_EQ(reader.file(tree.root(), "", "a.txt", "HEAD", {}, {}).error().code, Code::timeout);
  EXPECT_EQ(reader.file_history(tree.root(), "", {"a.txt"}, {}, {}, {}).error().code,
            Code::timeout);
  commit("b.txt", "b", "two");
  Git narrow(Git::kLibrary, {.entries = 1});
  EXPECT_EQ(narrow.file(tree.root(), "", "", "HEAD", kForever, {}).error().code, Code::unsupported);
  // Whatever is refused it, it fails and gives all back.
  bool whole = false;
  for (std::size_t bytes = 64; !whole; bytes += bytes / 8) {
    ASSERT_LT(bytes, std::size_t{1} << 28U);
    Git frugal(Git::kLibrary, {.memory_bytes = bytes});
    const auto file = frugal.file(tree.root(), "", "a.txt", head().substr(0, 8), kForever, {});
    const auto history = frugal.file_history(tree.root(), "", {"a.txt"}, {}, kForever, {});
    whole = file && history && history->changes.size() == 1;
  }
}

TEST_F(GitFileTest, TellsWhoChangedAFile) {
  git("init -b main");
  commit("dir/a.txt", "1", "made", 1);
  commit("b.txt", "1", "elsewhere", 2);
  commit("dir/a.txt", "2", "changed", 3);
  git("rm dir/a.txt");
  commit_staged("removed", 4);
  commit("dir/a.txt", "1", "back", 5);
  const auto history = changes_of("dir/a.txt");
  EXPECT_EQ(subjects(history), (Subjects{"back", "removed", "changed", "made"}));
  EXPECT_EQ(history.from, head());
  EXPECT_TRUE(history.whole);
  EXPECT_FALSE(history.more);
  const auto& changes = history.changes;
  EXPECT_EQ(changes[0].id, head());
  EXPECT_EQ(changes[0].author, "Ada");
  EXPECT_EQ(changes[0].time.time_since_epoch().count(), 1'700'000'000 + 5 * 3600);
  EXPECT_EQ(changes[0].before, "");
  EXPECT_EQ(changes[0].after, changes[3].after);
  EXPECT_EQ(changes[1].before, changes[2].after);
  EXPECT_EQ(changes[1].after, "");
  EXPECT_EQ(changes[2].before, changes[3].after);
  const auto texts =
      reader.blobs(tree.root(), "", {changes[2].before, "no id", changes[2].after}, kForever, {});
  ASSERT_TRUE(texts);
  EXPECT_EQ((*texts)[0], "1");
  EXPECT_EQ((*texts)[1], std::nullopt);
  EXPECT_EQ((*texts)[2], "2");
  EXPECT_TRUE(changes_of("absent").changes.empty());
  EXPECT_TRUE(changes_of("../b.txt").changes.empty());
}

TEST_F(GitFileTest, HasHistoriesInPages) {
  git("init -b main");
  for (int i = 0; i < 7; ++i) commit("a.txt", std::to_string(i), "c" + std::to_string(i), i);
  auto page = changes_of("a.txt", {"", 0, 3});
  EXPECT_EQ(subjects(page), (Subjects{"c6", "c5", "c4"}));
  EXPECT_TRUE(page.more);
  commit("a.txt", "more", "later", 8);  // and the next page goes on where it was
  page = changes_of("a.txt", {page.from, 3, 3});
  EXPECT_EQ(subjects(page), (Subjects{"c3", "c2", "c1"}));
  page = changes_of("a.txt", {page.from, 6, 3});
  EXPECT_EQ(subjects(page), (Subjects{"c0"}));
  EXPECT_FALSE(page.more);
  EXPECT_EQ(
      reader.file_history(tree.root(), "", {"a.txt"}, {"rubbish", 0, 1}, kForever, {}).error().code,
      Code::not_found);
  Git few(Git::kLibrary, {.walk = 3, .text_bytes = 1});
  const auto cut = few.file_history(tree.root(), "", {"a.txt"}, {}, kForever, {});
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->whole);
  ASSERT_EQ(cut->changes.size(), 3U);
  EXPECT_EQ(cut->changes[0].subject, "l");
}

TEST_F(GitFileTest, TakesTheNamesOfAFileForOne) {
  git("init -b main");
  commit("a.txt", "1", "made", 1);
  commit("a.txt", "2", "changed", 2);
  git("mv a.txt b.txt");
  commit_staged("moved", 3);
  commit("b.txt", "3", "again", 4);
  const std::vector<std::string> names{"b.txt", "a.txt", "absent"};
  const auto history = changes_of(names);
  EXPECT_EQ(subjects(history), (Subjects{"again", "moved", "changed", "made"}));
  EXPECT_EQ(history.changes[1].before, history.changes[2].after);
  EXPECT_EQ(history.changes[1].after, history.changes[0].before);
  // What each side of a merge did to a name of its own, the merge did not do.
  git("checkout -b side HEAD~1");
  commit("a.txt", "new", "aside", 5);
  git("checkout main");
  git("merge --no-ff -m merged side");
  EXPECT_EQ(subjects(changes_of(names)).front(), "aside");
}

// Clocks that run backwards change neither the order nor what is on a page.
TEST_F(GitFileTest, PagesHaveEveryCommitOnceWhateverTheClockSaid) {
  git("init -b main");
  Subjects all;
  for (int i = 0; i < 24; ++i) {
    const auto subject = "c" + std::to_string(i);
    commit(i % 3 == 0 ? "a.txt" : "b.txt", subject, subject, (i * 7) % 24);
    all.insert(all.begin(), subject);
  }
  for (const std::size_t limit : {1U, 2U, 5U, 23U}) {
    Subjects seen;
    GitHistoryPage page{"", 0, limit};
    for (bool more = true; more && seen.size() <= all.size();) {
      const auto history = changes_of(std::vector<std::string>{"a.txt", "b.txt"}, page);
      for (const auto& change : history.changes) seen.push_back(change.subject);
      page.from = history.from;
      page.skip += history.changes.size();
      more = history.more;
    }
    EXPECT_EQ(seen, all) << limit;
  }
}

TEST_F(GitFileTest, BearsTimesThatNoClockHas) {
  git("init -b main");
  tree.write("a.txt", "1");
  git("add -A");
  const std::string shell = "cd '" + tree.root().path() +
                            "' && GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='@99999999999 +0000'"
                            " GIT_COMMITTER_DATE='@99999999999 +0000' git -c user.name=a"
                            " -c user.email=a@example.com commit -m late >/dev/null 2>&1";
  ASSERT_EQ(std::system(shell.c_str()), 0);
  const auto last =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::time_point::max());
  EXPECT_EQ(changes_of("a.txt").changes.at(0).time, last);
  EXPECT_EQ(reader.file(tree.root(), "", "a.txt", "HEAD", kForever, {})->time, last);
  EXPECT_EQ(reader.head(tree.root(), "")->time, last);
}

TEST_F(GitFileTest, FollowsTheSideThatAMergeTook) {
  git("init -b main");
  commit("a.txt", "1", "base", 0);
  git("checkout -b side");
  commit("a.txt", "2", "aside", 1);
  git("checkout main");
  commit("b.txt", "1", "other", 2);
  git("merge --no-ff -m merged side");
  EXPECT_EQ(subjects(changes_of("a.txt")), (Subjects{"aside", "base"}));
  EXPECT_EQ(subjects(changes_of("b.txt")), (Subjects{"other"}));
}

TEST_F(GitFileTest, TellsWhereCommitsAreMissing) {
  tree.make_directory("first");
  git("init -b main", "first");
  for (const char* text : {"1", "2", "3"}) {
    tree.write("first/a.txt", text);
    git("add -A", "first");
    git(std::string("commit -m ") + text, "first");
  }
  git("clone --depth 2 'file://" + (tree / "first").string() + "' second");
  const auto history = changes_of("a.txt", {}, "second");
  EXPECT_EQ(subjects(history), (Subjects{"3"}));
  EXPECT_FALSE(history.whole);
  EXPECT_EQ(at("2023-11-13", "a.txt", "second"),
            "no such revision: the commits before that time are not at hand");
}

TEST_F(GitFileTest, BearsDamage) {
  git("init -b main");
  EXPECT_EQ(code_at("HEAD"), Code::not_found);
  EXPECT_TRUE(changes_of("a.txt").changes.empty());
  commit("a.txt", "one", "one");
  git("tag -a v1 -m v1");
  const auto blob = changes_of("a.txt").changes[0].after;
  const auto file = ".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2);
  fs::permissions(tree / file, fs::perms::owner_all);
  tree.write(file, "rubbish");
  EXPECT_EQ(at("v1"), "the file cannot be read at this revision");
  tree.remove(file);
  EXPECT_EQ(at("HEAD"), "the file cannot be read at this revision");
  EXPECT_EQ(*reader.blobs(tree.root(), "", {blob}, kForever, {}),
            std::vector<std::optional<std::string>>(1));
  tree.write(".git/refs/tags/bad", "rubbish\n");
  EXPECT_EQ(code_at("bad"), Code::invalid);
  tree.write(".git/refs/tags/loop", "ref: refs/tags/loop\n");
  EXPECT_EQ(code_at("loop"), Code::invalid);
  tree.write(".git/refs/tags/gone", std::string(40, 'a') + "\n");
  EXPECT_EQ(at("gone"), "the revision cannot be read");
  tree.write(".git/refs/tags/blob", "");
  EXPECT_EQ(code_at("blob"), Code::invalid);
}

// zlib's form of some bytes that are not compressed.
std::string stored(const std::string& bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::string out = "\x78\x01\x01";
  const auto add = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte & 0xFFU)); };
  for (const std::uint32_t byte : {size, size >> 8U, ~size, ~size >> 8U}) add(byte);
  out += bytes;
  for (const std::uint32_t byte : {b >> 8U, b, a >> 8U, a}) add(byte);
  return out;
}

TEST_F(GitFileTest, BelievesNoObjectThatLies) {
  git("init -b main");
  commit("a.txt", "one", "one");
  const auto blob = changes_of("a.txt").changes[0].after;
  const auto file = ".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2);
  const auto holds = [&](const std::string& bytes) {
    tree.remove(file);
    tree.write(file, stored(bytes));
    return at("HEAD");
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(holds("blob 3\0one"s), "one");
  for (const auto& lie :
       {"blob 2\0one"s, "blob 0\0one"s, "blob 4\0one"s, "blob 3\0two"s, "blob -1\0one"s,
        "blob 4294967295\0one"s, "blob 100000000\0one"s, "tree 3\0one"s, "commit 3\0one"s,
        "tag 3\0one"s, "bulb 3\0one"s, "blob 3one"s, "blob 3 \0one"s, ""s}) {
    EXPECT_EQ(holds(lie).substr(0, 3), "the") << lie;
  }
}

// A few bytes on disk, and far more than may be held.
TEST_F(GitFileTest, ReadsNoFileThatTakesTooMuchMemory) {
  git("init -b main");
  const std::string shell =
      "cd '" + tree.root().path() + "' && head -c 160000000 /dev/zero > a.txt && git add a.txt";
  ASSERT_EQ(std::system(shell.c_str()), 0);
  git("commit -m large");
  EXPECT_EQ(at("HEAD"), "the repository takes too much memory to be read");
  git("gc --prune=now");
  EXPECT_EQ(at("HEAD"), "the repository takes too much memory to be read");
  EXPECT_EQ(changes_of("a.txt").changes.size(), 1U);
}

// A tag of a tree, and tags that stand for each other without end, are no revisions.
TEST_F(GitFileTest, TakesNoTagForACommitThatIsNone) {
  git("init -b main");
  commit("a.txt", "one", "one");
  git("tag tree HEAD^{tree}");
  git("tag t0 HEAD");
  for (int i = 1; i < 9; ++i) {
    git("tag -a t" + std::to_string(i) + " t" + std::to_string(i - 1) + " -m t");
  }
  EXPECT_EQ(code_at("tree"), Code::not_found);
  EXPECT_EQ(at("t5"), "one");
  EXPECT_EQ(code_at("t8"), Code::not_found);
}

TEST_F(GitFileTest, FindsTheRepositoryOfAPath) {
  EXPECT_EQ(Git::top_of(tree.root(), "a/b.txt").error().code, Code::not_found);
  git("init -b main");
  tree.make_directory("inner/deep");
  git("init -b main", "inner");
  git("init --bare -b main bare.git");
  const auto top = [&](const std::string& path) { return *Git::top_of(tree.root(), path); };
  EXPECT_EQ(top("a.txt"), "");
  EXPECT_EQ(top(""), "");
  EXPECT_EQ(top("gone/for/ever.txt"), "");
  EXPECT_EQ(top("inner/deep/a.txt"), "inner");
  EXPECT_EQ(top("inner"), "");
  EXPECT_EQ(top("bare.git/HEAD"), "");
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a/";
  EXPECT_EQ(Git::top_of(tree.root(), deep + "b").error().code, Code::not_found);
}

TEST_F(GitFileTest, NamesTheDirectoryThatWorkTreesShare) {
  tree.make_directory("first");
  git("init -b main", "first");
  tree.write("first/a.txt", "1");
  git("add -A", "first");
  git("commit -m one", "first");
  git("worktree add ../second -b feature", "first");
  const auto common = (tree / "first/.git").string();
  EXPECT_EQ(*Git::common_directory(tree.root(), "first"), common);
  EXPECT_EQ(*Git::common_directory(tree.root(), "second"), common);
  EXPECT_EQ(Git::common_directory(tree.root(), "").error().code, Code::not_found);
  EXPECT_EQ(at("feature", "a.txt", "second"), "1");
  EXPECT_EQ(at("HEAD", "a.txt", "second"), "1");
}

TEST(GitDate, IsReadStrictly) {
  const auto seconds = [](std::string_view text) -> long {
    const auto date = parse_git_date(text);
    return date ? static_cast<long>(date->time_since_epoch().count()) : -1;
  };
  EXPECT_EQ(seconds("1970-01-01"), 86399);
  EXPECT_EQ(seconds("1970-01-01T00:00"), 0);
  EXPECT_EQ(seconds("1970-01-01T01:02:03Z"), 3723);
  EXPECT_EQ(seconds("1970-01-01T01:00+01:00"), 0);
  EXPECT_EQ(seconds("1970-01-01T01:00:00-01:30"), 9000);
  for (const char* none :
       {"", "1970", "1970-1-1", "1970-02-30", "1970-13-01", "1970-01-01 00:00", "1970-01-01T24:00",
        "1970-01-01T00:60", "1970-01-01T00:00:60", "1970-01-01T00:00+1", "1970-01-01T00:00ZZ",
        "-197-01-01", "1970-01-01T", "+970-01-01", "yesterday"}) {
    EXPECT_EQ(parse_git_date(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace lode
