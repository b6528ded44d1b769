// Pages keep to their budgets, whatever stands in the collection.
#include "providers/capability/pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "base/tokens.h"
#include "engine/test_gate.h"
#include "workspace/test_tree.h"

namespace lode {
namespace {

constexpr std::size_t kSummaryMost = 3'300;
constexpr std::size_t kFullMost = 44'000;
constexpr std::size_t kStatsMost = 1'000;

std::size_t tokens_in(std::string_view text) { return Tokenizer::o200k().count(text); }

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

class PagesTest : public testing::Test {
 protected:
  // Every third type of text: plain, long, and far from ASCII.
  void write(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto type = kElementTypes[i % kElementTypeCount];
      const bool long_one = i % 3 == 1;
      const bool other_script = i % 3 == 2;
      std::string words = other_script ? "विश्लेषण 診断手順 ẕ̴͝" : "careful review of concurrent code";
      if (long_one) words = repeated("endless explanations of everything ", 200);
      std::string tags;
      for (std::size_t tag = 0; tag < (long_one ? 300 : 3); ++tag) {
        tags += fmt::format("{}tag-{}-{}", tag == 0 ? "" : ", ", i, tag);
      }
      std::string relations;
      for (std::size_t other = 0; other < (long_one ? 60 : 2); ++other) {
        relations += fmt::format("{}skill:nowhere-{}", other == 0 ? "" : ", ", other);
      }
      tree_.write(fmt::format("{}/element-{:05}.md", to_string(type), i),
                  fmt::format("---\nname: {} {}\ndescription: {}\ntags: [{}]\nrelated_skills: "
                              "[{}]\ngoals: [{}]\n---\nAbout {}\n",
                              other_script ? "名前の長い要素"
                              : long_one   ? repeated("Name ", 50)
                                           : "Name",
                              i, words, tags, relations, words, words));
    }
    collection_.start();
    collection_.wait_loaded();
  }
  std::string summary() const { return pages_.summary(ElementGate::open()); }
  std::string full() const { return pages_.full(ElementGate::open()); }

  void expect_budgets() const {
    EXPECT_LE(tokens_in(summary()), kSummaryMost);
    EXPECT_LE(tokens_in(full()), kFullMost);
    ServingFacts facts;
    facts.cache_hits = facts.cache_misses = facts.tokens_served = 1'000'000'000'000;
    EXPECT_LT(tokens_in(pages_.stats(facts)), kStatsMost);
    for (const char* heading : {"## Element Counts", "## Index Statistics", "## Top Keywords",
                                "## Recent Elements (Last 7 Days)", "## Available Resources"}) {
      EXPECT_NE(summary().find(heading), std::string::npos) << heading;
    }
    for (const char* heading : {"## Index Statistics", "## Element Distribution",
                                "## Vocabulary Breakdown", "## Relationship Graph"}) {
      EXPECT_NE(full().find(heading), std::string::npos) << heading;
    }
  }

  TestTree tree_;
  Index index_;
  Log log_{-1, Log::Form::text, LogLevel::off};
  Collection collection_{{(tree_ / "").string(), ""}, index_, log_, [](const auto&) {}};
  std::vector<Element> active_;
  CapabilityPages pages_{collection_,
                         index_,
                         {[] { return std::chrono::system_clock::now(); },
                          [this] { return active_; }, [] { return std::vector<Problem>(); }}};
};

TEST_F(PagesTest, OfNothing) {
  write(0);
  expect_budgets();
  EXPECT_NE(summary().find("*No words yet*"), std::string::npos);
  EXPECT_NE(summary().find("*No recent elements*"), std::string::npos);
  EXPECT_EQ(full().find("left out"), std::string::npos);
}

TEST_F(PagesTest, OfOneElement) {
  write(1);
  expect_budgets();
  EXPECT_NE(summary().find("\n1. **"), std::string::npos) << summary();
  EXPECT_EQ(summary().find("more:"), std::string::npos) << summary();
  EXPECT_NE(full().find("- **ID:** element-00000\n"), std::string::npos);
}

TEST_F(PagesTest, OfSixtyElementsNoneIsLeftOutOfTheWholePage) {
  write(60);
  expect_budgets();
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_NE(full().find(fmt::format("- **ID:** element-{:05}\n", i)), std::string::npos) << i;
  }
  EXPECT_EQ(full().find("left out"), std::string::npos);
  EXPECT_NE(summary().find("- … and 50 more: `capability-index://recent?days=7`\n"),
            std::string::npos);
  EXPECT_NE(summary().find(" more: `capability-index://problems`\n"), std::string::npos);
}

TEST_F(PagesTest, OfThreeThousandWhatIsLeftOutIsNamed) {
  write(3000);
  expect_budgets();
  const auto page = full();
  EXPECT_GT(tokens_in(page), CapabilityPages::kFullTokens / 2);
  // For each type: what is shown and what is left out are all, and the address
  // goes on where the page ends.
  for (const auto type : kElementTypes) {
    const auto begin = page.find(fmt::format("### {} (500)\n", to_string(type)));
    ASSERT_NE(begin, std::string::npos) << to_string(type);
    const auto end = page.find(" more are left out here; they go on at `", begin);
    ASSERT_NE(end, std::string::npos) << to_string(type);
    std::size_t shown = 0;
    std::string last;
    for (auto at = page.find("- **ID:** ", begin); at < end; at = page.find("- **ID:** ", at + 1)) {
      ++shown;
      last = page.substr(at + 10, 13);
    }
    const auto star = page.rfind('*', end);
    EXPECT_EQ(shown + std::stoul(page.substr(star + 1)), 500U);
    EXPECT_GT(shown, 0U);
    EXPECT_NE(
        page.find(fmt::format("`capability-index://elements/{}?cursor={}`", to_string(type), last),
                  end),
        std::string::npos);
  }
  EXPECT_NE(page.find("*There are more; an element's relations stand at "
                      "`capability-index://elements/{type}/{id}`.*"),
            std::string::npos);
}

TEST_F(PagesTest, OfManyActiveElements) {
  write(60);
  collection_.each([&](const Element& element) {
    for (int i = 0; i < 4; ++i) active_.push_back(element);
    return true;
  });
  expect_budgets();
  EXPECT_NE(summary().find("- … and 230 more: `capability-index://full`\n"), std::string::npos);
  EXPECT_EQ(full().find(" more: `capability-index://full`"), std::string::npos);
}

TEST_F(PagesTest, WhatIsHiddenIsNamedNowhere) {
  tree_.write("persona/open.md", "---\nname: Open\ndescription: plainword\n---\n");
  tree_.write("persona/closed.md",
              "---\nname: Closed\ndescription: plainword\nhot_swappable: no idea\n---\n");
  tree_.write("agent/a.md", "---\nname: A\ndescription: d\npersona: closed\n---\n");
  collection_.start();
  collection_.wait_loaded();
  TestRequest request([](Action, const Uri& uri) { return uri.segments().back() != "closed"; });
  const auto exchange = request.exchange();
  const ElementGate gate(exchange, collection_, ElementGate::Of::resources);
  const auto shown = ElementGate::open();
  CapabilityPages::ListFilter filter;
  const auto element = *collection_.find(ElementType::agent, "a");
  const auto all = [&](const ElementGate& who) {
    return std::vector{pages_.summary(who),       pages_.full(who),
                       pages_.list(who, filter),  pages_.recent(who, 7),
                       pages_.problems(who, 0),   pages_.search(who, "plainword", {}, 10),
                       pages_.about(who, element)};
  };
  const auto named = all(shown);
  const auto hidden = all(gate);
  for (std::size_t i = 0; i < named.size(); ++i) {
    EXPECT_NE(named[i].find(i == 6   ? "persona/closed"
                            : i == 4 ? "closed.md"
                                     : "losed"),
              std::string::npos)
        << named[i];
    EXPECT_EQ(hidden[i].find("Closed"), std::string::npos) << hidden[i];
    EXPECT_EQ(hidden[i].find("persona/closed"), std::string::npos) << hidden[i];
  }
}

}  // namespace
}  // namespace lode
