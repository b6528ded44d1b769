#include "search/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "search/ranking.h"

namespace lode {
namespace {

void add(Corpus& corpus, const std::string& key, const std::vector<std::string>& words) {
  std::vector<Corpus::TermCount> terms;
  for (const auto& word : words) terms.push_back({corpus.intern(word, word), 1});
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.term < b.term; });
  corpus.add({.key = key, .title = "t", .kind = *corpus.intern_kind("k"), .length = 1}, terms);
}

std::size_t length_of(const Corpus& corpus, TermId term) {
  std::size_t n = 0;
  std::int64_t last = -1;
  corpus.postings(term).each([&](const Posting& posting) {
    EXPECT_GT(posting.document, last) << "(1)";
    last = posting.document;
    ++n;
  });
  return n;
}

TEST(CorpusTest, TheDeadDoNotOutnumberTheLiving) {
  Corpus corpus;
  for (int i = 0; i < 1000; ++i) add(corpus, std::to_string(i), {"common"});
  const TermId common = *corpus.vocabulary().find("common");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(corpus.remove(std::to_string((i * 7) % 1000)));
    ASSERT_EQ(corpus.df(common), 999U - static_cast<unsigned>(i));
    ASSERT_LE(length_of(corpus, common), 2 * corpus.df(common));
  }
  EXPECT_EQ(corpus.living_terms(), 0U);
  EXPECT_EQ(corpus.postings(common).heap_bytes(), 0U);
}

TEST(CorpusTest, CompactedIsTheSameWithoutTheDead) {
  Corpus corpus;
  for (int i = 0; i < 100; ++i) add(corpus, std::to_string(i), {"word" + std::to_string(i), "z"});
  for (int i = 0; i < 100; i += 2) corpus.remove(std::to_string(i));
  const auto compact = corpus.compacted();
  EXPECT_EQ(compact->documents(), 50U);
  EXPECT_EQ(compact->vocabulary().size(), 51U);
  EXPECT_EQ(compact->total_length(), corpus.total_length());
  EXPECT_LT(compact->bytes(), corpus.bytes());
  EXPECT_EQ(compact->df(*compact->vocabulary().find("z")), 50U);
  EXPECT_FALSE(compact->find("2"));
  const auto record = compact->record(*compact->find("3"));
  EXPECT_EQ(record.key, "3");
  EXPECT_EQ(record.title, "t");
  std::vector<std::string> words;
  compact->each_term(*compact->find("3"), [&](TermId term, std::uint32_t) {
    words.emplace_back(compact->vocabulary().term(term));
  });
  EXPECT_EQ(words.size(), 2U);
}

TEST(CorpusTest, LargeDocumentsThatAreReplacedBecomeWasteful) {
  Corpus corpus;
  const auto key = [](int i) { return std::to_string(i) + std::string(100'000, 'k'); };
  for (int i = 0; i < 20; ++i) add(corpus, key(i), {"word"});
  for (int i = 0; i < 15; ++i) {
    ASSERT_FALSE(corpus.wasteful());
    corpus.remove(key(i));
  }
  corpus.remove(key(15));
  EXPECT_TRUE(corpus.wasteful());
  EXPECT_LT(corpus.compacted()->bytes(), 700'000U);
}

TEST(CorpusTest, BecomesWasteful) {
  Corpus corpus;
  for (int i = 0; i < 1024; ++i) {
    add(corpus, "a", {"word"});
    ASSERT_FALSE(corpus.wasteful());
    corpus.remove("a");
  }
  add(corpus, "a", {"word"});
  corpus.remove("a");
  EXPECT_TRUE(corpus.wasteful());
  EXPECT_FALSE(corpus.compacted()->wasteful());
}

// The bounds of norms are some, and at least so near.
void expect_bounded(const Corpus& some, double tightness) {
  for (const DocId id : some.living()) {
    const double length = norm(some, id);
    const double bound = std::sqrt(some.norm_bound(id));
    ASSERT_LE(bound, length);
    ASSERT_GE(bound, tightness * length);
    for (std::size_t edge = 0; edge < Strata::kEdges; ++edge) {
      if (has_bit(some.norm_strata().below(edge, id / kWindow), id % kWindow)) continue;
      ASSERT_LE(std::sqrt(some.norm_strata().edge(edge)), length);
    }
  }
}

TEST(CorpusTest, NormsAreBoundedWhateverComesAndGoes) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  Corpus corpus;
  std::size_t next = 0;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 700; ++i) {
      std::vector<std::string> words;
      for (std::size_t w = 0; w < 400; w += 1 + below(w + 1)) {
        words.push_back("w" + std::to_string(w));
      }
      words.push_back("only" + std::to_string(next));
      add(corpus, std::to_string(next++), words);
      if (round > 6) corpus.remove(std::to_string(below(next)));
    }
    if (corpus.layers_due()) corpus.set_layers(corpus.make_layers());
    expect_bounded(corpus, 0.9);
  }
  EXPECT_FALSE(corpus.norm_strata().empty());
  // Of words that nearly all have, idf is little more than the slack of its bound.
  for (std::size_t i = 0; i < next; ++i) {
    if (i % 5 != 0) corpus.remove(std::to_string(i));
    if (i % 500 == 0) expect_bounded(corpus, 0.3);
  }
  expect_bounded(*corpus.compacted(), 0.9);
}

TEST(CorpusTest, NormsAreBoundedWhenRareWordsBecomeCommon) {
  Corpus corpus;
  for (int i = 0; i < 5000; ++i) {
    const std::string n = std::to_string(i);
    add(corpus, n, {"first" + n, "second" + n, "common"});
  }
  corpus.set_layers(corpus.make_layers());
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back("first" + std::to_string(50 * i));
  for (int i = 5000; !corpus.layers_due(); ++i) add(corpus, std::to_string(i), words);
  expect_bounded(corpus, 0.9);
}

TEST(CorpusTest, LongAndShortPostingLists) {
  PostingList list;
  std::uint32_t last = 0;
  std::vector<Posting> expected;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Posting posting{i * i * 4000 + i, i % 3 == 0 ? 1 : i * 100'000};
    list.append(posting, last);
    last = posting.document;
    expected.push_back(posting);
    if (i == 0) {
      EXPECT_EQ(list.heap_bytes(), 0U);
    }
  }
  PostingList moved(std::move(list));
  Posting posting;
  PostingList::Cursor cursor(moved);
  for (const auto& [document, count] : expected) {
    ASSERT_TRUE(cursor.next(posting));
    EXPECT_EQ(posting.document, document);
    EXPECT_EQ(posting.count, count);
  }
  EXPECT_FALSE(cursor.next(posting));
}

}  // namespace
}  // namespace lode
