#include "search/corpus.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lode {
namespace {

void add(Corpus& corpus, const std::string& key, const std::vector<std::string>& words) {
  std::vector<Corpus::TermCount> terms;
  for (const auto& word : words) terms.push_back({corpus.intern(word, word), 1});
  corpus.add({.key = key, .title = "t", .kind = *corpus.intern_kind("k"), .length = 1}, terms);
}

std::size_t length_of(const Corpus& corpus, TermId term) {
  std::size_t n = 0;
  Posting posting;
  std::int64_t last = -1;
  for (PostingList::Cursor cursor(corpus.postings(term)); cursor.next(posting); ++n) {
    EXPECT_GT(posting.document, last) << "(1)";
    last = posting.document;
  }
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
