#include "search/index_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/hash.h"
#include "search/index.h"
#include "search/ranking.h"

namespace lode {
namespace {

class IndexFileTest : public testing::Test {
 protected:
  IndexFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lode-search-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    file_ = (directory_ / "index").string();
  }
  ~IndexFileTest() override { std::filesystem::remove_all(directory_); }

  static void fill(Index& index) {
    for (int i = 0; i < 5; ++i) {
      const std::string n = std::to_string(i);
      const std::string body = "shared words and word" + n + " naïve 東京";
      ASSERT_TRUE(index.put({.key = "doc:" + n,
                             .kind = i % 2 == 0 ? "even" : "odd",
                             .title = "Title " + n,
                             .body = body,
                             .stamp = ~std::uint64_t{0} - static_cast<std::uint64_t>(i),
                             .worth = static_cast<std::uint8_t>(100 - i)}));
    }
    index.remove("doc:3");
  }

  std::string read() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(std::string_view bytes) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << bytes;
  }

  static constexpr std::size_t kHash = 32;
  static std::size_t body_at(const std::string& bytes) { return bytes.find('\n') + 1 + kHash; }

  std::filesystem::path directory_;
  std::string file_;
};

void expect_same(const Index& a, const Index& b) {
  EXPECT_EQ(a.stats().documents, b.stats().documents);
  EXPECT_EQ(a.stats().vocabulary, b.stats().vocabulary);
  EXPECT_EQ(a.stats().average_length, b.stats().average_length);
  EXPECT_EQ(a.top_terms(1)[0].text, b.top_terms(1)[0].text);
  for (const auto* query : {"words", "word2 title", "naive", "東京", "nothing"}) {
    for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
      const auto one = a.search(query, {.scoring = scoring});
      const auto two = b.search(query, {.scoring = scoring});
      ASSERT_EQ(one.size(), two.size()) << query;
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].key, two[i].key);
        EXPECT_EQ(one[i].kind, two[i].kind);
        EXPECT_EQ(one[i].title, two[i].title);
        EXPECT_EQ(one[i].score, two[i].score);
        EXPECT_EQ(a.stamp(one[i].key), b.stamp(two[i].key));
      }
    }
  }
}

TEST_F(IndexFileTest, RoundTrip) {
  Index index;
  fill(index);
  ASSERT_TRUE(index.save(file_));
  Index loaded;
  ASSERT_TRUE(loaded.put({.key = "gone", .kind = "k", .body = "words"}));
  ASSERT_TRUE(loaded.load(file_));
  expect_same(index, loaded);
  EXPECT_FALSE(loaded.stamp("gone"));

  // And it goes on from there.
  ASSERT_TRUE(loaded.put({.key = "doc:0", .kind = "even", .body = "changed"}));
  EXPECT_EQ(loaded.search("words", {}).size(), 3U);
  EXPECT_TRUE(loaded.remove("doc:1"));
}

TEST_F(IndexFileTest, HoldsACompanionOfOneFormat) {
  Index index;
  fill(index);
  const std::string bytes("\0known\n", 7);
  ASSERT_TRUE(index.save(file_, {"things 1", bytes}));
  Index loaded;
  EXPECT_EQ(loaded.load(file_).error().code, Code::invalid);
  EXPECT_EQ(loaded.load(file_, "things 2").error().code, Code::invalid);
  EXPECT_EQ(*loaded.load(file_, "things 1"), bytes);
  expect_same(index, loaded);
  loaded.clear();
  EXPECT_EQ(loaded.stats().documents, 0U);
  EXPECT_FALSE(loaded.is_saved());
}

TEST_F(IndexFileTest, AnEmptyIndexToo) {
  ASSERT_TRUE(Index().save(file_));
  Index loaded;
  ASSERT_TRUE(loaded.load(file_));
  EXPECT_EQ(loaded.stats().documents, 0U);
}

TEST_F(IndexFileTest, SavingReplacesAndLeavesNothingBeside) {
  Index index;
  ASSERT_TRUE(index.save(file_));
  fill(index);
  ASSERT_TRUE(index.save(file_));
  Index loaded;
  ASSERT_TRUE(loaded.load(file_));
  EXPECT_EQ(loaded.stats().documents, 4U);
  const auto files = std::filesystem::directory_iterator(directory_);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  struct stat info {};
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST_F(IndexFileTest, WhatCannotBeReadOrWritten) {
  Index index;
  EXPECT_EQ(index.load(file_).error().code, Code::not_found);
  EXPECT_EQ(index.load(directory_.string()).error().code, Code::invalid);
  EXPECT_FALSE(index.save(file_ + "/none/index"));
  fill(index);
  ASSERT_TRUE(index.save(file_));
  Index small({.file_bytes = 10});
  EXPECT_EQ(small.load(file_).error().code, Code::invalid);
}

TEST_F(IndexFileTest, EveryDamageIsFound) {
  Index index;
  fill(index);
  ASSERT_TRUE(index.save(file_));
  const std::string good = read();
  const auto expect_invalid = [&](const std::string& bytes) {
    const auto corpus = decode(Buffer::copy_of(bytes), "");
    ASSERT_FALSE(corpus);
    EXPECT_EQ(corpus.error().code, Code::invalid);
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    expect_invalid(good.substr(0, i));
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      expect_invalid(bad);
    }
  }
  expect_invalid(good + '\0');

  // What was in the index stays.
  write(good.substr(0, good.size() / 2));
  Index other;
  ASSERT_TRUE(other.put({.key = "a", .kind = "k", .body = "words"}));
  EXPECT_EQ(other.load(file_).error().code, Code::invalid);
  EXPECT_EQ(other.search("words", {}).size(), 1U);
}

void use(Corpus& corpus) {
  for (const auto scoring : {Scoring::bm25, Scoring::tfidf}) {
    std::vector<QueryTerm> all;
    for (TermId id = 0; id < corpus.vocabulary().size(); ++id) all.push_back({id, 1});
    for (const auto& hit : rank(corpus, all, {.count = 3, .scoring = scoring})) {
      EXPECT_TRUE(std::isfinite(hit.score));
    }
  }
  for (const DocId id : corpus.living()) {
    EXPECT_TRUE(corpus.remove(std::string(corpus.key(id))));
  }
  EXPECT_EQ(corpus.documents(), 0U);
  EXPECT_EQ(corpus.living_terms(), 0U);
}

// Somebody may write a file with the right hash: then it is refused, or is an
// index like any other.
TEST_F(IndexFileTest, ForgedFilesDoNoHarm) {
  Index index;
  fill(index);
  ASSERT_TRUE(index.save(file_));
  const std::string good = read();
  const std::size_t begin = body_at(good);
  const std::string head = good.substr(0, begin - kHash);
  std::mt19937 random(1);
  std::size_t accepted = 0;
  const auto attempt = [&](const std::string& body) {
    const auto forged = decode(Buffer::copy_of(head + content_hash(body) + body), "");
    if (!forged) return;
    ++accepted;
    use(*forged->corpus);
  };
  for (std::size_t i = begin; i < good.size(); ++i) {
    for (const int value : {0, 1, 127, 128, 255}) {
      std::string body = good.substr(begin);
      body[i - begin] = static_cast<char>(value);
      attempt(body);
    }
    attempt(good.substr(begin, i - begin));
  }
  for (int i = 0; i < 500; ++i) {
    std::string body = good.substr(begin);
    for (int n = 0; n < 3; ++n) body[random() % body.size()] = static_cast<char>(random());
    attempt(body);
  }
  EXPECT_GT(accepted, 0U);
}

TEST_F(IndexFileTest, AnotherVersionIsMadeAnew) {
  Index index;
  ASSERT_TRUE(index.save(file_));
  std::string bytes = read();
  const auto version = bytes.find_first_of("0123456789");
  ASSERT_NE(version, std::string::npos);
  ++bytes[version];
  write(bytes);
  EXPECT_EQ(index.load(file_).error().code, Code::invalid);
}

}  // namespace
}  // namespace lode
