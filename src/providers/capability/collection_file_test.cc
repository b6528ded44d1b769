#include "providers/capability/collection_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <string>

#include "base/derived_file.h"
#include "base/log.h"
#include "providers/capability/collection.h"
#include "search/index.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

ElementRecords some_records() {
  Element element;
  element.type = ElementType::template_;
  element.id = "letter";
  element.name = "Letter";
  element.description = "naïve, 東京";
  element.author = "me";
  element.tags = {"a", ""};
  element.created = "2026-01-15T13:05:01Z";
  element.goals = {"one goal"};
  element.relations = {{"uses", "skill:x", std::nullopt, 3},
                       {"has persona", "p", ElementType::persona, 4}};
  element.variables = {{"to", "whom", "string", std::nullopt, true},
                       {"from", "", "string", "me", false}};
  element.file = "template/letter.md";
  element.stamp = ~std::uint64_t{0};
  ElementRecords records;
  records[{1, "template/letter.md"}] = {element.stamp, element, {}};
  records[{0, "skill/broken.md"}] = {7, std::nullopt, {{"skill/broken.md", 2, "no name"}}};
  return records;
}

TEST(CollectionFile, RefusesARecordThatSaysNothing) {
  ElementRecords records;
  records[{0, "skill/a.md"}] = {7, std::nullopt, {}};
  const auto read = decode_records(encode(records));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "it is damaged");
}

void expect_same(const ElementRecords& a, const ElementRecords& b) {
  EXPECT_EQ(encode(a), encode(b));
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [place, record] : a) {
    const auto& other = b.at(place);
    EXPECT_EQ(record.stamp, other.stamp);
    ASSERT_EQ(record.element.has_value(), other.element.has_value());
    if (record.element) {
      EXPECT_EQ(record.element->uri(), other.element->uri());
      EXPECT_EQ(record.element->file, other.element->file);
      EXPECT_EQ(record.element->of_workspace, other.element->of_workspace);
      EXPECT_EQ(record.element->stamp, other.element->stamp);
      EXPECT_EQ(record.element->tags, other.element->tags);
      EXPECT_EQ(record.element->variables[1].fallback, other.element->variables[1].fallback);
    }
    ASSERT_EQ(record.problems.size(), other.problems.size());
    if (!record.problems.empty()) {
      EXPECT_EQ(record.problems[0].sentence(), other.problems[0].sentence());
    }
  }
}

TEST(CollectionFile, WhatIsKeptComesBack) {
  for (const auto& records : {ElementRecords(), some_records()}) {
    const auto read = decode_records(encode(records));
    ASSERT_TRUE(read);
    expect_same(records, *read);
  }
}

// With the right seal, so that the decoder itself is what meets them.
TEST(CollectionFile, NoBytesDoHarm) {
  const std::string good = encode(some_records());
  const std::string format = good.substr(5, good.find('\n') - 5);
  const std::string body(*unseal(format, good));
  std::mt19937 random(1);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 5'000; ++i) {
    std::string bad = body.substr(0, i < body.size() ? i : body.size());
    for (int n = 0; n < 3 && !bad.empty(); ++n) {
      bad[random() % bad.size()] = static_cast<char>(random());
    }
    refused += decode_records(seal(format, bad)) ? 0 : 1;
  }
  EXPECT_GT(refused, 1'000U);
  EXPECT_EQ(decode_records(body).error().code, Code::invalid);
}

class RememberTest : public testing::Test {
 protected:
  RememberTest() { tree.make_directory("w"); }

  // A whole run of the program on the folder.
  struct Run {
    // asked: somebody wants the skills before anything is loaded.
    explicit Run(RememberTest& test, bool asked = false)
        : log(Log::silent()),
          collection({(test.tree / "w").string(), ""}, index, log, [](const auto&) {}) {
      const auto before = [this, &test, asked] {
        if (asked) collection.load(ElementType::skill);
        (void)index.load(test.file("index"));
        (void)collection.remember(test.file("known"));
      };
      collection.start({before, {}});
      EXPECT_TRUE(collection.wait_loaded());
    }
    void end(RememberTest& test) {
      collection.stop();
      ASSERT_TRUE(index.save(test.file("index")));
      ASSERT_TRUE(collection.save(test.file("known")));
    }
    std::string name_of(const char* id) const {
      const auto element = collection.find(ElementType::skill, id);
      return element ? element->name : "";
    }
    Index index;
    Log log;
    Collection collection;
  };

  std::string file(const char* name) const { return (tree / name).string(); }
  void write(const char* id, const std::string& name) const {
    tree.write(std::string("w/skill/") + id + ".md",
               "---\nname: " + name + "\ndescription: d\n---\nbody of " + name + "\n");
  }
  // The name that was kept becomes another, which no file says.
  void forge(const char* id, const std::string& name) const {
    auto records = *decode_records(read_derived(file("known"), 1 << 20)->view());
    records.at({0, std::string("skill/") + id + ".md"}).element->name = name;
    ASSERT_TRUE(write_derived(file("known"), encode(records)));
  }

  TestTree tree;
};

TEST_F(RememberTest, AFileThatDidNotChangeIsNotReadAgain) {
  write("a", "Alpha");
  write("b", "Beta");
  Run(*this).end(*this);
  forge("a", "Forged");
  forge("b", "Forged");
  write("b", "Better");
  const Run run(*this);
  EXPECT_EQ(run.name_of("a"), "Forged");
  EXPECT_EQ(run.name_of("b"), "Better");
  EXPECT_EQ(run.index.search("alpha", {}).size(), 1U);
  EXPECT_EQ(run.index.search("better", {}).size(), 1U);
  EXPECT_EQ(run.index.search("beta", {}).size(), 0U);
}

TEST_F(RememberTest, WhatWasReadBeforeTheIndexWasLoadedIsIndexed) {
  write("a", "Alpha");
  Run(*this).end(*this);
  write("a", "Other");
  const Run run(*this, true);
  EXPECT_EQ(run.name_of("a"), "Other");
  EXPECT_EQ(run.index.search("other", {}).size(), 1U);
  EXPECT_EQ(run.index.search("alpha", {}).size(), 0U);
}

TEST_F(RememberTest, WhatWentMeanwhileIsGone) {
  write("a", "Alpha");
  write("b", "Beta");
  Run(*this).end(*this);
  tree.remove("w/skill/a.md");
  Run run(*this);
  EXPECT_EQ(run.name_of("a"), "");
  EXPECT_EQ(run.collection.counts()[static_cast<std::size_t>(ElementType::skill)], 1U);
  EXPECT_EQ(run.index.search("alpha", {}).size(), 0U);
  run.end(*this);
  EXPECT_EQ(decode_records(read_derived(file("known"), 1 << 20)->view())->size(), 1U);
}

TEST_F(RememberTest, WhatTheIndexLostIsReadAgain) {
  write("a", "Alpha");
  Run(*this).end(*this);
  forge("a", "Forged");
  tree.remove("index");
  const Run run(*this);
  EXPECT_EQ(run.name_of("a"), "Alpha");
  EXPECT_EQ(run.index.search("alpha", {}).size(), 1U);
}

TEST_F(RememberTest, DamageCostsOnlyTime) {
  write("a", "Alpha");
  Run(*this).end(*this);
  tree.write("known", "rubbish");
  const Run run(*this);
  EXPECT_EQ(run.name_of("a"), "Alpha");
}

}  // namespace
}  // namespace lode
