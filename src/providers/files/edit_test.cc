#include "providers/files/edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "providers/files/tools_fixture.h"

namespace lode {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Permissions hold for the superuser too, as long as this lives.
class AsNobody {
 public:
  AsNobody() : root_(::geteuid() == 0) { EXPECT_TRUE(!root_ || ::seteuid(65534) == 0); }
  ~AsNobody() { EXPECT_TRUE(!root_ || ::seteuid(0) == 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  const bool root_;
};

class EditTest : public FileToolsFixture {
 protected:
  mode_t mode(const std::string& path) const {
    struct stat info {};
    EXPECT_EQ(::lstat((tree / path).c_str(), &info), 0);
    return info.st_mode & 07777U;
  }
  Code refusal(const std::string& json) {
    auto answer = call("file_ops", json);
    EXPECT_FALSE(answer) << *answer;
    return answer ? Code::internal : answer.error().code;
  }
};

TEST_F(EditTest, WritesAndShowsTheDiff) {
  tree.write("src/a.cc", "int n;\n");
  EXPECT_EQ(edit(replace("src/a.cc", "int n;", "int n = 0;")),
            "written\n--- a/src/a.cc\n+++ b/src/a.cc\n@@ -1,1 +1,1 @@\n-int n;\n+int n = 0;\n");
  EXPECT_EQ(content("src/a.cc"), "int n = 0;\n");
  EXPECT_EQ(names("src"), std::vector<std::string>{"a.cc"});
  EXPECT_EQ(wrote, std::vector<std::string>{(tree / "src/a.cc").string()});
}

// Whoever shows everything still lets nobody write what git or Lode obeys.
class EditReservedTest : public EditTest {
 protected:
  EditReservedTest() {
    secrets = SecretRules({"*"}, {});
    open({});
    tree.write(".git/config", "[core]\n\thooksPath = hooks\n");
    tree.write(".git/hooks/pre-commit", "old\n");
    tree.write(".lode/policy.toml", "old\n");
    tree.write("hooks/pre-push", "old\n");
    tree.write("src/a", "old\n");
    fs::create_symlink("../.git", tree / "src/link");
    fs::create_symlink(".git/hooks/pre-commit", tree / "hook");
  }
};

TEST_F(EditReservedTest, IsRefusedByEverySpelling) {
  for (const std::string path :
       {".git/config", "src/../.git/config", "./.git//config", "src/link/config", "hook",
        "src/link/hooks/pre-commit", ".lode/policy.toml", "hooks/pre-push"}) {
    for (const char* more : {"", R"("dry_run":true)", R"("backup":true)"}) {
      EXPECT_EQ(refusal(replace(path, path.ends_with("config") ? "core" : "old", "new", more)),
                Code::denied)
          << path;
    }
  }
  EXPECT_EQ(refusal(replace("file://" + (tree / ".git/config").string(), "core", "x")),
            Code::denied);
  EXPECT_EQ(content(".git/config"), "[core]\n\thooksPath = hooks\n");
  EXPECT_EQ(content(".git/hooks/pre-commit"), "old\n");
  EXPECT_TRUE(wrote.empty());
  EXPECT_TRUE(edit(replace("src/a", "old", "new")).starts_with("written"));
}

TEST_F(EditTest, ADryRunWritesNothing) {
  tree.write("a", "one\ntwo\n");
  const auto answer = edit(replace("a", "two", "2", R"("dry_run":true,"backup":true)"));
  EXPECT_EQ(answer,
            "dry run, nothing was written\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
  EXPECT_EQ(content("a"), "one\ntwo\n");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
  EXPECT_TRUE(wrote.empty());
}

TEST_F(EditTest, ModesAndOtherBytesAreKept) {
  tree.write("a",
             "\xef\xbb\xbf"
             "x\r\n\xff y");
  fs::permissions(tree / "a", fs::perms(0751));
  edit(replace("a", "x", "z", R"("backup":true)"));
  EXPECT_EQ(content("a"),
            "\xef\xbb\xbf"
            "z\r\n\xff y");
  EXPECT_EQ(mode("a"), 0751U);
  EXPECT_EQ(mode("a.bak"), 0751U);
}

TEST_F(EditTest, BackupsNeverReplaceAnything) {
  tree.write("a", "1");
  tree.write("a.bak", "mine");
  fs::create_symlink("nowhere", tree / "a.bak2");
  EXPECT_EQ(
      edit(replace("a", "1", "2", R"("backup":true)")).find("written, the old text is in a.bak3\n"),
      0U);
  EXPECT_EQ(content("a.bak"), "mine");
  EXPECT_EQ(content("a.bak3"), "1");
  EXPECT_EQ(content("a"), "2");
  EXPECT_EQ(wrote.size(), 2U);
}

TEST_F(EditTest, WhatOthersWroteMeanwhileStays) {
  tree.write("a", "1");
  on_write = [&](const std::string&) { tree.write("a", "theirs"); };
  const auto answer = call("file_ops", replace("a", "1", "2", R"("backup":true)"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::conflict);
  EXPECT_EQ(answer.error().message, "a was changed while it was being edited; nothing was written");
  EXPECT_EQ(content("a"), "theirs");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(EditTest, AFileThatWasTakenAwayMeanwhileStaysAway) {
  tree.write("a", "1");
  on_write = [&](const std::string&) { tree.remove("a"); };
  EXPECT_EQ(refusal(replace("a", "1", "2", R"("backup":true)")), Code::conflict);
  EXPECT_TRUE(names().empty());
}

TEST_F(EditTest, EditsOfOneFileAtOnceAllCount) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += fmt::format("[{}]\n", i);
  tree.write("a", text);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([this, i] {
        const FileEditor editor(*workspace, [](const std::string&) {}, {});
        const auto asked = exchange();
        FileEdit one;
        one.path = "a";
        one.old = fmt::format("[{}]", i);
        one.fresh = fmt::format("<{}>", i);
        EXPECT_TRUE(editor.replace(asked, FileGate(asked), one));
      });
    }
  }
  EXPECT_EQ(content("a"), "<0>\n<1>\n<2>\n<3>\n<4>\n<5>\n<6>\n<7>\n");
}

TEST_F(EditTest, WaitsForOthersNotForEver) {
  tree.write("a", "1");
  FileToolLimits limits;
  limits.patience = 20ms;
  open({}, limits);
  const Descriptor other(::open(tree.root().path().c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  EXPECT_EQ(refusal(replace("a", "1", "2")), Code::unavailable);
  stop.request_stop();
  EXPECT_EQ(refusal(replace("a", "1", "2")), Code::cancelled);
  EXPECT_EQ(content("a"), "1");
}

TEST_F(EditTest, AFileBehindALinkIsEditedWhereItIs) {
  tree.write("real/a", "1");
  fs::create_symlink("real/a", tree / "link");
  fs::create_directory_symlink("real", tree / "dir");
  EXPECT_EQ(edit(replace("link", "1", "2")).find("written\n--- a/real/a\n"), 0U);
  EXPECT_TRUE(fs::is_symlink(tree / "link"));
  EXPECT_EQ(content("real/a"), "2");
  edit(replace("dir/a", "2", "3"));
  EXPECT_EQ(content("real/a"), "3");
  EXPECT_EQ(wrote.back(), (tree / "real/a").string());
  fixed = {"/real/a"};
  EXPECT_EQ(edit(replace("link", "3", "4")), "not permitted: write link");
  hidden = {"/real/a"};
  EXPECT_EQ(edit(replace("link", "3", "4")), "no such file: link");
}

TEST_F(EditTest, HiddenAbsentAndOutsideLookAlike) {
  tree.write("hidden.txt", "1");
  tree.write(".env", "1");
  tree.write(".git/config", "1");
  fs::create_symlink("/etc/hostname", tree / "outside");
  fs::create_symlink(".env", tree / "secret");
  hidden = {"/hidden.txt"};
  for (const auto& path : {"hidden.txt", "missing", ".env", ".git/config", "outside", "secret",
                           "../x", "/etc/hostname", "file:///etc/hostname", "http://x/a"}) {
    EXPECT_EQ(edit(replace(path, "1", "2")), fmt::format("no such file: {}", path));
  }
  EXPECT_EQ(content("hidden.txt"), "1");
  EXPECT_EQ(content(".env"), "1");
}

TEST_F(EditTest, WhatMayBeReadOnlyIsNotWritten) {
  tree.write("src/a", "1");
  fixed = {"/src/a"};
  EXPECT_EQ(refusal(replace("src/a", "1", "2")), Code::denied);
  EXPECT_EQ(edit(replace("src/a", "1", "2", R"("dry_run":true)")), "not permitted: write src/a");
  fixed = {"/src/a.bak"};
  EXPECT_EQ(edit(replace("src/a", "1", "2", R"("backup":true)")), "not permitted: write src/a.bak");
  EXPECT_EQ(content("src/a"), "1");
  EXPECT_EQ(names("src"), std::vector<std::string>{"a"});
}

TEST_F(EditTest, ReadOnlyFilesAndDirectoriesStay) {
  tree.write("a", "1");
  fs::permissions(tree / "a", fs::perms(0444));
  EXPECT_EQ(refusal(replace("a", "1", "2")), Code::denied);
  EXPECT_EQ(edit(replace("a", "1", "2")), "a is read-only");
  tree.write("closed/a", "1");
  fs::permissions(tree / "", fs::perms(0755));
  fs::permissions(tree / "closed", fs::perms(0555));
  fs::permissions(tree / "closed/a", fs::perms(0666));
  {
    const AsNobody nobody;
    EXPECT_EQ(refusal(replace("closed/a", "1", "2")), Code::denied);
    EXPECT_EQ(refusal(replace("closed/a", "1", "2", R"("backup":true)")), Code::denied);
  }
  EXPECT_EQ(content("closed/a"), "1");
  EXPECT_EQ(names("closed"), std::vector<std::string>{"a"});
  fs::permissions(tree / "closed", fs::perms(0755));
}

// No file may grow beyond a byte: the backup fits, the new text does not.
TEST_F(EditTest, AWriteThatFailsLeavesEverythingAsItWas) {
  tree.write("a", "1");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{1, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto answer = edit(replace("a", "1", "22", R"("backup":true)"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(answer, "writing a: writing: File too large");
  EXPECT_EQ(content("a"), "1");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(EditTest, RefusesWhatIsNoText) {
  tree.write("blob", std::string("a\0b", 3));
  tree.make_directory("dir");
  EXPECT_EQ(edit(replace("blob", "a", "x")), "blob is binary");
  EXPECT_EQ(edit(replace("dir", "a", "x")), "dir is a directory");
  EXPECT_EQ(edit(replace(".", "a", "x")), ". is a directory");
  FileToolLimits limits;
  limits.file_bytes = 10;
  open({}, limits);
  tree.write("large", std::string(11, 'x'));
  EXPECT_EQ(edit(replace("large", "a", "x")), "large: the file is over 10 bytes");
}

TEST_F(EditTest, ProblemsOfTheTextNameTheFile) {
  tree.write("src/a", "x\nx\n");
  EXPECT_EQ(edit(replace("src/a", "x", "y")),
            "src/a: \"old\" is there 2 times, in lines 1, 2: add lines around it until it is there "
            "once");
  EXPECT_EQ(edit(replace("src/a", "", "y")), "src/a: \"old\" is empty");
  EXPECT_EQ(edit(replace("", "x", "y")).find("file_ops needs \"path\". Example: {"), 0U);
  EXPECT_EQ(edit(replace("src/a", "x", "y", R"("dryrun":true)"))
                .find("file_ops has no argument \"dryrun\" (did you mean \"dry_run\"?)"),
            0U);
}

TEST_F(EditTest, LargeFilesAreEdited) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += "some text\n";
  tree.write("large", text + "the end\n" + text);
  EXPECT_EQ(edit(replace("large", "the  end", "the\tlast", R"("whitespace":"flexible")"))
                .find("written\n--- a/large\n+++ b/large\n@@ -499998,7 +499998,7 @@\n"),
            0U);
  EXPECT_TRUE(content("large") == text + "the\tlast\n" + text);
}

TEST_F(EditTest, PathsOfSeveralRoots) {
  tree.write("one/a", "1");
  tree.write("two/a", "1");
  open({"one", "two"});
  edit(replace("two/a", "1", "2"));
  EXPECT_EQ(content("one/a"), "1");
  EXPECT_EQ(content("two/a"), "2");
  edit(replace((tree / "one/a").string(), "1", "3"));
  EXPECT_EQ(content("one/a"), "3");
  EXPECT_EQ(
      edit(replace(file_uri((tree / "one/a").string()), "3", "4")).find("written\n--- a/one/a\n"),
      0U);
  EXPECT_EQ(edit(replace("a", "1", "2")), "no such file: a");
}

}  // namespace
}  // namespace lode
