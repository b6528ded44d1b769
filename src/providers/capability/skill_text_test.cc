#include "providers/capability/skill_text.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

SkillText made(const std::string& file, DocumentForm form, const std::string& name) {
  auto text = make_skill_text(file, form, name);
  EXPECT_TRUE(text) << (text ? "" : text.error().message);
  return text ? std::move(*text) : SkillText{};
}

TEST(SkillName, FollowsTheRule) {
  for (const auto* name : {"a", "7", "pdf-processing", "a-1-b"}) EXPECT_TRUE(is_skill_name(name));
  for (const auto* name :
       {"", "-a", "a-", "a--b", "A", "a b", "a_b", "a.b", "a/b", "caf\xc3\xa9"}) {
    EXPECT_FALSE(is_skill_name(name)) << name;
  }
  EXPECT_TRUE(is_skill_name(std::string(64, 'a')));
  EXPECT_FALSE(is_skill_name(std::string(65, 'a')));
}

TEST(SkillName, IsMadeOfAnyName) {
  EXPECT_EQ(skill_name("Code Review -- Expert!"), "code-review-expert");
  EXPECT_EQ(skill_name("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(skill_name("\xe6\x97\xa5\xe6\x9c\xac"), "");
  const auto cut = skill_name(std::string(63, 'a') + " " + std::string(9, 'b'));
  EXPECT_EQ(cut, std::string(63, 'a'));
  EXPECT_TRUE(is_skill_name(cut));
}

TEST(SkillText, AProperFileIsServedAsItIs) {
  const std::string file =
      "---\nname: pdf # the name\ndescription: 'Reads PDFs'\nlicense: MIT\n"
      "metadata: {version: '1.0', n: '3'}\n---\nBody\n";
  const auto text = made(file, DocumentForm::markdown, "pdf");
  EXPECT_EQ(text.text, file);
  EXPECT_EQ(text.description, "Reads PDFs");
  EXPECT_EQ(to_text(text.frontmatter),
            R"({"name":"pdf","description":"Reads PDFs","license":"MIT",)"
            R"("metadata":{"version":"1.0","n":"3"}})");
}

TEST(SkillText, MarksAndLineEndsStay) {
  const std::string file = "\xef\xbb\xbf---\r\nname: pdf\r\ndescription: d\r\n---\r\nBody\r\n";
  EXPECT_EQ(made(file, DocumentForm::markdown, "pdf").text, file);
}

TEST(SkillText, AnotherNameIsReplacedAndTheRestKept) {
  const std::string file =
      "---\ntags: [a, b]\nname: Code Review\ndescription: Looks at code\nversion: 2.1.0\n---\n"
      "Look twice.\n";
  EXPECT_EQ(made(file, DocumentForm::markdown, "code-review").text,
            "---\nname: code-review\ndescription: Looks at code\ntitle: Code Review\n"
            "tags:\n  - a\n  - b\nversion: 2.1.0\n---\n\n# Code Review\n\nLook twice.\n");
}

TEST(SkillText, ATitleOfItsOwnStays) {
  const auto text =
      made("---\nname: X Y\ndescription: d\ntitle: Z\n---\n# B\n", DocumentForm::markdown, "x-y");
  EXPECT_EQ(text.text, "---\nname: x-y\ndescription: d\ntitle: Z\n---\n\n# B\n");
}

TEST(SkillText, WhatOthersWouldNotReadIsMadeAnew) {
  // A name that is no text, an end of another kind, no description.
  for (const std::string file :
       {"---\nname: 12\ndescription: d\n---\nB\n", "---\nname: '12'\ndescription: d\n...\nB\n",
        "---\nname: '12'\n---\nB\n", "---\nname: '12'\ndescription: ' '\n---\nB\n"}) {
    const auto text = made(file, DocumentForm::markdown, "12");
    EXPECT_NE(text.text, file);
    EXPECT_TRUE(text.frontmatter.at("name").is_string());
    EXPECT_FALSE(text.description.empty());
    EXPECT_EQ(text.frontmatter.at("description").as_string(), text.description);
    EXPECT_TRUE(text.text.ends_with("\n---\n\n# 12\n\nB\n")) << text.text;
    // What was made is proper.
    EXPECT_EQ(made(text.text, DocumentForm::markdown, "12").text, text.text);
  }
}

TEST(SkillText, ProceduresAreWrittenOut) {
  const std::string file =
      "name: deploy\ndescription: Ships it\ncomposable: true\ninstructions: |\n  Be careful.\n"
      "procedures:\n"
      "  - step: 1\n    action: Build\n    description: Make it\n    tools_used: [make, gcc]\n"
      "  - step: 5\n    action: Ship\n    validation: |\n      It runs.\n      Twice.\n"
      "    extra: {a: 1}\n"
      "  - Rest\n";
  const auto text = made(file, DocumentForm::yaml, "deploy");
  EXPECT_EQ(text.text,
            "---\nname: deploy\ndescription: Ships it\ncomposable: true\n---\n\n# deploy\n\n"
            "Be careful.\n\n## Procedure\n\n"
            "1. Build: Make it\n   - Tools used: make, gcc\n"
            "5. Ship\n   - Validation: It runs.\n   Twice.\n   - Extra: {\"a\":1}\n"
            "3. Rest\n");
}

TEST(SkillText, FieldsBelowMetadataAndDataAreFound) {
  const std::string file =
      "metadata:\n  id: s1\n  name: Ship It\n  description: Ships\ndata:\n"
      "  composable: true\n  procedures:\n    - step: 1\n      action: Go\n";
  EXPECT_EQ(made(file, DocumentForm::yaml, "ship-it").text,
            "---\nname: ship-it\ndescription: Ships\ntitle: Ship It\nmetadata:\n  id: s1\n"
            "  name: Ship It\n  description: Ships\ndata:\n  composable: true\n---\n\n# Ship It\n\n"
            "## Procedure\n\n1. Go\n");
}

TEST(SkillText, ASkillWithoutWordsSaysItsDescription) {
  EXPECT_EQ(made("name: x\ndescription: All there is\n", DocumentForm::yaml, "x").text,
            "---\nname: x\ndescription: All there is\n---\n\n# x\n\nAll there is\n");
}

TEST(SkillText, BrokenFilesAreRefused) {
  auto broken = make_skill_text("---\nname: [\n---\n", DocumentForm::markdown, "x");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Code::invalid);
  // Nor can fields be written that nobody would read.
  auto huge = make_skill_text("name: x\ndescription: d\nnotes: " + std::string(100'000, 'x') + "\n",
                              DocumentForm::yaml, "x");
  EXPECT_FALSE(huge);
}

TEST(SkillText, IsWithinTheLimitsOfTheFormat) {
  const auto head = [](const std::string& rest) { return "---\nname: x\n" + rest + "---\nDo.\n"; };
  const auto markdown = DocumentForm::markdown;
  const auto right = head("description: " + std::string(1024, 'a') + "\n");
  EXPECT_EQ(made(right, markdown, "x").text, right);
  const auto cut =
      made(head("description: " + std::string(1025, 'a') + "\nlicense: MIT\n"), markdown, "x");
  EXPECT_EQ(cut.description, std::string(1023, 'a') + "…");
  EXPECT_EQ(cut.text,
            "---\nname: x\ndescription: " + cut.description + "\nlicense: MIT\n---\n\nDo.\n");
  const auto odd =
      made(head("description: d\ncompatibility: [a]\nmetadata: {n: 1.0, t: b}\n"), markdown, "x");
  EXPECT_EQ(odd.frontmatter.at("compatibility"), Json("[\"a\"]"));
  EXPECT_EQ(odd.frontmatter.at("metadata"), Json(JsonObject{{"n", "1.0"}, {"t", "b"}}));
}

}  // namespace
}  // namespace lode
