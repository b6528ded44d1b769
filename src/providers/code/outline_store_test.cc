#include "providers/code/outline_store.h"

#include <gtest/gtest.h>

#include "providers/code/outlines.h"
#include "store/sqlite.h"
#include "store/test_directory.h"
#include "syntax/local_syntax.h"

namespace lode {
namespace {

class OutlineStoreTest : public testing::Test {
 protected:
  OutlineStoreTest() {
    SqliteOptions options;
    options.path = directory / "outlines.db";
    options.forced_reruns = 1;
    database = std::move(*open_sqlite(options));
    EXPECT_TRUE(migrate(*database, outline_migrations()));
  }

  std::int64_t rows() {
    return database->query("SELECT count(*) FROM outlines")->front().integer(0);
  }

  TestDirectory directory;
  std::unique_ptr<Database> database;
};

TEST_F(OutlineStoreTest, FindsWhatWasPutBeforeAndAfterItIsWritten) {
  OutlineStore store(*database, {.batch = 2, .kept = 100});
  EXPECT_FALSE(store.find("a"));
  store.put("a", std::string("x\0y", 3));
  EXPECT_EQ(store.find("a"), std::string("x\0y", 3));
  store.write_batch();
  EXPECT_EQ(rows(), 0);
  store.put("b", "z");
  store.write_batch();
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(store.find("a"), std::string("x\0y", 3));
  EXPECT_EQ(OutlineStore(*database).find("b"), "z");
}

TEST_F(OutlineStoreTest, DropsTheOldestAndReplacesWhatIsDamaged) {
  OutlineStore store(*database, {.batch = 1, .kept = 3});
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    store.put(key, key);
    store.flush();
  }
  EXPECT_EQ(rows(), 3);
  EXPECT_FALSE(store.find("a"));
  EXPECT_EQ(store.find("e"), "e");
  store.put("e", "better");
  store.flush();
  EXPECT_EQ(store.find("e"), "better");
}

TEST_F(OutlineStoreTest, ATextIsParsedOnce) {
  const LocalSyntax syntax;
  const auto& python = *find_language("python");
  const std::string text = "def f(): pass\n";
  OutlineStore store(*database);
  Outlines outlines(syntax);
  outlines.keep_in(store);
  EXPECT_EQ(outlines.of(python, text)->symbols.size(), 1U);
  outlines.flush();
  ASSERT_EQ(rows(), 1);
  // What is kept is what is given, and damage is mended.
  const std::string none(7, '\0');  // no lines, no symbols, …
  ASSERT_TRUE(database->execute("UPDATE outlines SET outline = $1", {Blob{none}}));
  EXPECT_TRUE(outlines.of(python, text)->symbols.empty());
  ASSERT_TRUE(database->execute("UPDATE outlines SET outline = $1", {Blob{"rubbish"}}));
  EXPECT_EQ(outlines.of(python, text)->symbols.size(), 1U);
  // Another language's is another outline.
  EXPECT_TRUE(outlines.of(*find_language("markdown"), text)->symbols.empty());
}

}  // namespace
}  // namespace lode
