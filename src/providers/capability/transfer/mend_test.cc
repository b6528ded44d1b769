#include "providers/capability/transfer/mend.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

Result<Mended> run(TransferFormat format, const std::string& path, const std::string& text) {
  const std::vector<SourceFile> files{{path}};
  return mend(format, Placer(format, files, "tree").place(files.front()), path, text);
}
Mended dollhouse(const std::string& path, const std::string& text) {
  return run(TransferFormat::dollhouse, path, text).value();
}
Mended nexs(const std::string& path, const std::string& text) {
  return run(TransferFormat::nexs, path, text).value();
}

TEST(Mend, TakesEveryShapeOfMemoryByteByByte) {
  for (const char* text :
       {"metadata:\n  name: A\n  description: x\n  created: 2025-01-01\nentries:\n  - id: m\n    "
        "content: c\nextensions: {}\n",
        "name: A\ndescription: x\ncreated: 2025-01-01\nentries:\n  - {id: m, content: c}\n",
        "---\nname: A\ncreated: 2025-01-01\n---\nOne entry, as a body.\n"}) {
    const auto mended = dollhouse("memories/2025-01-15/a.yaml", text);
    EXPECT_EQ(mended.text, text);
    EXPECT_TRUE(mended.mended.empty());
    EXPECT_EQ(mended.target, "memory/2025-01-15/a.yaml");
    EXPECT_TRUE(read_element({mended.type, mended.target, mended.text, {}}).ok());
  }
  const std::string markdown = "---\nname: A\n---\nA body.\n";
  EXPECT_EQ(dollhouse("memories/a.md", markdown).text, markdown);
}

TEST(Mend, EntriesThatAreAMapBecomeAList) {
  const auto mended =
      dollhouse("memories/a.yaml",
                "name: A\nentries:\n  first: {content: one, timestamp: t}\n  second: just text\n");
  EXPECT_EQ(mended.text,
            "name: A\nentries:\n  - id: first\n    content: one\n    timestamp: t\n  - id: "
            "second\n    content: just text\n");
  ASSERT_EQ(mended.mended.size(), 1U);
  EXPECT_EQ(mended.mended[0], "entries was a map, and is a list");
}

TEST(Mend, GivesAMemoryItsNameAndItsDay) {
  const auto mended =
      dollhouse("memories/2025-02-03/notes.yaml", "entries:\n  - {id: m, content: c}\n");
  const auto read = read_element({mended.type, mended.target, mended.text, {}}).value();
  EXPECT_EQ(read.element.name, "notes");
  EXPECT_EQ(read.element.created, "2025-02-03");
  EXPECT_EQ(mended.mended.size(), 2U);
  const auto nested =
      dollhouse("memories/2025-02-03/n.yaml", "metadata:\n  name: N\nentries: []\n");
  EXPECT_EQ(nested.text, "metadata:\n  name: N\n  created: \"2025-02-03\"\nentries: []\n");
}

TEST(Mend, BothBodiesOfDollhouseStay) {
  for (const char* text : {"---\nname: A\ndescription: v1\n---\nYou are A.\n",
                           "---\nname: A\ndescription: v2\nformat_version: v2\ninstructions: You "
                           "are A.\n---\nFacts.\n"}) {
    const auto mended = dollhouse("personas/a.md", text);
    EXPECT_EQ(mended.text, text);
    EXPECT_TRUE(mended.mended.empty());
  }
}

TEST(Mend, BothSpellingsOfNexs) {
  const std::string written =
      "metadata:\n  id: p_1\n  type: persona\n  name: A\n  isactive: true\n  createdat: "
      "2025-01-01T00:00:00Z\ndata:\n  system_prompt: x\n";
  const auto own = nexs("elements/persona/2025-01-01/p_1.yaml", written);
  EXPECT_EQ(own.text, written);
  EXPECT_TRUE(own.mended.empty());
  EXPECT_EQ(own.target, "persona/2025-01-01/p_1.yaml");

  const auto other = nexs("elements/ada/persona/2025-01-01/p_1.yaml",
                          "Metadata:\n  id: p_1\n  name: A\n  is_active: true\n  created_at: "
                          "2025-01-01T00:00:00Z\nData: # all of it\n  system_prompt: x\n");
  EXPECT_EQ(other.text,
            "metadata:\n  id: p_1\n  name: A\n  is_active: true\n  created_at: "
            "2025-01-01T00:00:00Z\ndata: # all of it\n  system_prompt: x\n");
  EXPECT_EQ(other.mended.size(), 2U);
  EXPECT_EQ(other.target, "persona/2025-01-01/p_1.yaml");
}

TEST(Mend, ABackupOfNexs) {
  const auto mended = nexs("elements/ada/skill/s_1.json",
                           R"({"metadata":{"id":"s_1","type":"skill","name":"Sum"},)"
                           R"("element":{"metadata":{"id":"s_1","type":"skill","name":"Sum"},)"
                           R"("composable":true}})");
  EXPECT_EQ(mended.target, "skill/s_1.yaml");
  EXPECT_EQ(mended.text,
            "metadata:\n  id: s_1\n  type: skill\n  name: Sum\ndata:\n  composable: true\n");
  const auto empty =
      nexs("elements/ada/skill/s.json", R"({"metadata":{"id":"s","name":"S"},"element":{}})");
  ASSERT_EQ(empty.notes.size(), 1U);
  EXPECT_EQ(empty.notes[0], "its data is missing, as after an update by NEXS");
  EXPECT_FALSE(nexs("elements/skill/index.json", R"({"version":"1.0"})").no_element.empty());
}

TEST(Mend, WhatNexsHasEmptiedIsNotSaidToBeAsItWas) {
  const auto mended =
      nexs("elements/skill/2025-01-01/s.yaml",
           "metadata: {id: s, type: skill, name: S, custom: {lode_derived: [id]}}\n");
  ASSERT_EQ(mended.notes.size(), 1U);
  EXPECT_EQ(mended.notes[0], "its data is missing, as after an update by NEXS");
  EXPECT_TRUE(mended.mended.empty());
}

TEST(Mend, NexsGoesByTheTypeThatTheFileSays) {
  const auto mended = nexs("elements/persona/2025-01-01/s.yaml",
                           "metadata: {id: s, type: skill, name: S}\ndata: {composable: true}\n");
  EXPECT_EQ(mended.type, ElementType::skill);
  EXPECT_EQ(mended.target, "skill/2025-01-01/s.yaml");
}

TEST(Mend, WhatIsNoElement) {
  EXPECT_FALSE(dollhouse("personas/README.md", "# Personas\n").no_element.empty());
  EXPECT_FALSE(nexs("elements/persona/x.yaml", "version: 1\n").no_element.empty());
}

TEST(Mend, NamesTheLineOfWhatIsMalformed) {
  const auto broken = run(TransferFormat::dollhouse, "personas/a.md", "---\nname: [\n---\n");
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(broken.error().message.starts_with("line ")) << broken.error().message;
  const auto json = run(TransferFormat::nexs, "elements/persona/a.json", "{");
  ASSERT_FALSE(json.ok());
  EXPECT_TRUE(json.error().message.starts_with("line 1: ")) << json.error().message;
}

}  // namespace
}  // namespace lode
