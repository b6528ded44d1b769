#include "search/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "search/index_fill.h"

namespace lode {
namespace {

using Keys = std::vector<std::string>;

Keys keys(const std::vector<Index::Hit>& hits) {
  Keys found;
  for (const auto& hit : hits) found.push_back(hit.key);
  return found;
}

void put(Index& index, std::string_view key, std::string_view body,
         std::string_view kind = "page") {
  ASSERT_TRUE(index.put({.key = key, .kind = kind, .body = body}));
}

const Index::Options kTfidf{.scoring = Scoring::tfidf};

TEST(IndexTest, NothingIsFoundInNothing) {
  const Index index;
  EXPECT_TRUE(index.search("anything", {}).empty());
  EXPECT_TRUE(index.search("", {}).empty());
  EXPECT_FALSE(index.similar("a", {}));
  EXPECT_TRUE(index.top_terms(10).empty());
  EXPECT_EQ(index.stats().documents, 0U);
  EXPECT_EQ(index.stats().average_length, 0);
}

TEST(IndexTest, OneDocumentIsFoundWithAScore) {
  Index index;
  put(index, "a", "searching for words");
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    const auto hits = index.search("word", {.scoring = scoring});
    ASSERT_EQ(keys(hits), Keys{"a"});
    EXPECT_GT(hits[0].score, 0);
  }
  // Two terms, each with an idf of one: the cosine of 45 degrees.
  EXPECT_NEAR(index.search("word", kTfidf)[0].score, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(index.search("search words", kTfidf)[0].score, 1, 1e-6);
  EXPECT_LE(index.search("search words", kTfidf)[0].score, 1);
  EXPECT_TRUE(index.search("other", {}).empty());
}

TEST(IndexTest, AQueryWithoutWordsFindsNothing) {
  Index index;
  put(index, "a", "words");
  EXPECT_TRUE(index.search("", {}).empty());
  EXPECT_TRUE(index.search(" -- !? \xFF", {}).empty());
  EXPECT_TRUE(index.search("words", {.limit = 0}).empty());
}

TEST(IndexTest, ADocumentWithoutWordsCounts) {
  Index index;
  put(index, "a", "");
  EXPECT_EQ(index.stats().documents, 1U);
  EXPECT_TRUE(index.similar("a", {})->empty());
  EXPECT_TRUE(index.remove("a"));
}

TEST(IndexTest, RareWordsWeighMore) {
  Index index;
  put(index, "a", "common rare");
  put(index, "b", "common other");
  put(index, "c", "common third");
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    EXPECT_EQ(keys(index.search("common rare", {.scoring = scoring})).front(), "a");
  }
}

TEST(IndexTest, TitlesWeighMoreThanKeywordsAndThoseMoreThanBodies) {
  Index index;
  ASSERT_TRUE(
      index.put({.key = "a", .kind = "k", .title = "x1", .keywords = "x2", .body = "word"}));
  ASSERT_TRUE(
      index.put({.key = "b", .kind = "k", .title = "x1", .keywords = "word", .body = "x3"}));
  ASSERT_TRUE(
      index.put({.key = "c", .kind = "k", .title = "Word", .keywords = "x2", .body = "x3"}));
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    EXPECT_EQ(keys(index.search("word", {.scoring = scoring})), (Keys{"c", "b", "a"}));
  }
  EXPECT_EQ(index.search("word", {})[0].title, "Word");
  EXPECT_EQ(index.search("word", {})[0].kind, "k");
}

TEST(IndexTest, StopWordsAreFoundInTitlesAlone) {
  Index index;
  ASSERT_TRUE(index.put({.key = "who", .kind = "page", .title = "who", .body = "logged in"}));
  put(index, "other", "who is logged in");
  EXPECT_EQ(keys(index.search("who", {})), Keys{"who"});
  EXPECT_EQ(index.search("who logged in", {}).size(), 2U);
}

TEST(IndexTest, NamesAreFoundInAnySpelling) {
  Index index;
  ASSERT_TRUE(index.put({.key = "a", .kind = "symbol", .title = "parseHttpRequest"}));
  for (const auto* query : {"parse_http_request", "parse request", "HTTP", "parsehttprequest"}) {
    EXPECT_EQ(keys(index.search(query, {})), Keys{"a"}) << query;
  }
}

TEST(IndexTest, WhatIsCalledSoComesBeforeWhatHasTheWords) {
  Index index;
  const std::string comment = "Sends a request to a server, and tells who asked what came of it";
  const auto put_named = [&](std::string_view key, std::string_view title, std::string_view body) {
    ASSERT_TRUE(index.put({.key = key,
                           .kind = "symbol",
                           .title = title,
                           .body = body,
                           .name = title.substr(title.rfind('.') + 1)}));
  };
  put_named("member", "Request.body", "");
  put_named("type", "Request", comment);
  put_named("longer", "RequestHandler", "");
  put_named("init", "Request.__init__", "");
  put_named("heading", "Request a page", "");
  EXPECT_EQ(keys(index.search("request", {})).front(), "type");
  EXPECT_EQ(keys(index.search("request_handler", {})).front(), "longer");
  EXPECT_EQ(keys(index.search("init", {})), Keys{"init"});
  EXPECT_EQ(keys(index.search("Request.body", {})).front(), "member");
}

TEST(IndexTest, WhatIsWorthLessComesLater) {
  Index index;
  ASSERT_TRUE(index.put({.key = "a", .kind = "page", .title = "same words", .worth = 20}));
  ASSERT_TRUE(index.put({.key = "b", .kind = "page", .title = "same words"}));
  ASSERT_TRUE(index.put({.key = "c", .kind = "page", .title = "same words", .worth = 90}));
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    const auto hits = index.search("words", {.limit = 2, .scoring = scoring});
    EXPECT_EQ(keys(hits), (Keys{"b", "c"}));
    EXPECT_NEAR(hits[1].score, 0.9 * hits[0].score, 1e-9);
  }
}

TEST(IndexTest, EqualScoresAreInTheOrderOfKeys) {
  Index index;
  for (const auto* key : {"c", "a", "d", "b"}) put(index, key, "same words");
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    EXPECT_EQ(keys(index.search("words", {.scoring = scoring})), (Keys{"a", "b", "c", "d"}));
    EXPECT_EQ(keys(index.search("words", {.limit = 2, .scoring = scoring})), (Keys{"a", "b"}));
  }
}

TEST(IndexTest, KindsChoose) {
  Index index;
  put(index, "a", "word", "task");
  put(index, "b", "word", "symbol");
  put(index, "c", "word", "element");
  EXPECT_EQ(keys(index.search("word", {.kinds = {"task", "element"}})), (Keys{"a", "c"}));
  EXPECT_TRUE(index.search("word", {.kinds = {"unknown"}}).empty());
}

TEST(IndexTest, WhatIsRefusedTakesNoPlace) {
  Index index;
  for (int i = 0; i < 2000; ++i) put(index, "hidden/" + std::to_string(i), "word");
  put(index, "shown/1", "word and many others that make it longer");
  put(index, "shown/2", "word and many others that make it longer");
  Index::Options options{.limit = 2};
  options.permits = [](std::string_view key) { return key.starts_with("shown"); };
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    options.scoring = scoring;
    EXPECT_EQ(keys(index.search("word", options)), (Keys{"shown/1", "shown/2"}));
  }
  options.permits = [](std::string_view) { return false; };
  EXPECT_TRUE(index.search("word", options).empty());
}

TEST(IndexTest, TheFilterMayUseTheIndex) {
  Index index;
  put(index, "a", "word");
  Index::Options options;
  options.permits = [&](std::string_view key) {
    put(index, "b", "word");
    return index.stamp(key).has_value();
  };
  EXPECT_EQ(keys(index.search("word", options)), Keys{"a"});
}

TEST(IndexTest, ReplacesAndRemoves) {
  Index index;
  put(index, "a", "old text");
  put(index, "a", "new text");
  EXPECT_EQ(index.stats().documents, 1U);
  EXPECT_TRUE(index.search("old", {}).empty());
  EXPECT_EQ(keys(index.search("new", {})), Keys{"a"});
  EXPECT_TRUE(index.remove("a"));
  EXPECT_FALSE(index.remove("a"));
  EXPECT_TRUE(index.search("new", {}).empty());
  EXPECT_EQ(index.stats().documents, 0U);
  EXPECT_EQ(index.stats().vocabulary, 0U);
}

TEST(IndexTest, Similar) {
  Index index;
  put(index, "a", "cats chase mice at night");
  put(index, "b", "at night, cats chase mice");
  put(index, "c", "mice fear cats");
  put(index, "d", "boats sail");
  const auto hits = index.similar("a", {});
  ASSERT_TRUE(hits);
  EXPECT_EQ(keys(*hits), (Keys{"b", "c"}));
  EXPECT_NEAR(hits->front().score, 1, 1e-6);
}

TEST(IndexTest, TopTermsAreWordsOfTheTexts) {
  Index index;
  ASSERT_TRUE(
      index.put({.key = "a", .kind = "k", .title = "does the", .body = "Past connections"}));
  put(index, "b", "connecting databases 2024, connected databases; the x");
  put(index, "c", "Databases, databases");
  const auto top = index.top_terms(2);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].text, "databases");
  EXPECT_EQ(top[0].documents, 2U);
  EXPECT_EQ(top[0].term, "databas");
  EXPECT_EQ(top[0].key, "b");
  EXPECT_EQ(top[1].text, "Past");
  EXPECT_GE(top[0].weight, top[1].weight);

  const std::vector<std::string> some = {"a", "nothing"};
  Keys words;
  for (const auto& keyword : index.top_terms(10, some)) words.push_back(keyword.text);
  std::sort(words.begin(), words.end());
  EXPECT_EQ(words, (Keys{"Past", "connected"}));
}

TEST(IndexTest, TopTermsTellDocumentsApart) {
  Index index;
  for (int i = 0; i < 6; ++i) {
    std::string text = "use the name of type string";  // what all say
    text += i < 2 ? " concurrency locks concurrency" : " spelling";
    put(index, std::to_string(i), text);
  }
  Keys words;
  for (const auto& keyword : index.top_terms(10)) words.push_back(keyword.text);
  EXPECT_EQ(words, (Keys{"concurrency", "locks"})) << "over half of them say the others";
  const std::vector<std::string> some = {"0", "1", "2", "3", "4"};
  EXPECT_EQ(index.top_terms(1, some)[0].documents, 2U) << "of those that are looked at";
}

TEST(IndexTest, DatesVersionsAndIdsAreNoTopTerms) {
  Index index;
  put(index, "a",
      "2026-11-16T02:25:25Z v2 1.2.3 x86 a3f9c2e4 persona_tutor_20250101-000000 3d utf8 sha256");
  Keys words;
  for (const auto& keyword : index.top_terms(20)) words.push_back(keyword.text);
  std::sort(words.begin(), words.end());
  EXPECT_EQ(words, (Keys{"persona", "sha256", "tutor", "utf8"}));
}

TEST(IndexTest, StatsAreReal) {
  Index index;
  const std::size_t empty = index.stats().bytes;
  put(index, "a", "one two three");
  put(index, "b", "two three three four five");
  const auto stats = index.stats();
  EXPECT_EQ(stats.documents, 2U);
  EXPECT_EQ(stats.vocabulary, 5U);
  EXPECT_EQ(stats.average_length, 4);
  EXPECT_GT(stats.bytes, empty);
}

TEST(IndexTest, MemoryDoesNotGrowWithReplacements) {
  Index index;
  const auto fill = [&](int round) {
    for (int i = 0; i < 500; ++i) {
      put(index, std::to_string(i), "common word" + std::to_string(round * 500 + i));
    }
  };
  for (int round = 0; round < 10; ++round) fill(round);
  const std::size_t before = index.stats().bytes;
  for (int round = 10; round < 100; ++round) fill(round);
  EXPECT_LT(index.stats().bytes, 8 * before);
  EXPECT_EQ(index.stats().vocabulary, 501U);
}

TEST(IndexTest, StampsAndKnownDocuments) {
  Index index;
  ASSERT_TRUE(index.put({.key = "a", .kind = "task", .body = "x", .stamp = ~std::uint64_t{0}}));
  ASSERT_TRUE(index.put({.key = "b", .kind = "page", .body = "x", .stamp = 2}));
  EXPECT_EQ(index.stamp("a"), ~std::uint64_t{0});
  EXPECT_EQ(index.stamp("c"), std::nullopt);
  const auto known = index.known("page");
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].key, "b");
  EXPECT_EQ(known[0].stamp, 2U);
}

TEST(IndexTest, Limits) {
  Index index({.documents = 2,
               .key_bytes = 3,
               .title_bytes = 4,
               .text_bytes = 8,
               .query_bytes = 8,
               .query_terms = 1});
  EXPECT_EQ(index.put({.key = "", .kind = "k"}).error().code, Code::invalid);
  EXPECT_EQ(index.put({.key = "long", .kind = "k"}).error().code, Code::invalid);
  ASSERT_TRUE(index.put({.key = "a", .kind = "k", .title = "añññ", .body = "one two three"}));
  ASSERT_TRUE(index.put({.key = "b", .kind = "k", .body = "two"}));
  EXPECT_EQ(index.put({.key = "c", .kind = "k"}).error().code, Code::unavailable);
  EXPECT_TRUE(index.put({.key = "b", .kind = "k", .body = "two"}));

  EXPECT_EQ(index.search("one", {})[0].title, "añ") << "no half character";
  EXPECT_TRUE(index.search("three", {}).empty());
  EXPECT_EQ(keys(index.search("one two", {})), Keys{"a"}) << "the rarer word only";
  EXPECT_TRUE(index.search("x x x x two", {}).empty());

  Index small({.bytes = 1});
  EXPECT_EQ(small.put({.key = "a", .kind = "k"}).error().code, Code::unavailable);
}

TEST(IndexTest, ManyReadersAndAWriter) {
  Index index;
  std::atomic<bool> done = false;
  const auto read = [&](Scoring scoring) {
    Index::Options options{.limit = 5, .scoring = scoring};
    options.permits = [](std::string_view key) { return key.back() != '7'; };
    while (!done) {
      for (const auto& hit : index.search("shared w3 w5", options)) {
        EXPECT_GT(hit.score, 0);
        EXPECT_NE(hit.key.back(), '7');
      }
      (void)index.similar("k1", options);
      EXPECT_LE(index.stats().documents, 100U);
    }
  };
  std::thread one(read, Scoring::bm25);
  std::thread two(read, Scoring::tfidf);
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "k" + std::to_string(i % 100);
    if (i % 3 == 0) index.remove(key);
    put(index, key, "shared w" + std::to_string(i % 11) + " unique" + std::to_string(i));
  }
  done = true;
  one.join();
  two.join();
  EXPECT_EQ(index.stats().documents, 100U);
}

TEST(IndexTest, SeveralAtOnceAreAsOneByOne) {
  Index::Limits limits;
  limits.key_bytes = 8;
  limits.documents = 150;
  Index one_by_one(limits);
  Index at_once(limits);
  std::deque<std::string> texts;
  std::vector<Index::Document> documents;
  for (int i = 0; i < 200; ++i) {
    const auto& key = texts.emplace_back(i % 50 == 7 ? "far too long" : std::to_string(i % 170));
    const auto& body = texts.emplace_back("word " + std::to_string(i));
    documents.push_back({.key = key, .kind = "k", .body = body});
  }
  std::vector<bool> expected;
  for (const auto& document : documents) {
    expected.push_back(one_by_one.put(document).ok());
  }
  EXPECT_EQ(at_once.put_all(documents), expected);
  EXPECT_EQ(at_once.stats().documents, one_by_one.stats().documents);
  EXPECT_EQ(at_once.stats().vocabulary, one_by_one.stats().vocabulary);
  const auto a = at_once.search("word 171", {});
  const auto b = one_by_one.search("word 171", {});
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].key, b[i].key);
  EXPECT_TRUE(at_once.put_all({}).empty());
}

TEST(IndexFillTest, FilledAtOnceIsAsOneByOne) {
  Index one_by_one;
  Index filled;
  std::vector<std::string> bodies;
  for (int i = 0; i < 300; ++i) {
    bodies.push_back("common word" + std::to_string(i % 40) + (i % 3 == 0 ? " third third" : ""));
  }
  const auto document = [&](const std::string& key, std::size_t i) {
    return Index::Document{.key = key, .kind = "k", .title = "a title", .body = bodies[i]};
  };
  IndexFill fill(filled, bodies.size());
  const auto put_half = [&](std::size_t from) {
    for (std::size_t i = from; i < bodies.size(); i += 2) {
      EXPECT_TRUE(fill.put(document(std::to_string(i), i)));
    }
  };
  {
    const std::jthread odd([&] { put_half(1); });
    put_half(0);
  }
  EXPECT_EQ(filled.stats().documents, 0U) << "before the end it knows nothing of them";
  EXPECT_FALSE(fill.put({.key = "", .kind = "k"}));
  ASSERT_TRUE(fill.finish());
  EXPECT_FALSE(filled.is_saved());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ASSERT_TRUE(one_by_one.put(document(std::to_string(i), i)));
  }
  // What comes later is put as ever.
  for (Index* index : {&one_by_one, &filled}) {
    ASSERT_TRUE(index->put(document("7", 9)));
    ASSERT_TRUE(index->put(document("new", 0)));
    ASSERT_TRUE(index->remove("8"));
  }
  EXPECT_EQ(filled.stats().documents, one_by_one.stats().documents);
  EXPECT_EQ(filled.stats().vocabulary, one_by_one.stats().vocabulary);
  for (const char* query : {"third", "word7 third", "common title"}) {
    for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
      const Index::Options options{.limit = 400, .scoring = scoring};
      const auto a = filled.search(query, options);
      const auto b = one_by_one.search(query, options);
      ASSERT_EQ(keys(a), keys(b)) << query;
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].score, b[i].score, 1e-6);
    }
  }
}

TEST(IndexFillTest, TwoOfOneKeyLeaveTheIndexAsItWas) {
  Index index;
  put(index, "before", "walrus");
  IndexFill fill(index, 2);
  EXPECT_TRUE(fill.put({.key = "a", .kind = "k"}));
  EXPECT_TRUE(fill.put({.key = "a", .kind = "k"}));
  EXPECT_FALSE(fill.finish());
  EXPECT_EQ(keys(index.search("walrus", {})), Keys{"before"});
}

}  // namespace
}  // namespace lode
