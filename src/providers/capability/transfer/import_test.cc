#include "providers/capability/transfer/import.h"

#include <gtest/gtest.h>

#include "engine/test_gate.h"
#include "providers/capability/collection.h"
#include "providers/capability/transfer/transfer_fixture.h"

namespace lode {
namespace {

constexpr const char* kPersona = "---\nname: Reviewer\ndescription: Reviews\n---\nYou review.\n";

class ImportTest : public TransferFixture {
 protected:
  ImportTest() {
    tree.write("source/personas/reviewer.md", kPersona);
    tree.write("source/memories/2025-01-15/notes.yaml",
               "name: Notes\ndescription: x\ncreated: 2025-01-15\nentries: []\n");
  }
};

TEST_F(ImportTest, TellsOfEveryFileOnce) {
  tree.write("source/.backups/personas/reviewer.backup-1.md", kPersona);
  tree.write("source/memories/backups/user/notes.yaml", "name: x\n");
  tree.write("source/memories/notes-backup.yaml", "name: x\n");
  tree.write("source/memories/_index.json", "{}");
  tree.write("source/agents/.state/a.state.yaml", "goals: []\n");
  tree.write("source/capability-index.yaml", "metadata: {}\n");
  tree.write("source/personas/x.md.lock", "");
  tree.write("source/personas/broken.md", "---\nname: [\n---\n");
  tree.write("source/personas/large.md", std::string(Collection::kFileBytes + 1, 'x'));
  tree.write("source/README.md", "# Mine\n");
  std::filesystem::create_symlink("/etc/passwd", tree / "source/personas/link.md");
  const auto before = files("source");
  const auto report = import();
  EXPECT_EQ(report.format, "dollhouse");
  EXPECT_EQ(report.moved.size(), 13U);
  EXPECT_EQ(fate(report, "personas/reviewer.md"), "kept");
  EXPECT_EQ(fate(report, "memories/2025-01-15/notes.yaml"), "kept");
  EXPECT_EQ(note(report, ".backups/personas/reviewer.backup-1.md"), "a backup");
  EXPECT_EQ(note(report, "memories/backups/user/notes.yaml"), "a backup");
  EXPECT_EQ(note(report, "memories/notes-backup.yaml"), "a backup");
  EXPECT_EQ(note(report, "memories/_index.json"), "an index, which is made anew");
  EXPECT_EQ(note(report, "agents/.state/a.state.yaml"), "the state of an agent that ran");
  EXPECT_EQ(fate(report, "capability-index.yaml"), "skipped");
  EXPECT_EQ(note(report, "personas/x.md.lock"), "a lock");
  EXPECT_EQ(fate(report, "personas/broken.md"), "broken");
  EXPECT_TRUE(note(report, "personas/broken.md").starts_with("line "));
  EXPECT_EQ(fate(report, "personas/large.md"), "broken");
  EXPECT_EQ(fate(report, "personas/link.md"), "skipped");
  EXPECT_EQ(fate(report, "README.md"), "skipped");
  EXPECT_TRUE(report.is_partial());
  const auto here = files("w/.lode/elements");
  EXPECT_EQ(here.size(), 2U);
  EXPECT_EQ(here.at("persona/reviewer.md"), kPersona);
  EXPECT_EQ(files("source"), before);
}

TEST_F(ImportTest, ASecondRunBringsNothing) {
  tree.write("source/memories/2025-02-01/loose.yaml", "entries: {a: {content: x}}\n");
  const auto first = import();
  EXPECT_EQ(first.count(Fate::kept), 2U);
  EXPECT_EQ(first.count(Fate::mended), 1U);
  const auto here = files("w/.lode/elements");
  const auto second = import();
  EXPECT_EQ(second.count(Fate::present), 3U);
  EXPECT_FALSE(second.is_partial());
  EXPECT_EQ(files("w/.lode/elements"), here);
}

TEST_F(ImportTest, ADryRunWritesNothing) {
  const auto report = import("source", {.dry_run = true});
  EXPECT_EQ(report.count(Fate::kept), 2U);
  EXPECT_FALSE(std::filesystem::exists(tree / "w/.lode"));
}

TEST_F(ImportTest, WhatWasChangedHereStaysUnlessReplaced) {
  import();
  const std::string changed = "---\nname: Reviewer\ndescription: Mine\n---\nYou review.\n";
  tree.write("w/.lode/elements/persona/reviewer.md", changed);
  EXPECT_EQ(fate(import(), "personas/reviewer.md"), "conflict");
  EXPECT_EQ(element("persona/reviewer.md"), changed);
  EXPECT_EQ(fate(import("source", {.replace = true}), "personas/reviewer.md"), "kept");
  EXPECT_EQ(element("persona/reviewer.md"), kPersona);
}

TEST_F(ImportTest, AnElementThatMovedIsKnownByItsId) {
  import();
  tree.rename("w/.lode/elements/persona/reviewer.md", "w/.lode/elements/persona/moved.md");
  tree.write("w/.lode/elements/persona/moved.md",
             "---\nname: Reviewer\ndescription: Reviews\nid: reviewer\n---\nYou review.\n");
  const auto again = import();
  EXPECT_EQ(fate(again, "personas/reviewer.md"), "present");
  EXPECT_EQ(files("w/.lode/elements").size(), 2U);
}

TEST_F(ImportTest, TwoMemoriesOfOneNameHaveAnIdEach) {
  tree.write("source/memories/2025-02-01/notes.yaml",
             "name: Notes\ndescription: y\ncreated: 2025-02-01\nentries: []\n");
  const auto report = import();
  EXPECT_EQ(fate(report, "memories/2025-02-01/notes.yaml"), "mended");
  const auto text = element("memory/2025-02-01/notes.yaml");
  EXPECT_NE(text.find("id: notes-2025-02-01\n"), std::string::npos) << text;
  EXPECT_EQ(import().count(Fate::present), 3U);
}

TEST_F(ImportTest, TheFolderThatHoldsThePortfolio) {
  tree.rename("source", "portfolio");
  tree.make_directory("home");
  tree.rename("portfolio", "home/portfolio");
  tree.write("home/config.yml", "a: 1\n");
  const auto report = import("home");
  EXPECT_EQ(report.count(Fate::kept), 2U);
  EXPECT_EQ(note(report, "config.yml"), "outside the portfolio");
}

TEST_F(ImportTest, NexsWhereverItKeepsItsElements) {
  const std::string text =
      "metadata: {id: p_1, type: persona, name: A}\ndata: {system_prompt: x}\n";
  const std::string other =
      "metadata: {id: p_1, type: persona, name: B}\ndata: {system_prompt: x}\n";
  tree.write("nexs/elements/elements/persona/2025-01-01/p_1.yaml", text);
  tree.write("nexs/elements/persona/2025-01-01/p_1.yaml", text);
  tree.write("nexs/elements/persona/2025-01-02/p_1.yaml", other);
  tree.write("nexs/working_memory/s.json", "{}");
  tree.write("nexs/hnsw_index.json", "{}");
  const auto report = import("nexs");
  EXPECT_EQ(report.format, "nexs");
  EXPECT_EQ(fate(report, "elements/elements/persona/2025-01-01/p_1.yaml"), "kept");
  EXPECT_EQ(fate(report, "elements/persona/2025-01-01/p_1.yaml"), "skipped");
  EXPECT_EQ(fate(report, "elements/persona/2025-01-02/p_1.yaml"), "conflict");
  EXPECT_EQ(note(report, "working_memory/s.json"), "the working memory of a session");
  EXPECT_EQ(files("w/.lode/elements").size(), 1U);
}

TEST_F(ImportTest, AgentSkillsWithAllTheirFiles) {
  const std::string sheet = "---\nname: pdf\ndescription: PDF files\n---\nUse it.\n";
  tree.write("skills/pdf/SKILL.md", sheet);
  tree.write("skills/pdf/scripts/run.sh", "#!/bin/sh\n");
  tree.write("skills/pdf/assets/raw.bin", std::string("\0\xff", 2));
  tree.write("skills/pdf/.env", "TOKEN=1\n");
  tree.write("skills/bad/SKILL.md", "---\nname: [\n---\n");
  tree.write("skills/bad/notes.md", "x\n");
  std::filesystem::permissions(tree / "skills/pdf/scripts/run.sh",
                               std::filesystem::perms::owner_all);
  const auto report = import("skills", {.format = TransferFormat::skills});
  EXPECT_EQ(element("skill/pdf/SKILL.md"), sheet);
  EXPECT_EQ(element("skill/pdf/assets/raw.bin"), std::string("\0\xff", 2));
  const auto mode =
      std::filesystem::status(tree / "w/.lode/elements/skill/pdf/scripts/run.sh").permissions();
  EXPECT_NE(mode & std::filesystem::perms::owner_exec, std::filesystem::perms::none);
  EXPECT_EQ(fate(report, "pdf/.env"), "skipped");
  EXPECT_EQ(fate(report, "bad/SKILL.md"), "broken");
  EXPECT_EQ(fate(report, "bad/notes.md"), "skipped");
  EXPECT_EQ(files("w/.lode/elements").size(), 3U);
  const auto alone = import("skills/pdf");
  EXPECT_EQ(alone.format, "skills");
  EXPECT_EQ(alone.count(Fate::present), 3U);
}

TEST_F(ImportTest, SaysWhatItCannotRead) {
  tree.write("other/notes.txt", "x\n");
  const auto refused = try_import("other", {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::invalid);
  EXPECT_NE(refused.error().message.find("Dollhouse portfolio"), std::string::npos);
  EXPECT_EQ(try_import("absent", {}).error().code, Code::not_found);
}

TEST_F(ImportTest, ReadsNoLongerAndNoDeeperThanItsLimits) {
  const auto source = SourceTree::open((tree / "source").string()).value();
  EXPECT_EQ(source.files().value().size(), 2U);
  EXPECT_EQ(source.files({.files = 2, .depth = 2}).value().size(), 2U);
  EXPECT_EQ(source.files({.files = 1}).error().message, "there are more than 1 files");
  const auto shallow = source.files({.depth = 1}).value();
  const auto deep = std::ranges::find(shallow, "memories/2025-01-15", &SourceFile::path);
  ASSERT_NE(deep, shallow.end());
  EXPECT_EQ(deep->left_out, "directories are nested deeper than 1");
}

TEST_F(ImportTest, WhatMayNotBeReadIsNotThere) {
  const auto source = SourceTree::open((tree / "source").string()).value();
  const auto report =
      import_elements({source, std::nullopt, folder(), true, false, false,
                       [](std::string_view path) { return !path.starts_with("personas/"); }},
                      ElementGate::open())
          .value();
  EXPECT_EQ(report.moved.size(), 1U);
}

TEST_F(ImportTest, AsksTheGate) {
  TestRequest request([](Action action, const Uri& address) {
    return action != Action::write ||
           address.text().find("elements/persona") == std::string_view::npos;
  });
  Index index;
  Log log(-1, Log::Form::text, LogLevel::off);
  const Collection collection({folder(), ""}, index, log, [](const Collection::News&) {});
  const auto exchange = request.exchange();
  const ElementGate gate(exchange, collection, ElementGate::Of::tool);
  const auto source = SourceTree::open((tree / "source").string()).value();
  const auto report =
      import_elements({source, std::nullopt, folder(), true, false, false}, gate).value();
  EXPECT_EQ(fate(report, "personas/reviewer.md"), "broken");
  EXPECT_EQ(fate(report, "memories/2025-01-15/notes.yaml"), "kept");
  EXPECT_EQ(files("w/.lode/elements").size(), 1U);
}

}  // namespace
}  // namespace lode
