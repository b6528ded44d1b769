#include "providers/capability/element_news.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "providers/capability/skills.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

using Told = std::set<std::string>;

std::string sheet(const std::string& name) {
  return "---\nname: " + name + "\ndescription: d\n---\nBody\n";
}

Collection::News news_of(ElementType type, const std::string& id) {
  Collection::News news;
  news.elements[{type, id}] = {"/a/file.md"};
  return news;
}

class ElementNewsTest : public testing::Test {
 protected:
  ElementNewsTest() {
    tree_.write("skill/pdf/SKILL.md", sheet("pdf"));
    tree_.write("skill/pdf/scripts/run.sh", "echo\n");
    tree_.write("skill/deep/er/SKILL.md", sheet("deeper"));
    tree_.write("skill/plain.md", sheet("Plain Skill"));
    collection_.load(ElementType::skill);
    subscription_ = events_.listen([this](const Change& change) {
      const auto uri = change.uri.empty() ? std::string(to_string(change.kind)) : change.uri;
      told_.insert(change.kind == Change::Kind::tree ? uri + "/**" : uri);
    });
    tell({});
  }

  // What is told of skills.
  Told tell(const Collection::News& news) {
    told_.clear();
    news_.publish(news);
    std::erase_if(told_, [](const std::string& uri) { return !uri.starts_with("skill:"); });
    return told_;
  }
  Told tell_files(Changes changes) { return tell({{}, {{0, std::move(changes)}}}); }
  void read(const std::string& file) { collection_.refresh(true, file); }
  // Writes a file, has it read, and says which made which element change.
  std::set<std::string> touching(const std::string& file, const std::string& text) {
    tree_.write(file, text);
    read(file);
    return last_.elements[{ElementType::persona, "ada"}];
  }
  std::string path(const std::string& file) const { return (tree_ / "").string() + "/" + file; }

  TestTree tree_;
  Index index_;
  Collection::News last_;  // of the collection
  Log log_{-1, Log::Form::text, LogLevel::off};
  Collection collection_{
      {(tree_ / "").string(), ""}, index_, log_, [this](const Collection::News& news) {
        last_ = news;
      }};
  Events events_;
  std::vector<std::string> searched_;  // why the index changed
  ElementNews news_{collection_, events_, [this](const ElementNews::Causes& because) {
                      for (const auto& cause : because) searched_.push_back(cause.uri);
                    }};
  Told told_;
  Events::Subscription subscription_;
};

TEST_F(ElementNewsTest, NothingIsToldTwice) { EXPECT_EQ(tell({}), Told{}); }

TEST_F(ElementNewsTest, AFileAndItsDirectoryAreTold) {
  Changes changes;
  changes.paths = {"persona/x.md", "skill/pdf/scripts/a b.sh", "skill/plain.md", "skill/none/x"};
  changes.listings = {"", "skill", "skill/pdf", "skill/pdf/scripts"};
  EXPECT_EQ(tell_files(changes),
            (Told{"skill://pdf", "skill://pdf/scripts", "skill://pdf/scripts/a%20b.sh"}));
}

TEST_F(ElementNewsTest, ADirectoryThatWentTakesWhatIsBelow) {
  Changes changes;
  changes.trees = {"skill/pdf/scripts"};
  EXPECT_EQ(tell_files(changes), Told{"skill://pdf/scripts/**"});
  changes.trees = {"skill/deep"};
  EXPECT_EQ(tell_files(changes), Told{"skill://deeper/**"});
  Changes everything;
  everything.everything = true;
  EXPECT_EQ(tell_files(everything), (Told{"skill://deeper/**", "skill://pdf/**"}));
}

TEST_F(ElementNewsTest, ASkillThatComesOrGoesIsTold) {
  tree_.write("skill/late/SKILL.md", sheet("late"));
  read("skill/late/SKILL.md");
  EXPECT_EQ(tell(news_of(ElementType::skill, "late")),
            (Told{"skill://late/**", "skill://late/SKILL.md"}));
  tree_.remove("skill/pdf");
  read("skill/pdf/SKILL.md");
  EXPECT_EQ(tell(news_of(ElementType::skill, "pdf")), Told{"skill://pdf/**"});
}

TEST_F(ElementNewsTest, ASkillInAFileOfItsOwnIsToldAsItsSheet) {
  EXPECT_EQ(tell(news_of(ElementType::skill, "plain")), Told{"skill://plain-skill/SKILL.md"});
}

TEST_F(ElementNewsTest, ANewNameIsAnotherSkill) {
  tree_.write("skill/plain.md", sheet("other"));
  read("skill/plain.md");
  EXPECT_EQ(tell(news_of(ElementType::skill, "plain")),
            (Told{"skill://other/**", "skill://other/SKILL.md", "skill://plain-skill/**"}));
}

TEST_F(ElementNewsTest, PagesAndListsAreTold) {
  told_.clear();
  news_.publish(news_of(ElementType::persona, "a b"));
  EXPECT_EQ(told_, (Told{"capability-index://active", "capability-index://elements/persona/a%20b",
                         "capability-index://full", "capability-index://problems",
                         "capability-index://stats", "capability-index://summary", "prompt_list"}));
  told_.clear();
  news_.publish(news_of(ElementType::skill, "pdf"));
  EXPECT_TRUE(told_.contains("resource_list"));
  EXPECT_FALSE(told_.contains("prompt_list"));
}

TEST_F(ElementNewsTest, PagesWithAQueryAreToldIfSomebodyListens) {
  const std::string all[] = {
      "capability-index://elements/memory?tag=x",   "capability-index://elements/persona",
      "capability-index://recent?days=3",           "capability-index://search?q=a&type=memory",
      "capability-index://search?q=a&type=persona", "capability-index://search?q=b",
      "capability-index://problems?after=100"};
  for (const auto& uri : all) news_.watch(Uri::parse(uri).value(), true);
  told_.clear();
  searched_.clear();
  news_.publish(news_of(ElementType::memory, "m"));
  std::erase_if(told_,
                [&](const auto& uri) { return std::ranges::find(all, uri) == std::end(all); });
  EXPECT_EQ(told_, (Told{all[0], all[2], all[3], all[5], all[6]}));
  EXPECT_EQ(searched_, std::vector<std::string>{"capability-index://elements/memory/m"});

  Collection::News malformed;
  malformed.malformed["/a/bad.md"] = "capability-index://elements/memory/bad";
  told_.clear();
  searched_.clear();
  news_.publish(malformed);
  EXPECT_TRUE(told_.contains(all[6])) << "of problems only";
  EXPECT_FALSE(told_.contains(all[2]));
  EXPECT_TRUE(searched_.empty());

  for (const auto& uri : all) news_.watch(Uri::parse(uri).value(), false);
  told_.clear();
  news_.publish(news_of(ElementType::memory, "m"));
  EXPECT_FALSE(told_.contains(all[2]));
}

TEST_F(ElementNewsTest, AnElementIsToldWithTheFilesThatMadeIt) {
  using Paths = std::set<std::string>;
  const auto first = path("persona/ada.md");
  const auto second = path("persona/ada.yaml");
  EXPECT_EQ(touching("persona/ada.yaml", "name: Ada\ndescription: d\n"), Paths{second});
  EXPECT_EQ(touching("persona/ada.md", sheet("Ada")), (Paths{first, second})) << "it counts now";
  EXPECT_EQ(touching("persona/ada.md", sheet("ADA")), Paths{first});
  EXPECT_EQ(touching("persona/ada.yaml", "name: Ada\ndescription: e\n"), Paths{second});
  tree_.remove("persona/ada.md");
  read("persona/ada.md");
  EXPECT_EQ((last_.elements[{ElementType::persona, "ada"}]), (Paths{first, second}));
  tree_.write("persona/bad.md", "---\nname: [\n---\n");
  read("persona/bad.md");
  EXPECT_TRUE(last_.elements.empty());
  EXPECT_EQ(last_.malformed[path("persona/bad.md")], "capability-index://elements/persona/bad");
}

TEST_F(ElementNewsTest, PagesAreToldWithWhatMadeThem) {
  std::map<std::string, std::set<std::string>> because;
  const auto heard = events_.listen([&](const Change& change) {
    for (const auto& cause : change.because) {
      because[change.uri].insert(cause.uri + " " + cause.file.path);
    }
  });
  news_.publish(news_of(ElementType::memory, "m"));
  const std::set<std::string> of_element{"capability-index://elements/memory/m /a/file.md"};
  EXPECT_EQ(because["capability-index://summary"], of_element);
  EXPECT_EQ(because["capability-index://elements/memory/m"], of_element);
  tree_.remove("skill/pdf");
  read("skill/pdf/SKILL.md");
  news_.publish(last_);
  EXPECT_EQ(because["skill://pdf"],
            std::set<std::string>{"skill://pdf/SKILL.md " + path("skill/pdf/SKILL.md")});
}

TEST_F(ElementNewsTest, ManyElementsAreToldAsOne) {
  Collection::News news;
  for (int i = 0; i < 1001; ++i) news.elements[{ElementType::memory, std::to_string(i)}] = {"/f"};
  told_.clear();
  news_.publish(news);
  EXPECT_TRUE(told_.contains("capability-index://elements/**"));
  EXPECT_TRUE(told_.contains("capability-index://summary"));
  EXPECT_FALSE(told_.contains("capability-index://elements/memory/7"));
  news.elements.erase({ElementType::memory, "1"});
  told_.clear();
  news_.publish(news);
  EXPECT_TRUE(told_.contains("capability-index://elements/memory/7"));
}

}  // namespace
}  // namespace lode
