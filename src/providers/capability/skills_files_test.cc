// What is in a skill, and what is not.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "providers/capability/skills_fixture.h"
#include "providers/capability/stamp_cache.h"

namespace lode {
namespace {

TEST_F(SkillsTest, FilesAreReadAsTheyAre) {
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

TEST_F(SkillsTest, DirectoriesAreReadToo) {
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

TEST_F(SkillsTest, LongDirectoriesHaveARest) {
  write_pdf();
  SkillLimits limits;
  limits.directory_page = 2;
  load(limits);
  EXPECT_EQ(text("skill://pdf"),
            "skill://pdf/SKILL.md\nskill://pdf/logo.bin\n# more: skill://pdf?after=logo.bin\n");
  EXPECT_EQ(text("skill://pdf?after=logo.bin"), "skill://pdf/scripts\n");
}

TEST_F(SkillsTest, NoLinkLeadsOut) {
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

TEST_F(SkillsTest, SecretsAndWhatGitIgnoresAreLeftOut) {
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

TEST_F(SkillsTest, OddNamesOfFilesAreEncoded) {
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

TEST_F(SkillsTest, TooManyFilesAreNoSkill) {
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

TEST_F(SkillsTest, TooManyBytesAreNoSkill) {
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

TEST_F(SkillsTest, ManyDirectoriesAreNoSkillEither) {
  write_pdf();
  for (int i = 0; i < 600; ++i) work_.make_directory("skill/pdf/d" + std::to_string(i));
  load();
  EXPECT_EQ(names(), Names{});
}

TEST_F(SkillsTest, AChangeIsSeenAtOnce) {
  write_pdf();
  load();
  let_files_settle();
  const auto before = *shelf_->get(uri("skill://pdf/SKILL.md"));
  const auto script = *shelf_->read(uri("skill://pdf/scripts/run.sh"));
  const auto directory = *shelf_->read(uri("skill://pdf/scripts"));
  work_.write("skill/pdf/scripts/run.sh", "#!/bin/sh\necho other\n");
  work_.write("skill/pdf/scripts/new.sh", "new");
  auto after = shelf_->get(uri("skill://pdf/SKILL.md"));
  ASSERT_TRUE(after);
  ASSERT_EQ(after->files.size(), 5U);
  EXPECT_EQ(after->files[0].digest, before.files[0].digest);
  EXPECT_NE(after->files[4].digest, before.files[3].digest);
  EXPECT_NE(script.stamp_now(), script.stamp);
  EXPECT_NE(directory.stamp_now(), directory.stamp);

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

TEST_F(SkillsTest, DigestsAreRemembered) {
  constexpr std::uint64_t kBytes = std::uint64_t{4} << 20;
  write_pdf();
  work_.write("skill/pdf/large.txt", std::string(kBytes, 'x'));
  load();
  let_files_settle();
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
