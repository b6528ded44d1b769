#include "providers/capability/transfer/export.h"

#include <gtest/gtest.h>

#include <set>

#include "providers/capability/transfer/convert.h"
#include "providers/capability/transfer/transfer_fixture.h"

namespace lode {
namespace {

class ExportTest : public TransferFixture {
 protected:
  ExportTest() {
    write("persona/reviewer.md", "---\nname: Reviewer\ndescription: Reviews\n---\nYou review.\n");
    write("persona/2025-01-01/p_1.yaml",
          "metadata: {id: p_1, type: persona, name: Tutor, description: Explains, createdat: "
          "2025-01-01T00:00:00Z}\ndata: {system_prompt: Explain it.}\n");
    write("memory/2025-02-01/notes.yaml",
          "name: Notes\ndescription: x\ncreated: 2025-02-01\nentries: [{id: a, content: b, "
          "timestamp: 2025-02-01}]\n");
    write("skill/pdf/SKILL.md", "---\nname: pdf\ndescription: PDF files\n---\nUse it.\n");
    write("skill/pdf/scripts/run.sh", "#!/bin/sh\n");
    write("agent/release.yaml", "name: Release\ndescription: x\ngoals: [Ship]\n");
  }
  void write(const std::string& file, const std::string& text) const {
    tree.write("w/.lode/elements/" + file, text);
  }
  // What each element says, by its id.
  std::map<std::string, ElementValue> values() const {
    std::map<std::string, ElementValue> out;
    for (const auto& [file, text] : files("w/.lode/elements")) {
      const auto type = find_element_type(file.substr(0, file.find('/')));
      const auto read = read_element({*type, file, text, {}});
      const auto document = Document::parse(text, form_of_file(file));
      if (!read || !document || file.ends_with(".sh")) continue;
      const auto& id = read->element.id;
      out[id] = value_of(*type, id, document->frontmatter(), document->body());
    }
    return out;
  }
};

TEST_F(ExportTest, APortfolio) {
  const auto report = try_export("out", TransferFormat::dollhouse).value();
  EXPECT_EQ(read("out/personas/reviewer.md"), element("persona/reviewer.md"));
  EXPECT_EQ(read("out/memories/2025-02-01/notes.yaml"), element("memory/2025-02-01/notes.yaml"));
  EXPECT_EQ(read("out/skills/pdf.md"), element("skill/pdf/SKILL.md"));
  EXPECT_NE(read("out/personas/tutor.md").find("\n\nExplain it.\n"), std::string::npos);
  EXPECT_EQ(fate(report, "persona/2025-01-01/p_1.yaml"), "converted");
  EXPECT_EQ(fate(report, "skill/pdf/scripts/run.sh"), "broken");
  EXPECT_TRUE(note(report, "skill/pdf/scripts/run.sh").starts_with("lost: "));
  EXPECT_TRUE(report.is_partial());
}

TEST_F(ExportTest, BackInPlaceEverythingIsPresent) {
  for (const auto format : {TransferFormat::dollhouse, TransferFormat::nexs}) {
    const std::string to(to_string(format));
    ASSERT_TRUE(try_export(to, format).ok());
    const auto report = import(to);
    EXPECT_EQ(report.format, to);
    EXPECT_EQ(report.count(Fate::present), 5U) << to;
    for (const auto& moved : report.moved) EXPECT_EQ(moved.fate, Fate::present) << line_of(moved);
  }
}

TEST_F(ExportTest, InAnEmptyFolderTheElementsAreTheSame) {
  for (const auto format : {TransferFormat::dollhouse, TransferFormat::nexs}) {
    const auto before = values();
    EXPECT_EQ(before.size(), 5U);
    ASSERT_TRUE(try_export(std::string(to_string(format)), format).ok());
    tree.remove("w/.lode/elements");
    import(std::string(to_string(format)));
    const auto after = values();
    ASSERT_EQ(after.size(), before.size());
    for (const auto& [id, value] : before) {
      ASSERT_TRUE(after.contains(id)) << id;
      EXPECT_TRUE(same_value(value, after.at(id))) << id;
    }
  }
}

TEST_F(ExportTest, SkillsWithTheirFiles) {
  write("skill/sum.yaml",
        "name: Sum Up\ndescription: Sums\nprocedures: [{step: 1, action: add}]\n");
  const auto report = try_export("out", TransferFormat::skills).value();
  EXPECT_EQ(read("out/pdf/SKILL.md"), element("skill/pdf/SKILL.md"));
  EXPECT_EQ(read("out/pdf/scripts/run.sh"), "#!/bin/sh\n");
  EXPECT_NE(read("out/sum-up/SKILL.md").find("1. add"), std::string::npos);
  EXPECT_EQ(note(report, "persona/reviewer.md"), "only skills have this format");
  EXPECT_FALSE(report.is_partial());
}

TEST_F(ExportTest, OverwritesNothingUnlessAsked) {
  tree.write("out/personas/reviewer.md", "mine\n");
  const std::vector<std::string> only{"persona:reviewer"};
  auto report = try_export("out", TransferFormat::dollhouse, only).value();
  EXPECT_EQ(fate(report, "persona/reviewer.md"), "conflict");
  EXPECT_EQ(read("out/personas/reviewer.md"), "mine\n");
  report = try_export("out", TransferFormat::dollhouse, only, {.replace = true}).value();
  EXPECT_EQ(fate(report, "persona/reviewer.md"), "kept");
  EXPECT_EQ(read("out/personas/reviewer.md"), element("persona/reviewer.md"));
  EXPECT_EQ(files("out").size(), 1U);
  report = try_export("out", TransferFormat::dollhouse, only).value();
  EXPECT_EQ(fate(report, "persona/reviewer.md"), "present");
}

TEST_F(ExportTest, WritesThroughNoLink) {
  tree.make_directory("elsewhere");
  tree.make_directory("out");
  std::filesystem::create_directory_symlink(tree / "elsewhere", tree / "out/personas");
  const auto report = try_export("out", TransferFormat::dollhouse, {"reviewer"}).value();
  EXPECT_EQ(fate(report, "persona/reviewer.md"), "broken");
  EXPECT_TRUE(files("elsewhere").empty());
}

TEST_F(ExportTest, ADryRunWritesNothing) {
  const auto report = try_export("out", TransferFormat::nexs, {}, {.dry_run = true}).value();
  EXPECT_EQ(report.count(Fate::kept) + report.count(Fate::converted), 5U);
  EXPECT_FALSE(std::filesystem::exists(tree / "out"));
}

TEST_F(ExportTest, NamesTheNearestOfWhatIsNotThere) {
  const auto absent = try_export("out", TransferFormat::nexs, {"reviewr"});
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().code, Code::not_found);
  EXPECT_EQ(absent.error().message,
            "no element has the id \"reviewr\" (did you mean \"reviewer\"?)");
}

TEST_F(ExportTest, NotIntoTheElementsThemselves) {
  EXPECT_EQ(try_export("w/.lode/elements/x", TransferFormat::nexs).error().code, Code::invalid);
}

// Two with one id are one to NEXS, whatever their types; and two of one type and name,
// unless their ids tell them apart behind a "_".
TEST_F(ExportTest, EachHasAnIdOfItsOwnForNexs) {
  write("skill/reviewer.md", "---\nname: Reviewer\ndescription: Reviews\n---\nReview.\n");
  write("persona/other.md", "---\nname: Reviewer\ndescription: Other\n---\nYou too.\n");
  const auto report = try_export("out", TransferFormat::nexs).value();
  std::set<std::string> ids;
  std::size_t count = 0;
  for (const auto& [file, text] : files("out")) {
    const auto read = read_element({ElementType::persona, file, text, {}});
    ASSERT_TRUE(read.ok());
    ids.insert(read->element.id);
    ++count;
  }
  EXPECT_EQ(ids.size(), count);
  EXPECT_TRUE(note(report, "persona/reviewer.md").starts_with("its id is \"reviewer_"))
      << note(report, "persona/reviewer.md");
  const auto home = import("out");
  for (const auto& moved : home.moved) EXPECT_EQ(moved.fate, Fate::present) << line_of(moved);
}

TEST_F(ExportTest, TwoForOnePlaceAreBothThere) {
  write("persona/x.md", "---\nname: X\ndescription: one\n---\nOne.\n");
  write("persona/deep/x.md", "---\nname: X\ndescription: two\nid: x2\n---\nTwo.\n");
  ASSERT_TRUE(try_export("out", TransferFormat::dollhouse, {"x", "x2"}).ok());
  EXPECT_EQ(files("out").size(), 2U);
}

}  // namespace
}  // namespace lode
