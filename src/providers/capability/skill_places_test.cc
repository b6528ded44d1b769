// Skills that other programs keep: served beside those among the elements, and
// never written.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/log.h"
#include "providers/capability/manage.h"
#include "providers/capability/skills.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

std::string sheet(const std::string& name, const std::string& about) {
  return "---\nname: " + name + "\ndescription: " + about + "\n---\nBody\n";
}

class SkillPlacesTest : public testing::Test {
 protected:
  void load(const std::vector<std::string>& hide = {}) {
    Collection::Folders folders;
    folders.workspace = (tree_ / "w/.lode/elements").string();
    folders.user = (tree_ / "home/elements").string();
    folders.root = (tree_ / "w").string();
    folders.secrets = SecretRules({}, hide);
    folders.skills = {{(tree_ / "w/.claude/skills").string(), ".claude/skills", true},
                      {(tree_ / "home/.claude/skills").string(), "~/.claude/skills", false}};
    tree_.make_directory("w");
    collection_.emplace(std::move(folders), index_, log_, [](const auto&) {});
    collection_->start();
    collection_->wait_loaded();
    shelf_.emplace(*collection_);
  }
  std::string text(const std::string& address) const {
    auto contents = shelf_->read(*Uri::parse(address));
    return contents ? contents->items.at(0).bytes : contents.error().message;
  }
  std::string problems() const {
    std::string out;
    for (const auto& problem : collection_->problems(10)) out += problem.sentence() + "\n";
    for (const auto& problem : shelf_->problems(10)) out += problem.sentence() + "\n";
    return out;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : shelf_->entries({}).items) out.push_back(entry.name);
    return out;
  }

  TestTree tree_;
  Index index_;
  Log log_{-1, Log::Form::text, LogLevel::off};
  std::optional<Collection> collection_;
  std::optional<SkillShelf> shelf_;
};

using Names = std::vector<std::string>;

TEST_F(SkillPlacesTest, AreServedWithTheirFiles) {
  tree_.write("w/.claude/skills/pdf/SKILL.md", sheet("pdf", "of the workspace"));
  tree_.write("w/.claude/skills/pdf/scripts/run.sh", "echo\n");
  tree_.write("w/.claude/skills/README.md", "no skill\n");
  tree_.write("w/.claude/skills/notes/plain.md", sheet("plain", "no SKILL.md"));
  tree_.write("home/.claude/skills/mail/SKILL.md", sheet("mail", "of the user"));
  load();
  EXPECT_EQ(names(), (Names{"mail", "pdf"}));
  EXPECT_EQ(text("skill://pdf/SKILL.md"), sheet("pdf", "of the workspace"));
  EXPECT_EQ(text("skill://pdf/scripts/run.sh"), "echo\n");
  EXPECT_EQ(text("skill://pdf"), "skill://pdf/SKILL.md\nskill://pdf/scripts\n");
  EXPECT_EQ(problems(), "");
  ASSERT_TRUE(collection_->find(ElementType::skill, "mail"));
  EXPECT_EQ(*collection_->text_of(*collection_->find(ElementType::skill, "mail")),
            sheet("mail", "of the user"));
}

TEST_F(SkillPlacesTest, ElementsOfTheSameOwnerWin) {
  tree_.write("w/.lode/elements/skill/pdf/SKILL.md", sheet("pdf", "an element"));
  tree_.write("w/.claude/skills/pdf/SKILL.md", sheet("pdf", "kept elsewhere"));
  tree_.write("home/.claude/skills/pdf/SKILL.md", sheet("pdf", "the user's"));
  tree_.write("home/.claude/skills/mail/SKILL.md", sheet("mail", "the user's"));
  tree_.write("home/elements/skill/mail.md", sheet("mail", "an element"));
  load();
  EXPECT_EQ(names(), (Names{"mail", "pdf"}));
  EXPECT_EQ(text("skill://pdf/SKILL.md"), sheet("pdf", "an element"));
  EXPECT_EQ(text("skill://mail/SKILL.md"), sheet("mail", "an element"));
  EXPECT_EQ(problems(),
            ".claude/skills/pdf/SKILL.md:1: the id \"pdf\" is also that of skill/pdf/SKILL.md, "
            "which counts\n"
            "~/.claude/skills/mail/SKILL.md:1: the id \"mail\" is also that of skill/mail.md, "
            "which counts\n");
}

TEST_F(SkillPlacesTest, ANameUsedTwiceIsAProblemOfTheLater) {
  tree_.write("w/.lode/elements/skill/one.md", sheet("pdf", "first"));
  tree_.write("w/.claude/skills/two/SKILL.md", sheet("pdf", "second"));
  load();
  EXPECT_EQ(text("skill://pdf/SKILL.md"), sheet("pdf", "first"));
  EXPECT_EQ(problems(),
            ".claude/skills/two/SKILL.md:1: the skill's name in addresses, \"pdf\", is also that "
            "of skill/one.md, which counts\n");
}

TEST_F(SkillPlacesTest, TheRulesOfTheWorkspaceHold) {
  tree_.write("w/.claude/skills/pdf/SKILL.md", sheet("pdf", "d"));
  tree_.write("w/.claude/skills/pdf/.env", "TOKEN=1\n");
  tree_.write("w/.claude/skills/pdf/private/a.txt", "a\n");
  tree_.write("w/.claude/skills/pdf/b.txt", "b\n");
  tree_.write("w/.claude/skills/secret/SKILL.md", sheet("secret", "d"));
  tree_.write("w/.lode/elements/persona/me.md", sheet("me", "d"));
  load({".claude/skills/secret", "private", ".lode/elements/persona/me.md"});
  EXPECT_EQ(names(), Names{"pdf"});
  EXPECT_EQ(text("skill://pdf"), "skill://pdf/SKILL.md\nskill://pdf/b.txt\n");
  EXPECT_EQ(text("skill://pdf/private/a.txt"), "no such resource");
  EXPECT_EQ(text("skill://pdf/.env"), "no such resource");
  EXPECT_FALSE(collection_->find(ElementType::persona, "me"));
  EXPECT_EQ(problems(), "");
}

TEST_F(SkillPlacesTest, AFolderThatLeadsOutOfTheWorkspaceIsNone) {
  tree_.write("elsewhere/pdf/SKILL.md", sheet("pdf", "d"));
  tree_.write("elsewhere/persona/x.md", sheet("x", "d"));
  tree_.make_directory("w/.claude");
  tree_.make_directory("w/.lode");
  tree_.make_directory("home/.claude");
  std::filesystem::create_symlink(tree_ / "elsewhere", tree_ / "w/.claude/skills");
  std::filesystem::create_symlink(tree_ / "elsewhere", tree_ / "w/.lode/elements");
  load();
  EXPECT_EQ(names(), Names{});
  EXPECT_FALSE(collection_->find(ElementType::persona, "x"));
}

TEST_F(SkillPlacesTest, TheUsersMayBeALink) {
  tree_.write("elsewhere/pdf/SKILL.md", sheet("pdf", "d"));
  tree_.make_directory("home/.claude");
  std::filesystem::create_symlink(tree_ / "elsewhere", tree_ / "home/.claude/skills");
  load();
  EXPECT_EQ(names(), Names{"pdf"});
}

TEST_F(SkillPlacesTest, AreNotWritten) {
  tree_.write("w/.claude/skills/pdf/SKILL.md", sheet("pdf", "d"));
  load();
  const ElementManager manager(*collection_, nullptr, (tree_ / "trash").string());
  const auto gate = ElementGate::open();
  const auto update = manager.update(gate, {ElementType::skill, "pdf", {{"description", "x"}}, {}});
  ASSERT_FALSE(update);
  EXPECT_EQ(update.error().code, Code::unsupported);
  EXPECT_TRUE(update.error().message.starts_with("skill \"pdf\" is kept in .claude/skills/pdf/"))
      << update.error().message;
  EXPECT_EQ(manager.remove(gate, ElementType::skill, "pdf").error().code, Code::unsupported);
  EXPECT_EQ(text("skill://pdf/SKILL.md"), sheet("pdf", "d"));
  // One's own takes its place.
  const auto made = manager.create(gate, {ElementType::skill, "pdf", "mine", {}, "Mine", {}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_NE(text("skill://pdf/SKILL.md").find("mine"), std::string::npos);
}

}  // namespace
}  // namespace lode
