#include "providers/capability/skills.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "workspace/test_tree.h"

namespace lode {
namespace {

const std::string kPdf = "---\nname: pdf\ndescription: Reads PDFs\n---\nUse scripts/run.sh.\n";

std::string sheet(const std::string& name) {
  return "---\nname: " + name + "\ndescription: About " + name + "\n---\nBody\n";
}

// Elements of a workspace and of a user, read.
class Skills : public testing::Test {
 protected:
  void load(SkillLimits limits = {}) {
    collection_.emplace(Collection::Folders{(work_ / "").string(), (home_ / "").string()}, index_,
                        log_, [](const auto&) {});
    collection_->start();
    collection_->wait_loaded();
    shelf_.emplace(*collection_, limits);
  }
  void write_pdf() {
    work_.write("skill/pdf/SKILL.md", kPdf);
    work_.write("skill/pdf/scripts/run.sh", "#!/bin/sh\necho hello\n");
    work_.write("skill/pdf/scripts/deep/more.txt", "more");
    work_.write("skill/pdf/logo.bin", std::string("\0\1\2\xff", 4));
  }

  static Uri uri(const std::string& text) {
    auto parsed = Uri::parse(text);
    EXPECT_TRUE(parsed) << text;
    return *parsed;
  }
  std::vector<std::string> names() {
    std::vector<std::string> out;
    const auto page = shelf_->list({});
    EXPECT_TRUE(page);
    for (const auto& skill : page->items) {
      out.emplace_back(skill.frontmatter.at("name").as_string());
      EXPECT_EQ(skill.uri, "skill://" + out.back() + "/SKILL.md");
    }
    return out;
  }
  Result<Content> read(const std::string& address) {
    auto contents = shelf_->read(uri(address));
    if (!contents) return std::move(contents).error();
    EXPECT_EQ(contents->items.size(), 1U);
    EXPECT_EQ(contents->stamp, shelf_->stamp(uri(address)));
    return std::move(contents->items[0]);
  }
  std::string text(const std::string& address) {
    auto content = read(address);
    return content ? content->bytes : content.error().message;
  }
  static std::vector<std::string> paths(const Skill& skill) {
    std::vector<std::string> out;
    for (const auto& file : skill.files) out.push_back(file.uri);
    return out;
  }
  Code code_of(const std::string& address) {
    auto content = read(address);
    return content ? Code::internal : content.error().code;
  }

  TestTree work_;
  TestTree home_;
  Index index_;
  Log log_{2, Log::Form::text, LogLevel::error};
  std::optional<Collection> collection_;
  std::optional<SkillShelf> shelf_;
};

using Names = std::vector<std::string>;

TEST_F(Skills, AFolderIsListedWithAllItsFiles) {
  write_pdf();
  load();
  auto page = shelf_->list({});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  const Skill& skill = page->items[0];
  EXPECT_EQ(skill.uri, "skill://pdf/SKILL.md");
  EXPECT_EQ(to_text(skill.frontmatter), R"({"name":"pdf","description":"Reads PDFs"})");
  EXPECT_EQ(paths(skill),
            (Names{"skill://pdf/SKILL.md", "skill://pdf/logo.bin",
                   "skill://pdf/scripts/deep/more.txt", "skill://pdf/scripts/run.sh"}));
  EXPECT_EQ(skill.files[2].size, 4);
  EXPECT_EQ(skill.files[2].digest,
            "sha256:187897ce0afcf20b50ba2b37dca84a951b7046f29ed5ab94f010619f69d6e189");
  EXPECT_EQ(skill.files[0].size, static_cast<std::int64_t>(kPdf.size()));
  auto one = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(one);
  EXPECT_EQ(paths(*one), paths(skill));
}

TEST_F(Skills, FilesAreReadAsTheyAre) {
  write_pdf();
  load();
  auto content = read("skill://pdf/SKILL.md");
  ASSERT_TRUE(content);
  EXPECT_EQ(content->bytes, kPdf);
  EXPECT_EQ(content->mime, "text/markdown");
  EXPECT_EQ(content->form, Content::Form::text);
  auto binary = read("skill://pdf/logo.bin");
  ASSERT_TRUE(binary);
  EXPECT_EQ(binary->form, Content::Form::binary);
  EXPECT_EQ(binary->bytes, std::string("\0\1\2\xff", 4));
  EXPECT_EQ(text("skill://pdf/scripts/run.sh"), "#!/bin/sh\necho hello\n");
  EXPECT_EQ(shelf_->local_path(uri("skill://pdf/scripts/run.sh")),
            (work_ / "skill/pdf/scripts/run.sh").string());
  for (const auto* address : {"skill://pdf/no.txt", "skill://other/SKILL.md", "skill://pdf:1",
                              "skill:pdf", "skill://pdf/SKILL.md/x", "skill://pdf/a%2Fb"}) {
    EXPECT_EQ(code_of(address), Code::not_found) << address;
  }
  for (const auto* address : {"skill://pdf", "skill://pdf/scripts/run.sh", "skill://other"}) {
    EXPECT_EQ(shelf_->get(uri(address)).error().code, Code::not_found) << address;
  }
}

TEST_F(Skills, DirectoriesAreReadToo) {
  write_pdf();
  load();
  auto root = read("skill://pdf");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->mime, "inode/directory");
  EXPECT_EQ(root->bytes, "skill://pdf/SKILL.md\nskill://pdf/logo.bin\nskill://pdf/scripts\n");
  EXPECT_EQ(text("skill://pdf/scripts"), "skill://pdf/scripts/deep\nskill://pdf/scripts/run.sh\n");

  auto page = shelf_->children(uri("skill://pdf"), {"", 2});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 2U);
  EXPECT_EQ(page->items[0].name, "pdf");
  EXPECT_EQ(page->items[0].description, "Reads PDFs");
  EXPECT_EQ(page->items[1].size, 4);
  page = shelf_->children(uri("skill://pdf"), {page->next, 2});
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1U);
  EXPECT_EQ(page->items[0].uri, "skill://pdf/scripts");
  EXPECT_EQ(page->items[0].mime, "inode/directory");
  EXPECT_EQ(page->next, "");
  EXPECT_EQ(shelf_->children(uri("skill://pdf/SKILL.md"), {}).error().code, Code::invalid);
  EXPECT_EQ(shelf_->children(uri("skill://pdf/none"), {}).error().code, Code::not_found);
  EXPECT_EQ(shelf_->children(uri("skill://none"), {}).error().code, Code::not_found);
}

TEST_F(Skills, LongDirectoriesHaveARest) {
  write_pdf();
  SkillLimits limits;
  limits.directory_page = 2;
  load(limits);
  EXPECT_EQ(text("skill://pdf"),
            "skill://pdf/SKILL.md\nskill://pdf/logo.bin\n# more: skill://pdf?after=logo.bin\n");
  EXPECT_EQ(text("skill://pdf?after=logo.bin"), "skill://pdf/scripts\n");
}

TEST_F(Skills, AddressesHaveOneSpelling) {
  load();
  const auto one = [&](const std::string& text) {
    return std::string(shelf_->canonical(uri(text)).text());
  };
  EXPECT_EQ(one("skill://pdf/"), "skill://pdf");
  EXPECT_EQ(one("SKILL://PDF//scripts/?x=1"), "skill://pdf/scripts");
  EXPECT_EQ(one("skill://pdf/a/../b%20c"), "skill://pdf/b%20c");
  EXPECT_EQ(one("skill://pdf?after=x&y=z"), "skill://pdf?after=x");
}

TEST_F(Skills, ElementsInOneFileAreSkills) {
  work_.write("skill/review.md",
              "---\nname: Code Review\ndescription: Looks\nid: r1\n---\nLook twice.\n");
  work_.write("skill/deploy.yaml",
              "name: deploy\ndescription: Ships\nprocedures:\n  - step: 1\n    action: Build\n");
  work_.write("skill/plain.md", sheet("plain"));
  load();
  EXPECT_EQ(names(), (Names{"code-review", "deploy", "plain"}));
  EXPECT_EQ(text("skill://plain/SKILL.md"), sheet("plain"));
  EXPECT_EQ(text("skill://code-review/SKILL.md"),
            "---\nname: code-review\ndescription: Looks\ntitle: Code Review\nid: r1\n---\n\n"
            "# Code Review\n\nLook twice.\n");
  EXPECT_NE(text("skill://deploy/SKILL.md").find("1. Build"), std::string::npos);
  EXPECT_EQ(text("skill://deploy"), "skill://deploy/SKILL.md\n");
  for (const auto* address :
       {"skill://deploy/deploy.yaml", "skill://deploy/plain.md", "skill://deploy/SKILL.md/x"}) {
    EXPECT_EQ(code_of(address), Code::not_found) << address;
  }
}

// What a list says of a file is what is read, whether it was made or is there.
TEST_F(Skills, ManifestsAreTrue) {
  write_pdf();
  work_.write("skill/Wrong Name/SKILL.md", "---\nname: My Skill\n---\nBody\n");
  work_.write("skill/one.yaml", "name: One\ndescription: d\n");
  load();
  EXPECT_EQ(names(), (Names{"my-skill", "one", "pdf"}));
  for (int again = 0; again < 2; ++again) {
    const auto page = shelf_->list({});
    ASSERT_TRUE(page);
    for (const auto& skill : page->items) {
      for (const auto& file : skill.files) {
        EXPECT_EQ(static_cast<std::int64_t>(text(file.uri).size()), file.size) << file.uri;
      }
      auto document = Document::parse(text(skill.uri), DocumentForm::markdown);
      ASSERT_TRUE(document);
      EXPECT_EQ(to_json(document->frontmatter()), skill.frontmatter);
      EXPECT_FALSE(skill.frontmatter.at("description").as_string().empty());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
  }
}

TEST_F(Skills, TheNameInsideIsTheAddress) {
  work_.write("skill/folder/SKILL.md", sheet("inner"));
  work_.write("skill/Upper Case/SKILL.md", sheet("Upper Case & Blanks"));
  work_.write("skill/nippon/SKILL.md", sheet("\xe6\x97\xa5\xe6\x9c\xac"));
  work_.write("skill/\xe6\x97\xa5/SKILL.md", sheet("\xe6\x97\xa5"));
  load();
  const auto found = names();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], "inner");
  EXPECT_EQ(found[1], "nippon");
  EXPECT_TRUE(found[2].starts_with("skill-")) << found[2];
  EXPECT_EQ(found[3], "upper-case-blanks");
  EXPECT_EQ(code_of("skill://folder/SKILL.md"), Code::not_found);
}

TEST_F(Skills, TheWorkspaceWinsThenTheFirstFile) {
  work_.write("skill/b/SKILL.md", sheet("same"));
  work_.write("skill/a/SKILL.md", sheet("Same"));
  home_.write("skill/0/SKILL.md", sheet("same"));
  home_.write("skill/0/mine.txt", "mine");
  home_.write("skill/own/SKILL.md", sheet("own"));
  load();
  EXPECT_EQ(names(), (Names{"own", "same"}));
  EXPECT_EQ(shelf_->local_path(uri("skill://same/SKILL.md")),
            (work_ / "skill/a/SKILL.md").string());
  EXPECT_EQ(code_of("skill://same/mine.txt"), Code::not_found);
  EXPECT_EQ(text("skill://own/SKILL.md"), sheet("own"));
  const auto problems = shelf_->problems(10);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].file, "skill/b/SKILL.md");
  EXPECT_NE(problems[0].text.find("skill/a/SKILL.md"), std::string::npos) << problems[0].text;
  EXPECT_EQ(shelf_->problems(1).size(), 1U);
}

TEST_F(Skills, NoLinkLeadsOut) {
  write_pdf();
  work_.write("skill/other/SKILL.md", sheet("other"));
  home_.write("secret.txt", "secret");
  namespace fs = std::filesystem;
  fs::create_symlink(home_ / "secret.txt", work_ / "skill/pdf/absolute.txt");
  fs::create_symlink("../other/SKILL.md", work_ / "skill/pdf/beside.md");
  fs::create_symlink("../other", work_ / "skill/pdf/beside");
  fs::create_symlink(home_ / "", work_ / "skill/pdf/home");
  fs::create_symlink("scripts", work_ / "skill/pdf/same");
  fs::create_symlink(".", work_ / "skill/pdf/scripts/loop");
  fs::create_symlink("scripts/run.sh", work_ / "skill/pdf/run");
  load();
  auto skill = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(skill);
  EXPECT_EQ(paths(*skill),
            (Names{"skill://pdf/SKILL.md", "skill://pdf/logo.bin", "skill://pdf/run",
                   "skill://pdf/scripts/deep/more.txt", "skill://pdf/scripts/run.sh"}));
  EXPECT_EQ(text("skill://pdf/run"), "#!/bin/sh\necho hello\n");
  for (const auto* path :
       {"absolute.txt", "beside.md", "beside/SKILL.md", "beside", "home/secret.txt", "home", "same",
        "same/run.sh", "scripts/loop/run.sh"}) {
    EXPECT_EQ(code_of("skill://pdf/" + std::string(path)), Code::not_found) << path;
  }
  EXPECT_EQ(text("skill://pdf"),
            "skill://pdf/SKILL.md\nskill://pdf/logo.bin\nskill://pdf/run\nskill://pdf/scripts\n");
}

TEST_F(Skills, SecretsAndWhatGitIgnoresAreLeftOut) {
  write_pdf();
  work_.write("skill/pdf/.env", "TOKEN=1");
  work_.write("skill/pdf/.git/config", "x");
  work_.write("skill/pdf/.gitignore", "__pycache__/\n*.log\n");
  work_.write("skill/pdf/__pycache__/a.pyc", "x");
  work_.write("skill/pdf/run.log", "x");
  load();
  auto skill = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(skill);
  EXPECT_EQ(skill->files.size(), 5U);
  EXPECT_EQ(skill->files[0].uri, "skill://pdf/.gitignore");
  for (const auto* path : {".env", ".git/config", ".git", "__pycache__/a.pyc", "run.log"}) {
    EXPECT_EQ(code_of(std::string("skill://pdf/") + path), Code::not_found) << path;
  }
}

TEST_F(Skills, OddNamesOfFilesAreEncoded) {
  write_pdf();
  work_.write("skill/pdf/a b#?%41@.txt", "odd");
  work_.write("skill/pdf/\xff.txt", "no text");
  load();
  auto skill = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(skill);
  ASSERT_EQ(skill->files.size(), 5U);
  EXPECT_EQ(skill->files[1].uri, "skill://pdf/a%20b%23%3F%2541%40.txt");
  EXPECT_EQ(text(skill->files[1].uri), "odd");
}

TEST_F(Skills, TooManyFilesAreNoSkill) {
  work_.write("skill/many/SKILL.md", sheet("many"));
  for (int i = 1; i < 600; ++i) work_.write("skill/many/f" + std::to_string(i), "x");
  work_.write("skill/few/SKILL.md", sheet("few"));
  load();
  EXPECT_EQ(names(), (Names{"few"}));
  auto many = shelf_->get(uri("skill://many/SKILL.md"));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Code::unsupported);
  const auto problems = shelf_->problems(10);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].file, "skill/many/SKILL.md");
  EXPECT_NE(problems[0].text.find("512"), std::string::npos) << problems[0].text;
  EXPECT_EQ(text("skill://many/f9"), "x");

  for (int i = 512; i < 600; ++i) work_.remove("skill/many/f" + std::to_string(i));
  many = shelf_->get(uri("skill://many/SKILL.md"));
  ASSERT_TRUE(many);
  EXPECT_EQ(many->files.size(), 512U);
  EXPECT_TRUE(shelf_->problems(10).empty());
}

TEST_F(Skills, TooManyBytesAreNoSkill) {
  write_pdf();
  work_.write("skill/pdf/big.bin", "");
  std::filesystem::resize_file(work_ / "skill/pdf/big.bin", std::size_t{20} << 20);
  load();
  EXPECT_EQ(names(), Names{});
  EXPECT_EQ(shelf_->get(uri("skill://pdf/SKILL.md")).error().code, Code::unsupported);
  EXPECT_EQ(code_of("skill://pdf/big.bin"), Code::unsupported);
  EXPECT_EQ(text("skill://pdf/SKILL.md"), kPdf);
  EXPECT_EQ(shelf_->problems(10).size(), 1U);
}

TEST_F(Skills, ManyDirectoriesAreNoSkillEither) {
  write_pdf();
  for (int i = 0; i < 600; ++i) work_.make_directory("skill/pdf/d" + std::to_string(i));
  load();
  EXPECT_EQ(names(), Names{});
}

TEST_F(Skills, BrokenFrontmatterIsNoSkill) {
  work_.write("skill/bad/SKILL.md", "---\nname: [\n---\nBody\n");
  work_.write("skill/none/SKILL.md", "Just text\n");
  work_.write("skill/good/SKILL.md", sheet("good"));
  load();
  EXPECT_EQ(names(), (Names{"good"}));
  EXPECT_EQ(collection_->problems(10).size(), 2U);
  EXPECT_EQ(code_of("skill://bad/SKILL.md"), Code::not_found);

  // Broken since it was read: said so, and nothing else suffers.
  work_.write("skill/good/SKILL.md", "---\nname: [\n---\n");
  work_.write("skill/fine.md", sheet("fine"));
  collection_->refresh(true, "skill/fine.md");
  EXPECT_EQ(names(), (Names{"fine"}));
}

TEST_F(Skills, AChangeIsSeenAtOnce) {
  write_pdf();
  load();
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  const auto before = *shelf_->get(uri("skill://pdf/SKILL.md"));
  const auto stamp = shelf_->stamp(uri("skill://pdf/scripts/run.sh"));
  const auto directory = shelf_->stamp(uri("skill://pdf/scripts"));
  work_.write("skill/pdf/scripts/run.sh", "#!/bin/sh\necho other\n");
  work_.write("skill/pdf/scripts/new.sh", "new");
  auto after = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(after);
  ASSERT_EQ(after->files.size(), 5U);
  EXPECT_EQ(after->files[0].digest, before.files[0].digest);
  EXPECT_NE(after->files[4].digest, before.files[3].digest);
  EXPECT_NE(shelf_->stamp(uri("skill://pdf/scripts/run.sh")), stamp);
  EXPECT_NE(shelf_->stamp(uri("skill://pdf/scripts")), directory);
  EXPECT_EQ(shelf_->stamp(uri("skill://none/SKILL.md")), 0U);

  // Another name is another address, once the collection knows.
  work_.write("skill/pdf/SKILL.md", sheet("renamed"));
  collection_->refresh(true, "skill/pdf/SKILL.md");
  EXPECT_EQ(names(), (Names{"renamed"}));
  EXPECT_EQ(code_of("skill://pdf/SKILL.md"), Code::not_found);
}

// How many bytes this process has read so far.
std::uint64_t bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  std::uint64_t count = 0;
  counters >> name >> count;
  EXPECT_EQ(name, "rchar:");
  return count;
}

TEST_F(Skills, DigestsAreRemembered) {
  constexpr std::uint64_t kBytes = std::uint64_t{4} << 20;
  write_pdf();
  work_.write("skill/pdf/large.txt", std::string(kBytes, 'x'));
  load();
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  const auto start = bytes_read();
  const auto first = *shelf_->get(uri("skill://pdf/SKILL.md"));
  const auto between = bytes_read();
  const auto second = *shelf_->get(uri("skill://pdf/SKILL.md"));
  EXPECT_GE(between - start, kBytes);
  EXPECT_LT(bytes_read() - between, kBytes / 4);
  for (std::size_t i = 0; i < first.files.size(); ++i) {
    EXPECT_EQ(first.files[i].digest, second.files[i].digest);
  }
}

TEST_F(Skills, ASheetAmongAllSkillsIsASkillAlone) {
  work_.write("skill/SKILL.md", sheet("top"));
  work_.write("skill/pdf/SKILL.md", kPdf);
  load();
  EXPECT_EQ(names(), (Names{"pdf", "top"}));
  EXPECT_EQ(shelf_->get(uri("skill://top/SKILL.md"))->files.size(), 1U);
  EXPECT_EQ(code_of("skill://top/pdf/SKILL.md"), Code::not_found);
}

TEST_F(Skills, ASkillInASkillIsBoth) {
  write_pdf();
  work_.write("skill/pdf/nested/inner/SKILL.md", sheet("inner"));
  load();
  EXPECT_EQ(names(), (Names{"inner", "pdf"}));
  EXPECT_EQ(text("skill://pdf/nested/inner/SKILL.md"), sheet("inner"));
  EXPECT_EQ(shelf_->get(uri("skill://pdf/SKILL.md"))->files.size(), 5U);
  EXPECT_EQ(shelf_->get(uri("skill://inner/SKILL.md"))->files.size(), 1U);
}

TEST_F(Skills, PagesGoOnWhereTheyEnded) {
  for (const auto* name : {"a", "b", "c", "d", "e"}) {
    work_.write(std::string("skill/") + name + ".md", sheet(name));
  }
  load();
  Names listed;
  Names entries;
  ListQuery query{"", 2};
  do {
    auto page = shelf_->list(query);
    ASSERT_TRUE(page);
    for (const auto& skill : page->items) listed.push_back(skill.uri);
    query.after = page->next;
  } while (!query.after.empty());
  do {
    auto page = shelf_->entries(query);
    for (const auto& entry : page.items) entries.push_back(entry.uri);
    query.after = page.next;
  } while (!query.after.empty());
  EXPECT_EQ(listed.size(), 5U);
  EXPECT_EQ(entries, listed);
  EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
}

TEST_F(Skills, EntriesSayWhatTheFrontmatterSays) {
  work_.write("skill/review.md", "---\nname: Code Review\ndescription: Looks\n---\nLook.\n");
  load();
  const auto page = shelf_->entries({});
  ASSERT_EQ(page.items.size(), 1U);
  const Entry& entry = page.items[0];
  EXPECT_EQ(entry.uri, "skill://code-review/SKILL.md");
  EXPECT_EQ(entry.name, "code-review");
  EXPECT_EQ(entry.title, "Code Review");
  EXPECT_EQ(entry.description, "Looks");
  EXPECT_EQ(entry.mime, "text/markdown");
  EXPECT_EQ(entry.size, static_cast<std::int64_t>(text(entry.uri).size()));
}

TEST_F(Skills, NamesAndPathsAreCompleted) {
  write_pdf();
  work_.write("skill/x.md", sheet("pages"));
  load();
  CompletionQuery query;
  query.of = CompletionQuery::Of::resource;
  query.name = SkillShelf::kTemplate;
  query.argument = "name";
  query.value = "p";
  EXPECT_EQ(shelf_->complete(query).values, (Names{"pages", "pdf"}));
  query.value = "pd";
  EXPECT_EQ(shelf_->complete(query).values, (Names{"pdf"}));
  query.argument = "path";
  query.value = "scripts/r";
  EXPECT_TRUE(shelf_->complete(query).values.empty());
  query.context["name"] = "pdf";
  EXPECT_EQ(shelf_->complete(query).values, (Names{"scripts/run.sh"}));
  query.value = "s";
  EXPECT_EQ(shelf_->complete(query).values, (Names{"scripts"}));
  for (const auto* value : {"../", "../x", "/", "scripts/../", "//"}) {
    query.value = value;
    EXPECT_TRUE(shelf_->complete(query).values.empty()) << value;
  }
}

TEST_F(Skills, ACallerThatLeftIsNotServed) {
  write_pdf();
  load();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(shelf_->list({}, stop.get_token()).error().code, Code::cancelled);
}

TEST_F(Skills, WithoutFoldersThereAreNone) {
  collection_.emplace(Collection::Folders{(work_ / "none").string(), ""}, index_, log_,
                      [](const auto&) {});
  collection_->start();
  collection_->wait_loaded();
  shelf_.emplace(*collection_);
  EXPECT_EQ(names(), Names{});
  EXPECT_EQ(code_of("skill://a/SKILL.md"), Code::not_found);
}

TEST(StampCache, ForgetsTheOldestHalf) {
  StampCache<int> cache(4000);
  const auto put = [&](const std::string& key) {
    cache.put(key, 1, std::make_shared<int>(7), 500);
  };
  put("kept");
  for (int i = 0; i < 40; ++i) {
    put(std::to_string(i));
    ASSERT_NE(cache.find("kept", 1), nullptr) << i;
  }
  EXPECT_EQ(cache.find("0", 1), nullptr);
  EXPECT_NE(cache.find("39", 1), nullptr);
  EXPECT_EQ(cache.find("39", 2), nullptr);
}

}  // namespace
}  // namespace lode
