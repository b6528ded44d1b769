#include "providers/files/find.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/tokens.h"
#include "base/utf8.h"
#include "providers/files/tools_fixture.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class FindTest : public FileToolsFixture {
 protected:
  FindTest() {
    tree.write("README.md", "# Hello\n");
    tree.write("src/a.cc", "int main() {\n  return 0;\n}\n");
    tree.write("src/a.h", "int main();\n");
    tree.write("src/a/z.cc", "// nothing\n");
    tree.write("src/deep/down/b.cc", "int other;\nint main;\n");
    tree.write(".gitignore", "out/\n*.log\n");
    tree.write("out/made.cc", "int main;\n");
    tree.write("x.log", "int main;\n");
    tree.write(".env", "int main;\n");
    tree.write(".git/config", "int main;\n");
  }
};

TEST_F(FindTest, NamesByGlobInTheOrderOfPaths) {
  EXPECT_EQ(find(R"({"pattern":"*.cc"})"), "src/a.cc\nsrc/a/z.cc\nsrc/deep/down/b.cc\n\n3 files\n");
  EXPECT_EQ(find(R"({"pattern":"src/*"})"), "src/a.cc\nsrc/a.h\n\n2 files\n");
  EXPECT_EQ(find(R"({"pattern":"{README,a}.*"})"), "README.md\nsrc/a.cc\nsrc/a.h\n\n3 files\n");
  EXPECT_EQ(find(R"({"pattern":"*.cc","exclude":"deep, a"})"), "src/a.cc\n\n1 file\n");
  EXPECT_EQ(find(R"({"pattern":"*.rs"})"), "0 files\n");
  EXPECT_EQ(find(R"({"path":"src/deep"})"), "src/deep/down/b.cc\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":"src","pattern":"deep/**"})"), "src/deep/down/b.cc\n\n1 file\n");
}

TEST_F(FindTest, LinesByContent) {
  EXPECT_EQ(find(R"({"content":"int main"})"),
            "src/a.cc\n1: int main() {\n\nsrc/a.h\n1: int main();\n\nsrc/deep/down/b.cc\n"
            "2: int main;\n\n3 matches in 3 files of 6 searched\n");
  EXPECT_EQ(find(R"({"content":"^int (main|other);","regex":true,"pattern":"*.cc","context":1})"),
            "src/deep/down/b.cc\n1: int other;\n2: int main;\n\n"
            "2 matches in 1 file of 3 searched\n");
  EXPECT_EQ(find(R"({"content":"HELLO","ignore_case":true})"),
            "README.md\n1: # Hello\n\n1 match in 1 file of 6 searched\n");
  EXPECT_EQ(find(R"({"content":"nowhere"})"), "0 matches in 0 files of 6 searched\n");
  EXPECT_EQ(find(R"({"content":"return","path":"src/a.cc","context":1})"),
            "src/a.cc\n1- int main() {\n2:   return 0;\n3- }\n\n"
            "1 match in 1 file of 1 searched\n");
}

TEST_F(FindTest, PathsHaveSeveralSpellings) {
  const auto answer = find(R"({"path":"src/deep"})");
  const auto root = tree.root().path();
  for (const auto& path : {"./src/deep/", "src//deep", "src/./a/../deep"}) {
    EXPECT_EQ(find(fmt::format(R"({{"path":"{}"}})", path)), answer) << path;
  }
  EXPECT_EQ(find(fmt::format(R"({{"path":"{}/src/deep"}})", root)), answer);
  EXPECT_EQ(find(fmt::format(R"({{"path":"file://{}/src/deep"}})", root)), answer);
  const auto all = find(R"({"pattern":"*"})");
  for (const auto& path : {".", "./", "", root.c_str()}) {
    EXPECT_EQ(find(fmt::format(R"({{"path":"{}","pattern":"*"}})", path)), all) << path;
  }
}

TEST_F(FindTest, IgnoredFilesOnRequestSecretsNever) {
  const auto all = find(R"({"content":"int main","ignored":true})");
  EXPECT_NE(all.find("out/made.cc\n"), std::string::npos);
  EXPECT_NE(all.find("x.log\n"), std::string::npos);
  EXPECT_NE(all.find("5 matches in 5 files of 8 searched"), std::string::npos) << all;
  EXPECT_EQ(find(R"({"path":"out"})"), "out/made.cc\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":"x.log"})"), "x.log\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":".git"})"), "no such file or directory: .git");
  EXPECT_EQ(find(R"({"path":".env"})"), "no such file or directory: .env");
}

TEST_F(FindTest, IgnoreRulesAreThoseOfNow) {
  EXPECT_EQ(find(R"({"pattern":"*.log"})"), "0 files\n");
  tree.write(".gitignore", "out/\n");
  EXPECT_EQ(find(R"({"pattern":"*.log"})"), "x.log\n\n1 file\n");
}

TEST_F(FindTest, HiddenAbsentAndOutsideLookAlike) {
  hidden = {"/src/a.h", "/src/deep", "/src/deep/down/b.cc"};
  EXPECT_EQ(find(R"({"pattern":"*.{h,cc}"})"), "src/a.cc\nsrc/a/z.cc\n\n2 files\n");
  EXPECT_EQ(find(R"({"content":"int"})"),
            "src/a.cc\n1: int main() {\n\n1 match in 1 file of 4 searched\n");
  for (const auto& path : {"src/a.h", "src/deep", "missing", "../x", "/etc", "src/a.cc/x"}) {
    EXPECT_EQ(find(fmt::format(R"({{"path":"{}"}})", path)),
              fmt::format("no such file or directory: {}", path));
  }
}

TEST_F(FindTest, LinksAreNotFollowedUnlessNamed) {
  fs::create_directory_symlink("src", tree / "link");
  fs::create_directory_symlink("/etc", tree / "outside");
  fs::create_symlink("../.env", tree / "src/env");
  EXPECT_EQ(find(R"({"pattern":"*.h"})"), "src/a.h\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":"link","pattern":"*.h"})"), "src/a.h\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":"outside"})"), "no such file or directory: outside");
  EXPECT_EQ(find(R"({"path":"src/env"})"), "no such file or directory: src/env");
  hidden = {"/src"};
  EXPECT_EQ(find(R"({"path":"link"})"), "no such file or directory: link");
}

TEST_F(FindTest, LimitsEndItAndSaySo) {
  EXPECT_EQ(find(R"({"pattern":"*.cc","limit":2})"),
            "src/a.cc\nsrc/a/z.cc\n\n2 files; there are more: narrow the search, or raise limit "
            "(at most 1000)\n");
  EXPECT_EQ(find(R"({"pattern":"*.cc","limit":3})").find("more"), std::string::npos);
  EXPECT_EQ(find(R"({"content":"int","pattern":"b.cc","limit":1})"),
            "src/deep/down/b.cc\n1: int other;\n\n1 match in 1 file of 1 searched; there are "
            "more: narrow the search, or raise limit (at most 1000)\n");
  EXPECT_EQ(find(R"({"content":"int","pattern":"b.cc","limit":2})").find("more"),
            std::string::npos);
  FileToolLimits limits;
  limits.answer_bytes = 40;
  open({}, limits);
  const auto answer = find(R"({"content":"int"})");
  EXPECT_NE(answer.find("there are more than fit in an answer"), std::string::npos) << answer;
}

TEST_F(FindTest, TheDeadlineEndsItInTime) {
  deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(find(R"({"content":"int"})"),
            "0 matches in 0 files of 0 searched; time ran out and there may be more: narrow the "
            "search\n");
  deadline = std::chrono::steady_clock::time_point::max();
  stop.request_stop();
  EXPECT_EQ(call("find_files", R"({"content":"int"})").error().code, Code::cancelled);
}

TEST_F(FindTest, BinaryAndLargeFilesAreLeftOutAndCounted) {
  tree.write("blob", std::string("int\0", 4));
  tree.write("blob.large", std::string(10'000, '\0') + "int ");
  tree.write("blob.late", std::string(10'000, 'x') + std::string("int \0", 5));
  tree.write("latin", "int \xe4\xf6\xfc\r\n");
  FileToolLimits limits;
  limits.file_bytes = std::size_t{1} << 20;
  open({}, limits);
  tree.write("large", std::string((std::size_t{1} << 20) + 1, 'x'));
  const auto answer = find(R"({"content":"int ","exclude":"src"})");
  EXPECT_EQ(answer,
            "latin\n1: int \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n\n1 match in 1 file of 3 "
            "searched, 3 binary left out, 1 over 1 MiB left out\n");
  EXPECT_TRUE(valid_utf8(answer));
}

TEST_F(FindTest, NamesThatAreNoUtf8AreForNobody) {
  tree.write("odd-\xff.txt", "int main\n");
  tree.write("odd ä @.txt", "int main\n");
  EXPECT_EQ(find(R"({"pattern":"odd*"})"), "odd ä @.txt\n\n1 file\n");
}

TEST_F(FindTest, SeveralRootsAreNamed) {
  tree.write("one/a.txt", "x\n");
  tree.write("two/a.txt", "x\n");
  open({"two", "one"});
  EXPECT_EQ(find(R"({"pattern":"a.txt"})"), "one/a.txt\ntwo/a.txt\n\n2 files\n");
  EXPECT_EQ(find(R"({"pattern":"two/*"})"), "two/a.txt\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":"two","pattern":"/a.txt"})"), "two/a.txt\n\n1 file\n");
  EXPECT_EQ(find(R"({"path":".","content":"x"})"),
            "one/a.txt\n1: x\n\ntwo/a.txt\n1: x\n\n2 matches in 2 files of 2 searched\n");
  EXPECT_EQ(find(R"({"path":"src"})"), "no such file or directory: src");
}

TEST_F(FindTest, BadArgumentsAreTaught) {
  EXPECT_EQ(find("{}").find("find_files needs \"pattern\", \"content\" or \"path\". Example: {"),
            0U);
  EXPECT_EQ(find(R"({"contents":"x"})")
                .find("find_files has no argument \"contents\" (did you mean \"content\"?)"),
            0U);
  EXPECT_EQ(find(R"({"content":"(","regex":true})"),
            "\"content\" is no regular expression: missing ): (");
  EXPECT_EQ(find(R"({"pattern":"[a"})").find("\"pattern\": "), 0U);
  EXPECT_EQ(find(R"({"pattern":"*","limit":0})"),
            "\"limit\" must be a whole number from 1 to 1000");
  EXPECT_EQ(find(R"({"pattern":"*","limit":1001})"),
            "\"limit\" must be a whole number from 1 to 1000");
  EXPECT_EQ(find(R"({"pattern":"*","context":11})"),
            "\"context\" must be a whole number from 0 to 10");
}

TEST_F(FindTest, TellsHowFarItIs) {
  struct Told final : Progress {
    std::vector<double> done;
    void report(double now, std::optional<double>, std::string_view) override {
      done.push_back(now);
    }
    void log(Severity, std::string_view, const Json&) override {}
    void release() override {}
  } told;
  for (int i = 0; i < 600; ++i) tree.write(fmt::format("many/{}.txt", i), "x\n");
  const Exchange listening{who, deadline, stop.get_token(), told, client, answers, &gate};
  ASSERT_TRUE(tools->call(listening, "find_files",
                          parse_json(R"({"content":"int","path":"many"})").value()));
  EXPECT_EQ(told.done, (std::vector<double>{256, 512}));
}

// The budget of tools/list.
TEST_F(FindTest, ToolsAreCheapToName) {
  for (const auto& tool : tools->manifest()->tools) {
    const JsonObject json{{"name", tool.name},
                          {"description", tool.description},
                          {"inputSchema", tool.input_schema},
                          {"annotations", JsonObject{{"readOnlyHint", tool.hints->read_only},
                                                     {"destructiveHint", tool.hints->destructive},
                                                     {"idempotentHint", tool.hints->idempotent},
                                                     {"openWorldHint", tool.hints->open_world}}}};
    EXPECT_LE(Tokenizer::o200k().count(to_text(json)), 200U) << tool.name;
  }
}

}  // namespace
}  // namespace lode
