#include "providers/capability/skills.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "providers/capability/skills_fixture.h"
#include "store/document.h"

namespace lode {
namespace {

TEST_F(SkillsTest, AFolderIsListedWithAllItsFiles) {
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

TEST_F(SkillsTest, AddressesHaveOneSpelling) {
  load();
  const auto one = [&](const std::string& text) {
    return std::string(shelf_->canonical(uri(text)).text());
  };
  EXPECT_EQ(one("skill://pdf/"), "skill://pdf");
  EXPECT_EQ(one("SKILL://PDF//scripts/?x=1"), "skill://pdf/scripts");
  EXPECT_EQ(one("skill://pdf/a/../b%20c"), "skill://pdf/b%20c");
  EXPECT_EQ(one("skill://pdf?after=x&y=z"), "skill://pdf?after=x");
}

TEST_F(SkillsTest, ElementsInOneFileAreSkills) {
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
TEST_F(SkillsTest, ManifestsAreTrue) {
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
    let_files_settle();
  }
}

TEST_F(SkillsTest, TheNameInsideIsTheAddress) {
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

TEST_F(SkillsTest, TheWorkspaceWinsThenTheFirstFile) {
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

TEST_F(SkillsTest, BrokenFrontmatterIsNoSkill) {
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

TEST_F(SkillsTest, ASheetAmongAllSkillsIsASkillAlone) {
  work_.write("skill/SKILL.md", sheet("top"));
  work_.write("skill/pdf/SKILL.md", kPdf);
  load();
  EXPECT_EQ(names(), (Names{"pdf", "top"}));
  EXPECT_EQ(shelf_->get(uri("skill://top/SKILL.md"))->files.size(), 1U);
  EXPECT_EQ(code_of("skill://top/pdf/SKILL.md"), Code::not_found);
}

TEST_F(SkillsTest, ASkillInASkillIsBoth) {
  write_pdf();
  work_.write("skill/pdf/nested/inner/SKILL.md", sheet("inner"));
  load();
  EXPECT_EQ(names(), (Names{"inner", "pdf"}));
  EXPECT_EQ(text("skill://pdf/nested/inner/SKILL.md"), sheet("inner"));
  EXPECT_EQ(shelf_->get(uri("skill://pdf/SKILL.md"))->files.size(), 5U);
  EXPECT_EQ(shelf_->get(uri("skill://inner/SKILL.md"))->files.size(), 1U);
}

TEST_F(SkillsTest, PagesGoOnWhereTheyEnded) {
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

TEST_F(SkillsTest, EntriesSayWhatTheFrontmatterSays) {
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

TEST_F(SkillsTest, NamesAndPathsAreCompleted) {
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

TEST_F(SkillsTest, ACallerThatLeftIsNotServed) {
  write_pdf();
  load();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(shelf_->list({}, stop.get_token()).error().code, Code::cancelled);
}

TEST_F(SkillsTest, WithoutFoldersThereAreNone) {
  collection_.emplace(Collection::Folders{(work_ / "none").string(), ""}, index_, log_,
                      [](const auto&) {});
  collection_->start();
  collection_->wait_loaded();
  shelf_.emplace(*collection_);
  EXPECT_EQ(names(), Names{});
  EXPECT_EQ(code_of("skill://a/SKILL.md"), Code::not_found);
}

TEST_F(SkillsTest, ManyThreadsAskAtOnce) {
  write_pdf();
  work_.write("skill/other.md", sheet("other"));
  load();
  std::atomic<bool> done = false;
  std::vector<std::jthread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        EXPECT_TRUE(shelf_->list({}));
        EXPECT_TRUE(shelf_->get(uri("skill://other/SKILL.md")));
        EXPECT_TRUE(shelf_->read(uri("skill://pdf/scripts")));
        shelf_->problems(10);
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    work_.write("skill/new" + std::to_string(i % 5) + ".md", sheet("new" + std::to_string(i)));
    collection_->refresh(true, "skill/new" + std::to_string(i % 5) + ".md");
  }
  done = true;
  threads.clear();
  // The watcher may have seen a file half written, and looks again.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (names().size() != 7 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(names().size(), 7U);
}

}  // namespace
}  // namespace lode
