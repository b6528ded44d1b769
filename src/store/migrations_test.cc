#include "store/migrations.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "store/sqlite.h"
#include "store/test_directory.h"

namespace lode {
namespace {

class MigrationsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Database> open() const {
    return open_sqlite({.path = directory / "db", .forced_reruns = 1}).value();
  }

  TestDirectory directory;
  const std::vector<Migration> steps{
      {1, {"CREATE TABLE a (n {identity}, b {blob})", "INSERT INTO a (b) VALUES (NULL)"}},
      {2, {"INSERT INTO a (b) VALUES (NULL)"}},
  };
};

TEST_F(MigrationsTest, RunsEachStepOnce) {
  auto database = open();
  EXPECT_EQ(*database->schema_version(), 0);
  ASSERT_TRUE(migrate(*database, std::span(steps).first(1)));
  EXPECT_EQ(*database->schema_version(), 1);
  ASSERT_TRUE(migrate(*database, steps));
  ASSERT_TRUE(migrate(*database, steps));
  EXPECT_EQ(*database->schema_version(), 2);
  EXPECT_EQ(database->query("SELECT n FROM a")->size(), 2U);
}

TEST_F(MigrationsTest, LeavesNothingOfAStepThatFails) {
  auto database = open();
  const std::vector<Migration> wrong{{1, {"CREATE TABLE a (n {identity})", "no SQL at all"}}};
  auto done = migrate(*database, wrong);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message.find("migrating to 1: "), 0U) << done.error().message;
  EXPECT_EQ(*database->schema_version(), 0);
  EXPECT_TRUE(migrate(*database, steps));
}

TEST_F(MigrationsTest, RefusesADatabaseFromTheFuture) {
  auto database = open();
  ASSERT_TRUE(migrate(*database, steps));
  auto done = migrate(*database, std::span(steps).first(1));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::unsupported);
  EXPECT_NE(done.error().message.find("newer Lode (its schema is 2, this program knows 1)"),
            std::string::npos);
  EXPECT_EQ(*database->schema_version(), 2);
}

TEST_F(MigrationsTest, MayRunInSeveralPlacesAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      auto database = open();
      auto done = migrate(*database, steps);
      EXPECT_TRUE(done) << done.error().message;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(open()->query("SELECT n FROM a")->size(), 2U);
}

TEST_F(MigrationsTest, LodesOwnAreSound) {
  auto database = open();
  auto done = migrate(*database, lode_migrations());
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_TRUE(database->check());
}

}  // namespace
}  // namespace lode
