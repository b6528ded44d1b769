#include "store/sqlite.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>
#include <thread>
#include <vector>

#include "store/migrations.h"
#include "store/test_directory.h"

namespace lode {
namespace {

class SqliteTest : public ::testing::Test {
 protected:
  std::unique_ptr<Database> open(const SqliteOptions& options) const {
    auto database = open_sqlite(options);
    EXPECT_TRUE(database) << database.error().message;
    return database ? *std::move(database) : nullptr;
  }
  std::unique_ptr<Database> open() const { return open({.path = path}); }
  // With a table of values v under numbers n.
  std::unique_ptr<Database> open_with_table() const {
    auto database = open();
    EXPECT_TRUE(database->execute("CREATE TABLE t (n BIGINT PRIMARY KEY, v TEXT)"));
    return database;
  }
  std::string refusal() const {
    auto database = open_sqlite({.path = path});
    return database ? "opened" : database.error().message;
  }

  TestDirectory directory;
  const std::string path = directory / "state/work/lode.db";
};

TEST_F(SqliteTest, GivesBackEveryKindOfValue) {
  auto database = open();
  ASSERT_TRUE(
      database->execute("CREATE TABLE t (a BIGINT, b DOUBLE PRECISION, c TEXT, d BLOB, e TEXT)"));
  const std::string text("a\0ü", 4);
  const std::string bytes("\0\xff", 2);
  const auto most = std::numeric_limits<std::int64_t>::max();
  ASSERT_TRUE(database->execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5)",
                                {most, 0.5, text, Blob{bytes}, std::monostate{}}));
  auto rows = database->query("SELECT a, b, c, d, e FROM t");
  ASSERT_TRUE(rows && rows->size() == 1);
  const Row& row = rows->front();
  EXPECT_EQ(row.size(), 5U);
  EXPECT_EQ(row.integer(0), most);
  EXPECT_EQ(row.real(1), 0.5);
  EXPECT_EQ(row.text(2), text);
  EXPECT_EQ(row.blob(3), bytes);
  EXPECT_TRUE(row.is_null(4));
  EXPECT_EQ(row.text(4), "");
  EXPECT_EQ(row.integer(9), 0);
}

TEST_F(SqliteTest, BindsParametersByTheirNumber) {
  auto database = open();
  auto rows = database->query("SELECT $2, $1, $2, $3", {"one", "two", "three"});
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->front().text(0), "two");
  EXPECT_EQ(rows->front().text(1), "one");
  EXPECT_EQ(rows->front().text(2), "two");
  EXPECT_EQ(rows->front().text(3), "three");
}

TEST_F(SqliteTest, RefusesStatementsThatDoNotFit) {
  auto database = open_with_table();
  EXPECT_FALSE(database->query("SELECT $1", {}));
  EXPECT_FALSE(database->query("SELECT $1", {1, 2}));
  EXPECT_FALSE(database->query("SELECT $1, $3", {1, 2}));
  EXPECT_FALSE(database->query("SELECT ?", {1}));
  EXPECT_FALSE(database->query("SELECT 1; SELECT 2"));
  EXPECT_FALSE(database->query(""));
  EXPECT_FALSE(database->query("SELECT \"text\""));
  EXPECT_FALSE(database->query("INSERT INTO t VALUES (1, 'x') RETURNING n"));
  EXPECT_TRUE(database->query("SELECT 1;\n"));
}

TEST_F(SqliteTest, KeepsFewStatementsHoweverManyThereAre) {
  auto database = open();
  for (int i = 0; i < 600; ++i) {
    auto rows = database->query("SELECT " + std::to_string(i));
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->front().integer(0), i);
  }
}

TEST_F(SqliteTest, RunsABodyAgainWhereATestWantsIt) {
  auto database = open({.path = path, .forced_reruns = 2});
  EXPECT_TRUE(database->execute("CREATE TABLE t (n BIGINT PRIMARY KEY, v TEXT)"));
  int runs = 0;
  std::vector<int> told;
  const auto insert = [&](const Status& end) {
    return database->transaction([&](Transaction& transaction) -> Status {
      ++runs;
      transaction.after_commit([&told, run = runs] { told.push_back(run); });
      EXPECT_EQ(transaction.query("SELECT v FROM t")->size(), 0U) << "the last run was undone";
      EXPECT_TRUE(transaction.execute("INSERT INTO t VALUES (1, 'a')"));
      return end;
    });
  };
  EXPECT_FALSE(insert(invalid("no")));
  EXPECT_EQ(runs, 3);
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(insert({}));
  EXPECT_EQ(told, (std::vector<int>{6})) << "only what was committed";
  EXPECT_EQ(database->query("SELECT v FROM t")->size(), 1U);
}

TEST_F(SqliteTest, CommitsAllOrNothing) {
  auto database = open_with_table();
  int told = 0;
  const auto insert = [&](const Status& end) {
    return database->transaction([&](Transaction& transaction) -> Status {
      transaction.after_commit([&] { ++told; });
      EXPECT_TRUE(transaction.execute("INSERT INTO t VALUES (1, 'a')"));
      EXPECT_EQ(transaction.query("SELECT v FROM t")->size(), 1U);
      return end;
    });
  };
  EXPECT_FALSE(insert(invalid("no")));
  EXPECT_EQ(told, 0);
  EXPECT_EQ(database->query("SELECT v FROM t")->size(), 0U);
  EXPECT_TRUE(insert({}));
  EXPECT_EQ(told, 1);
  EXPECT_EQ(database->query("SELECT v FROM t")->size(), 1U);
}

TEST_F(SqliteTest, UndoesWhatABodyLeftByThrowing) {
  auto database = open_with_table();
  EXPECT_THROW((void)database->transaction([&](Transaction& transaction) -> Status {
    EXPECT_TRUE(transaction.execute("INSERT INTO t VALUES (1, 'a')"));
    throw std::runtime_error("out");
  }),
               std::runtime_error);
  EXPECT_EQ(database->query("SELECT v FROM t")->size(), 0U);
  EXPECT_TRUE(database->execute("INSERT INTO t VALUES (1, 'b')"));
}

TEST_F(SqliteTest, RefusesToWriteBesideItsOwnTransaction) {
  auto database = open_with_table();
  auto done = database->transaction([&](Transaction&) -> Status {
    EXPECT_FALSE(database->execute("INSERT INTO t VALUES (1, 'a')"));
    return database->transaction([](Transaction&) { return Status(); });
  });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::internal);
  EXPECT_TRUE(database->execute("INSERT INTO t VALUES (1, 'a')"));
}

TEST_F(SqliteTest, SaysWhatAConstraintRefused) {
  auto database = open_with_table();
  EXPECT_EQ(*database->execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')"), 2);
  auto again = database->execute("INSERT INTO t VALUES (1, 'a')");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::conflict);
  ASSERT_TRUE(database->execute("CREATE TABLE child (n BIGINT REFERENCES t (n))"));
  EXPECT_EQ(database->execute("INSERT INTO child VALUES (9)").error().code, Code::conflict);
}

TEST_F(SqliteTest, ReadsOneStateWhileOthersWrite) {
  auto database = open_with_table();
  auto done = database->read([&](Executor& snapshot) -> Status {
    EXPECT_EQ(snapshot.query("SELECT v FROM t")->size(), 0U);
    EXPECT_TRUE(database->execute("INSERT INTO t VALUES (1, 'a')"));
    EXPECT_EQ(snapshot.query("SELECT v FROM t")->size(), 0U);
    EXPECT_EQ(database->query("SELECT v FROM t")->size(), 1U);
    return {};
  });
  EXPECT_TRUE(done);
}

TEST_F(SqliteTest, SaysThatItIsBusyWhenTheWaitIsOver) {
  auto database = open_with_table();
  auto other = open({.path = path, .busy_timeout = std::chrono::milliseconds(1)});
  auto done = database->transaction([&](Transaction&) -> Status {
    auto refused = other->execute("INSERT INTO t VALUES (1, 'a')");
    EXPECT_EQ(refused.error().code, Code::unavailable);
    refused = other->transaction([](Transaction&) { return Status(); }).error();
    EXPECT_EQ(refused.error().code, Code::unavailable);
    EXPECT_TRUE(other->query("SELECT v FROM t"));
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_TRUE(other->execute("INSERT INTO t VALUES (1, 'a')"));
}

TEST_F(SqliteTest, SaysThatItIsBusyWhenAllReadersAreLent) {
  open_with_table();
  auto database = open({.path = path, .busy_timeout = std::chrono::milliseconds(1), .readers = 1});
  auto done = database->read([&](Executor&) -> Status {
    EXPECT_EQ(database->query("SELECT 1").error().code, Code::unavailable);
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_TRUE(database->query("SELECT 1"));
}

TEST_F(SqliteTest, ManyThreadsShareIt) {
  auto database = open_with_table();
  ASSERT_TRUE(database->execute("INSERT INTO t VALUES (1, ''), (2, '')"));
  const auto append = [&](Transaction& transaction) -> Status {
    for (const int n : {1, 2}) {
      auto done = transaction.execute("UPDATE t SET v = v || 'x' WHERE n = $1", {n});
      if (!done) return std::move(done).error();
    }
    return {};
  };
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 20; ++n) {
        EXPECT_TRUE(database->transaction(append));
        auto rows = database->query("SELECT v FROM t ORDER BY n");
        ASSERT_TRUE(rows);
        EXPECT_EQ(rows->at(0).text(0), rows->at(1).text(0));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(database->query("SELECT v FROM t WHERE n = 1")->front().text(0), std::string(120, 'x'));
  EXPECT_TRUE(database->check());
}

TEST_F(SqliteTest, IsForItsOwnerAlone) {
  auto database = open_with_table();
  const auto mode = [&](const std::string& file) {
    struct stat info {};
    EXPECT_EQ(::stat(file.c_str(), &info), 0) << file;
    return info.st_mode & 0777U;
  };
  EXPECT_EQ(mode(directory / "state"), 0700U);
  EXPECT_EQ(mode(directory / "state/work"), 0700U);
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode(path + suffix), 0600U) << suffix;
}

TEST_F(SqliteTest, SyncsEveryCommitToTheLog) {
  auto database = open();
  auto done = database->transaction([](Transaction& transaction) -> Status {
    EXPECT_EQ(transaction.query("PRAGMA synchronous")->front().integer(0), 2);
    EXPECT_EQ(transaction.query("PRAGMA journal_mode")->front().text(0), "wal");
    EXPECT_EQ(transaction.query("PRAGMA foreign_keys")->front().integer(0), 1);
    EXPECT_EQ(transaction.query("PRAGMA application_id")->front().integer(0), 0x4c6f6465);
    return {};
  });
  EXPECT_TRUE(done);
}

TEST_F(SqliteTest, LeavesADamagedFileAsItIs) {
  std::filesystem::create_directories(directory / "state/work");
  const std::string garbage(5000, 'g');
  directory.write("state/work/lode.db", garbage);
  EXPECT_NE(refusal().find("is damaged"), std::string::npos) << refusal();
  EXPECT_EQ(directory.read("state/work/lode.db"), garbage);
}

TEST_F(SqliteTest, FindsDamageInside) {
  open_with_table()->execute("INSERT INTO t VALUES (1, 'a')").value();
  std::string bytes = directory.read("state/work/lode.db");
  ASSERT_GE(bytes.size(), 8192U);
  bytes.replace(4096, 64, std::string(64, '\x7f'));
  directory.write("state/work/lode.db", bytes);
  auto database = open();
  auto checked = database->check();
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("is damaged"), std::string::npos);
  EXPECT_EQ(directory.read("state/work/lode.db"), bytes);
}

TEST_F(SqliteTest, RefusesAnotherProgramsDatabase) {
  open_with_table()->execute("PRAGMA application_id=7").value();
  const std::string bytes = directory.read("state/work/lode.db");
  EXPECT_NE(refusal().find("another program's"), std::string::npos) << refusal();
  EXPECT_EQ(directory.read("state/work/lode.db"), bytes);
}

TEST_F(SqliteTest, SaysWhereItCannotBe) {
  directory.write("state", "a file");
  EXPECT_NE(refusal().find("state/work"), std::string::npos) << refusal();
}

}  // namespace
}  // namespace lode
