// Pages keep to their budgets, whatever stands in the collection.
#include "providers/capability/pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
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
    EXPECT_LT(tokens_in(pages_.stats(ElementGate::open(), facts)), kStatsMost);
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

TEST_F(PagesTest, TheTotalOfAFilteredListIsOfWhatItShows) {
  for (const char* name : {"a", "b", "c", "d"}) {
    tree_.write(fmt::format("persona/{}.md", name),
                fmt::format("---\nname: {0}\ndescription: d\ntags: [{1}]\n---\n", name,
                            *name < 'd' ? "x" : "y"));
  }
  collection_.start();
  collection_.wait_loaded();
  const auto list = [&](const ElementList& wanted) {
    return parse_json(pages_.list(ElementGate::open(), wanted)).value().as_object();
  };
  EXPECT_EQ(list({}).at("total"), 4);
  const auto first = list({.tag = "x", .limit = 2});
  EXPECT_EQ(first.at("total"), 3);
  EXPECT_EQ(first.at("elements").as_array().size(), 2U);
  const auto second = list({.tag = "x", .limit = 2, .cursor = "b"});
  EXPECT_EQ(second.at("total"), 3) << "on every page";
  EXPECT_EQ(second.at("elements").as_array().size(), 1U);
  EXPECT_FALSE(second.contains("next"));
}

TEST_F(PagesTest, RecentElementsHavePagesByTheirOwnDates) {
  const auto now = std::chrono::system_clock::now();
  const auto day = std::chrono::hours(24);
  const auto write = [&](const char* id, const std::string& fields) {
    tree_.write(fmt::format("memory/{}.md", id),
                fmt::format("---\nname: {}\ndescription: d\n{}---\n", id, fields));
  };
  write("old", "created: 2024-01-01\n");  // the file is new
  write("file", "");
  write("far", "updated: 9999-12-31\n");
  write("two", fmt::format("updated: \"{}\"\n", iso_time(now - 2 * day)));
  write("three", fmt::format("updated: {}\ncreated: 2024-01-01\n", iso_time(now - 3 * day)));
  write("wrong", fmt::format("updated: soon\ncreated: {}\n", iso_time(now - 4 * day)));
  collection_.start();
  collection_.wait_loaded();
  std::vector<std::string> ids;
  RecentElements wanted{.limit = 2};
  for (bool more = true; more;) {
    const auto page =
        parse_json(pages_.recent(ElementGate::open(), wanted).value()).value().as_object();
    EXPECT_EQ(page.at("total"), 5);
    for (const auto& element : page.at("elements").as_array()) {
      ids.emplace_back(element.at("id").as_string());
    }
    more = page.contains("next");
    if (!more) break;
    const auto next = Uri::parse(page.at("next").as_string()).value();
    const auto match = UriTemplate::parse(kRecentTemplate).value().match(next.text()).value();
    wanted = RecentElements::parse(Address(next, match)).value();
    ASSERT_LT(ids.size(), 6U);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"far", "file", "two", "three", "wrong"}));
  EXPECT_FALSE(pages_.recent(ElementGate::open(), {.cursor = "nonsense"}));
  EXPECT_FALSE(pages_.recent(ElementGate::open(), {.cursor = "1.persona"}));
}

TEST_F(PagesTest, HitsSayWhatTheyAre) {
  tree_.write("persona/a.md",
              "---\nname: Ada\ndescription: Knows engines\n---\n# Of her\nShe wrote programs.\n");
  collection_.start();
  collection_.wait_loaded();
  const auto page = parse_json(pages_.search(ElementGate::open(), {"program"})).value().as_object();
  const auto& hit = page.at("hits").as_array().at(0).as_object();
  EXPECT_EQ(hit.at("type"), "persona");
  EXPECT_EQ(hit.at("name"), "Ada");
  EXPECT_EQ(hit.at("description"), "Knows engines");
  EXPECT_EQ(hit.at("snippet"), "# Of her She wrote programs.");
  const double score = hit.at("score").as_double();
  EXPECT_EQ(score, std::round(score * 100) / 100);
  TestRequest request([](Action, const Uri& uri) { return uri.scheme() != "file"; });
  const auto exchange = request.exchange();
  const ElementGate gate(exchange, collection_, ElementGate::Of::resources);
  EXPECT_EQ(pages_.search(gate, {"program"}).find("snippet"), std::string::npos)
      << "of a text that the caller may not read";
  EXPECT_NE(pages_.search(gate, {"engine"}).find("Knows engines"), std::string::npos);
}

// The term is one, the words are two.
TEST_F(PagesTest, NoKeywordIsSpelledAsAHiddenElementDoes) {
  tree_.write("persona/open.md", "---\nname: Open\ndescription: d\n---\nZephyrings blow.\n");
  tree_.write("persona/closed.md", "---\nname: Closed\ndescription: d\n---\nZephyred.\n");
  collection_.start();
  collection_.wait_loaded();
  TestRequest request([](Action, const Uri& uri) { return uri.segments().back() != "closed"; });
  const auto exchange = request.exchange();
  const ElementGate gate(exchange, collection_, ElementGate::Of::resources);
  EXPECT_NE(summary().find("Zephyred"), std::string::npos);
  EXPECT_EQ(pages_.summary(gate).find("Zephyred"), std::string::npos);
  EXPECT_NE(pages_.summary(gate).find("Zephyrings"), std::string::npos);
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
  ElementList filter;
  const auto element = *collection_.find(ElementType::agent, "a");
  const auto all = [&](const ElementGate& who) {
    return std::vector{pages_.summary(who),       pages_.full(who),
                       pages_.list(who, filter),  pages_.recent(who, {}).value(),
                       pages_.problems(who, 0),   pages_.search(who, {"plainword"}),
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
