// Acknowledged is kept: a database that lives through many power failures.
//
// Each life opens the database on a CrashDisk, writes until the disk stops at a
// random operation (opening, migrating, recovering and closing included), and
// leaves what a failure could leave. A copy of that is opened as the program
// opens it: it must be sound and hold every acknowledged transaction, the one
// that was under way whole or not at all, and the change feed in step with the
// data. The next life goes on from the remains themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "crash_disk.h"
#include "crash_vfs.h"
#include "store/change_feed.h"
#include "store/file_bell.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "store/test_directory.h"

namespace lode {
namespace {

namespace fs = std::filesystem;

constexpr int kMachines = 20;
constexpr int kSabotaged = 4;      // machines that must break a promise
constexpr int kLives = 10;         // of each
constexpr int kTransactions = 40;  // at most, in one life

std::vector<Migration> steps() {
  auto steps = lode_migrations();
  steps.push_back({static_cast<int>(steps.size()) + 1,
                   {"CREATE TABLE kept (name TEXT PRIMARY KEY, value {blob} NOT NULL)"}});
  return steps;
}

struct State {
  std::map<std::string, std::string> kept;
  std::vector<std::string> feed;
  std::int64_t schema = 0;

  bool operator==(const State&) const = default;
};

struct Count {
  int crashes = 0;
  int acknowledged = 0;
  int under_way = 0;           // transactions that the failure met
  int under_way_survived = 0;  // of these
  std::vector<std::string> broken;
};

class Machine {
 public:
  Machine(std::uint64_t seed, Count& count) : random_(seed), count_(count) {
    fs::create_directory(directory_ / "disk");
  }

  // sabotage: a statement that every life begins with.
  void live(const std::string& sabotage) {
    CrashDisk disk(directory_ / "disk");
    {
      const CrashVfs vfs(disk);
      disk.stop_after(1 + pick(pick(2) == 0 ? 60 : 500),
                      pick(2) == 0 ? CrashDisk::Stop::anywhere : CrashDisk::Stop::in_a_sync);
      write_until_stopped(disk, sabotage);
    }
    disk.crash(random_);
    ++count_.crashes;
    inspect();
  }

 private:
  std::uint64_t pick(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
  }

  void write_until_stopped(CrashDisk& disk, const std::string& sabotage) {
    under_way_ = acknowledged_;
    auto database = open_sqlite(
        {.path = directory_ / "disk/db", .checkpoint_pages = 12, .vfs = CrashVfs::kName});
    if (!database) return expect_stopped(disk, database.error());
    if (!sabotage.empty()) (void)(*database)->execute(sabotage);
    under_way_.schema = static_cast<std::int64_t>(steps().size());
    if (auto done = migrate(**database, steps()); !done) return expect_stopped(disk, done.error());
    acknowledged_ = under_way_;
    const FileBell bell(directory_ / "bell");
    ChangeFeed feed(**database, bell);
    for (int i = 0; i < kTransactions && !disk.stopped(); ++i) {
      if (auto done = write_some(**database, feed); !done)
        return expect_stopped(disk, done.error());
      acknowledged_ = under_way_;
      ++count_.acknowledged;
    }
  }

  Status write_some(Database& database, ChangeFeed& feed) {
    return database.transaction([&](Transaction& transaction) -> Status {
      under_way_ = acknowledged_;
      for (std::uint64_t n = 1 + pick(4); n > 0; --n) {
        if (auto done = change_one(transaction); !done) return done;
      }
      under_way_.feed.push_back("tx:" + std::to_string(under_way_.feed.size()));
      return feed.publish(transaction, {"kept", under_way_.feed.back()});
    });
  }

  Status change_one(Transaction& transaction) {
    const std::string name = std::to_string(pick(40));
    if (pick(4) == 0) {
      under_way_.kept.erase(name);
      auto done = transaction.execute("DELETE FROM kept WHERE name = $1", {name});
      return done ? Status() : Status(std::move(done).error());
    }
    const std::string value(1 + pick(pick(4) == 0 ? 30'000 : 300),
                            static_cast<char>('a' + pick(26)));
    under_way_.kept[name] = value;
    auto done = transaction.execute(
        "INSERT INTO kept (name, value) VALUES ($1, $2) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {name, Blob{value}});
    return done ? Status() : Status(std::move(done).error());
  }

  void expect_stopped(const CrashDisk& disk, const Error& error) {
    if (!disk.stopped()) count_.broken.push_back("without a failure: " + error.message);
  }

  void inspect() {
    fs::remove_all(directory_ / "copy");
    fs::copy(directory_ / "disk", directory_ / "copy");
    auto found = read_copy();
    if (!found) {
      count_.broken.push_back(found.error().message);
    } else if (under_way_ != acknowledged_) {
      ++count_.under_way;
      if (*found == under_way_) ++count_.under_way_survived;
    }
    if (found && *found != acknowledged_ && *found != under_way_) {
      count_.broken.push_back("an acknowledged write is lost, or half a transaction is there");
    }
    if (found) acknowledged_ = *found;
  }

  Result<State> read_copy() {
    auto database = open_sqlite({.path = directory_ / "copy/db"});
    if (!database) return std::move(database).error();
    if (auto sound = (*database)->check(); !sound) return std::move(sound).error();
    State state;
    state.schema = (*database)->schema_version().value();
    // A step may be there without the next: both are old or new states of a
    // migration under way.
    if (state.schema < under_way_.schema && acknowledged_.schema < under_way_.schema) {
      state.schema = acknowledged_.schema;
    }
    if (auto done = migrate(**database, steps()); !done) return std::move(done).error();
    if (auto read = read_rows(**database, state); !read) return std::move(read).error();
    return state;
  }

  static Status read_rows(Database& database, State& state) {
    auto kept = database.query("SELECT name, value FROM kept");
    if (!kept) return std::move(kept).error();
    for (const Row& row : *kept) state.kept[row.text(0)] = row.blob(1);
    auto feed = database.query("SELECT uri, sequence FROM change_feed ORDER BY sequence");
    if (!feed) return std::move(feed).error();
    for (const Row& row : *feed) {
      state.feed.push_back(row.text(0));
      if (row.integer(1) != static_cast<std::int64_t>(state.feed.size())) {
        return internal("the feed has a gap");
      }
    }
    return {};
  }

  TestDirectory directory_;
  CrashDisk::Random random_;
  Count& count_;
  State acknowledged_;
  State under_way_;  // what the last transaction would make of it
};

Count run_machines(int machines, const std::string& sabotage) {
  Count count;
  for (int seed = 1; seed <= machines; ++seed) {
    Machine machine(static_cast<std::uint64_t>(seed), count);
    for (int life = 0; life < kLives; ++life) machine.live(sabotage);
  }
  return count;
}

void report(const Count& count) {
  std::cout << count.crashes << " crashes, " << count.acknowledged << " acknowledged transactions, "
            << count.under_way << " under way, of which " << count.under_way_survived
            << " survived whole; " << count.broken.size() << " promises broken\n";
}

TEST(Crash, LosesNothingThatWasAcknowledged) {
  const Count count = run_machines(kMachines, "");
  report(count);
  EXPECT_EQ(count.crashes, kMachines * kLives);
  EXPECT_GT(count.acknowledged, 500);
  EXPECT_GT(count.under_way, 20);
  EXPECT_GT(count.under_way_survived, 0);
  EXPECT_LT(count.under_way_survived, count.under_way);
  for (const std::string& what : count.broken) ADD_FAILURE() << what;
}

// The test of the test: a database that does not sync, or syncs too seldom, is
// found out.
TEST(Crash, FindsOutADatabaseThatDoesNotSync) {
  for (const char* sabotage : {"PRAGMA synchronous=OFF", "PRAGMA synchronous=NORMAL"}) {
    const Count count = run_machines(kSabotaged, sabotage);
    report(count);
    EXPECT_GT(count.broken.size(), 0U) << sabotage;
  }
}

}  // namespace
}  // namespace lode
