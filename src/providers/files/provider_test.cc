#include "providers/files/provider.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/test_gate.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() {
    std::string pattern = (fs::temp_directory_path() / "lode-files-XXXXXX").string();
    base = fs::canonical(::mkdtemp(pattern.data()));
    fs::create_directories(base / "src");
    fs::create_directories(base / ".git");
    std::ofstream(base / "README.md") << "# Hello\n";
    std::ofstream(base / "src/a b#?@.txt") << "odd";
    std::ofstream(base / "blob.bin") << std::string("\0\xff", 2);
    std::ofstream(base / ".git/config") << "secret";
    std::ofstream(base / ".env") << "secret";
    workspace = std::move(*Workspace::open({base.string()}, {}));
    files.emplace(*workspace, FilesLimits{1000, 2});
  }
  ~FilesTest() override { fs::remove_all(base); }

  Exchange exchange() { return {who, {}, {}, progress, client, answers, &gate}; }

  // The content at an address; its text, or the error's message.
  std::string read(const std::string& uri_text, Content* content = nullptr) {
    auto uri = Uri::parse(uri_text);
    if (!uri) return uri.error().message;
    auto outcome = read_at(*files, exchange(), *uri);
    if (!outcome) return outcome.error().message;
    auto& item = std::get<Contents>(*outcome).items.at(0);
    if (content != nullptr) *content = item;
    return item.bytes;
  }
  std::string at(const std::string& path) const { return "file://" + base.string() + "/" + path; }

  fs::path base;
  Principal who = Principal::local();
  NoProgress progress;
  ClientAbilities client;
  Answers answers;
  const OpenGate gate;
  std::unique_ptr<Workspace> workspace;
  std::optional<FilesProvider> files;
};

TEST_F(FilesTest, ReadsTextAndBytes) {
  Content content;
  EXPECT_EQ(read(at("README.md"), &content), "# Hello\n");
  EXPECT_EQ(content.form, Content::Form::text);
  EXPECT_EQ(content.uri, at("README.md"));
  EXPECT_EQ(content.mime, "text/markdown");
  EXPECT_EQ(content.version.size(), 32U);
  EXPECT_TRUE(content.modified);
  read(at("blob.bin"), &content);
  EXPECT_EQ(content.form, Content::Form::binary);
}

TEST_F(FilesTest, EmitsAddressesThatReadBack) {
  const std::string listing = read(at("src"));
  EXPECT_EQ(listing, at("src/a%20b%23%3F%40.txt") + "\n");
  EXPECT_EQ(read(listing.substr(0, listing.size() - 1)), "odd");
}

// Not every name is text, and not every path fits into an address.
TEST_F(FilesTest, PagesGoOnBehindNamesThatHaveNoAddress) {
  std::string first = "a\xff";
  fs::create_directories(base / first);
  fs::create_directories(base / "b");
  auto page = files->list(exchange(), {"", 1});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  page = files->list(exchange(), {page->next, 1});
  while (page && page->items.size() == 1 && page->items[0].name != "b" && !page->next.empty()) {
    page = files->list(exchange(), {page->next, 1});
  }
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  EXPECT_EQ(page->items[0].name, "b");
}

TEST_F(FilesTest, ShowsHiddenAbsentAndOutsideAlike) {
  for (const auto& uri : {at(".env"), at(".git/config"), at("missing"), at("%2egit/config"),
                          at("..%2f..%2fetc%2fpasswd"), std::string("file:///etc/passwd"),
                          "file://" + base.string() + "x/README.md"}) {
    const auto message = read(uri);
    EXPECT_TRUE(message == "no such resource" || message.find("..") != std::string::npos) << uri;
  }
}

TEST_F(FilesTest, GivesLargeDirectoriesPieceByPiece) {
  for (const char* name : {"a", "b", "c d"}) std::ofstream(base / "src" / name) << "x";
  EXPECT_EQ(read(at("src")), at("src/a") + "\n" + at("src/a%20b%23%3F%40.txt") +
                                 "\n# more: " + at("src") + "?after=a%20b%23%3F%40.txt\n");
  EXPECT_EQ(read(at("src?after=a%20b%23%3F%40.txt")), at("src/b") + "\n" + at("src/c%20d") + "\n");
}

TEST_F(FilesTest, PiecesOfADirectoryEndWithWhatIsShown) {
  for (const char* name : {"b", "c", "d", "e"}) std::ofstream(base / "src" / name) << "x";
  const TestGate some([&](Action action, const Uri& uri) {
    return action != Action::list || (uri.text() != at("src/b") && uri.text() != at("src/e"));
  });
  const auto read_some = [&](const std::string& uri) {
    Exchange asked{who, {}, {}, progress, client, answers, &some};
    auto outcome = read_at(*files, asked, *Uri::parse(uri));
    return outcome ? std::get<Contents>(*outcome).items.at(0).bytes : outcome.error().message;
  };
  EXPECT_EQ(read_some(at("src")), at("src/a%20b%23%3F%40.txt") + "\n" + at("src/c") +
                                      "\n# more: " + at("src") + "?after=c\n");
  EXPECT_EQ(read_some(at("src?after=c")), at("src/d") + "\n");
  EXPECT_EQ(read_some(at("src?after=a%20b%23%3F%40.txt")), at("src/c") + "\n" + at("src/d") + "\n");
}

TEST_F(FilesTest, HasOneSpellingForAPath) {
  const auto canonical = [&](const std::string& uri) {
    return std::string(files->canonical(*Uri::parse(uri)).text());
  };
  for (const auto& spelling : {at("src/"), at("./src"), at("%73rc"), at("src?x=y"), at("/src")}) {
    EXPECT_EQ(canonical(spelling), at("src")) << spelling;
  }
  EXPECT_EQ(canonical(at("a%2Cb")), canonical(at("a,b")));
  EXPECT_EQ(canonical(at("a@b")), at("a%40b"));
  EXPECT_EQ(canonical(at("a//b/")), at("a/b"));
  EXPECT_EQ(canonical("file:///"), "file:///");
}

TEST_F(FilesTest, StampsDifferWhenTheFileDoes) {
  auto outcome = read_at(*files, exchange(), *Uri::parse(at("README.md")));
  ASSERT_TRUE(outcome);
  const auto& contents = std::get<Contents>(*outcome);
  EXPECT_NE(contents.stamp, 0U);
  EXPECT_EQ(contents.stamp_now(), contents.stamp);
  std::ofstream(base / "README.md") << "# Other\n";
  EXPECT_NE(contents.stamp_now(), contents.stamp);
  fs::remove(base / "README.md");
  EXPECT_EQ(contents.stamp_now(), 0U);
}

TEST_F(FilesTest, ListsReadmeAndTopDirectoriesInPages) {
  auto first = files->list(exchange(), {"", 1});
  ASSERT_TRUE(first);
  ASSERT_EQ(first->items.size(), 1U);
  EXPECT_EQ(first->items[0].name, "README.md");
  EXPECT_EQ(first->items[0].size, 8);
  auto second = files->list(exchange(), {first->next, 2});
  ASSERT_EQ(second->items.size(), 1U);
  EXPECT_EQ(second->items[0].name, "src");
  EXPECT_EQ(second->items[0].mime, "inode/directory");
  EXPECT_EQ(second->next, "");
}

TEST_F(FilesTest, SaysHowItsListGrowsOldWhileChangesAreNoticed) {
  const auto page = [&](const FilesProvider::Revision& revision) {
    FilesProvider watched(*workspace, {}, revision);
    return *watched.list(exchange(), {"", 100});
  };
  EXPECT_FALSE(files->list(exchange(), {"", 100})->fresh_while);
  EXPECT_FALSE(page([] { return 0; }).fresh_while);
  std::uint64_t revision = 1;
  const auto count = [&] { return revision; };
  std::optional<Freshness> fresh;
  // A directory that has just changed may change again without another stamp.
  while (!fresh) fresh = page(count).fresh_while;
  const auto is_fresh = [&] {
    return std::ranges::all_of(fresh->stamps,
                               [](const auto& stamp) { return stamp.now() == stamp.taken; });
  };
  EXPECT_TRUE(is_fresh());
  ++revision;
  EXPECT_FALSE(is_fresh());
  --revision;
  fs::create_directory(base / "new");
  EXPECT_FALSE(is_fresh());
}

TEST_F(FilesTest, ListsLinksByWhereTheyLead) {
  fs::create_directory_symlink("src", base / "inside");
  fs::create_symlink("README.md", base / "readme.link");
  fs::create_directory_symlink("/", base / "outside");
  fs::create_directory_symlink(".git", base / "hidden");
  fs::create_symlink(".env", base / "readme.env");
  fs::create_symlink("nowhere", base / "readme.gone");
  EXPECT_EQ(::mkfifo((base / "readme.pipe").c_str(), 0600), 0);
  std::vector<std::string> names;
  const auto page = files->list(exchange(), {"", 100});
  ASSERT_TRUE(page);
  for (const auto& entry : page->items) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"README.md", "inside", "readme.link", "src"}));
}

TEST_F(FilesTest, CompletesPathsLevelByLevel) {
  const auto complete = [&](const std::string& value) {
    return files
        ->complete(exchange(),
                   {CompletionQuery::Of::resource, "file:///{+path}", "path", value, {}})
        ->values;
  };
  const std::string top = base.string().substr(1);
  EXPECT_EQ(complete(""), std::vector<std::string>{top + "/"});
  EXPECT_EQ(complete(top + "/R"), std::vector<std::string>{top + "/README.md"});
  EXPECT_EQ(complete(top + "/.g"), std::vector<std::string>{});
  EXPECT_EQ(complete(top + "/src/").size(), 1U);
  EXPECT_EQ(complete("etc/"), std::vector<std::string>{});
}

}  // namespace
}  // namespace lode
