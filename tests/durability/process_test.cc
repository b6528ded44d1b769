// Several real processes on one database.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/file_key_ring.h"
#include "store/sqlite.h"
#include "store/test_directory.h"
#include "talker.h"

namespace lode {
namespace {

class ProcessTest : public ::testing::Test {
 protected:
  Talker& start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, directory.path().string());
    talkers.push_back(std::make_unique<Talker>(arguments));
    return *talkers.back();
  }
  void say_to_all(const std::string& line) {
    for (auto& talker : talkers) talker->say(line);
  }
  void wait_for_all() {
    for (auto& talker : talkers) {
      auto ended = talker->wait();
      EXPECT_TRUE(ended) << ended.error().message;
    }
  }
  std::int64_t integer(const std::string& sql) const {
    return open_sqlite({.path = directory / "db"}).value()->query(sql)->at(0).integer(0);
  }

  TestDirectory directory;
  std::vector<std::unique_ptr<Talker>> talkers;
};

TEST_F(ProcessTest, MigrateOnceWhoeverIsFirst) {
  for (int i = 0; i < 6; ++i) start({"migrate"});
  say_to_all("go");
  for (auto& talker : talkers) EXPECT_EQ(talker->hear(), "done");
  wait_for_all();
  EXPECT_EQ(integer("SELECT count(*) FROM counter"), 1);
  EXPECT_EQ(integer("SELECT count(*) FROM change_feed_head"), 1);
}

TEST_F(ProcessTest, CountTogetherWithoutLosingOne) {
  for (int i = 0; i < 4; ++i) start({"increment", "200"});
  say_to_all("go");
  std::set<std::string> values;
  for (auto& talker : talkers) {
    for (auto& value : talker->hear_all()) values.insert(std::move(value));
  }
  wait_for_all();
  EXPECT_EQ(values.size(), 800U);
  EXPECT_EQ(integer("SELECT n FROM counter"), 800);
}

TEST_F(ProcessTest, GoOnWhenOneIsKilled) {
  Talker& victim = start({"increment", "1000000"});
  Talker& other = start({"increment", "50"});
  victim.say("go");
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(victim.hear());
  other.say("go");
  EXPECT_TRUE(other.hear());
  victim.kill();
  const auto last = victim.hear_all();
  const std::size_t heard = 21 + last.size() + other.hear_all().size();
  EXPECT_TRUE(other.wait());
  const auto counted = static_cast<std::size_t>(integer("SELECT n FROM counter"));
  // One more may be committed and not said.
  EXPECT_GE(counted, heard);
  EXPECT_LE(counted, heard + 1);
}

TEST_F(ProcessTest, MakeOneRingOfKeysWhoeverIsFirst) {
  for (int i = 0; i < 6; ++i) start({"ring", "0"});
  say_to_all("go");
  std::set<std::string> ids;
  for (auto& talker : talkers) {
    for (auto& id : talker->hear_all()) ids.insert(std::move(id));
  }
  wait_for_all();
  ASSERT_EQ(ids.size(), 1U);
  FileKeyRing ring(directory / "keys");
  EXPECT_EQ(ring.current().id, *ids.begin());
}

TEST_F(ProcessTest, RotateOneRingOfKeysTogether) {
  FileKeyRing ring(directory / "keys");
  const auto first = ring.current();
  for (int i = 0; i < 2; ++i) start({"ring", "2"});
  say_to_all("go");
  std::set<std::string> ids;
  for (auto& talker : talkers) {
    for (auto& id : talker->hear_all()) ids.insert(std::move(id));
  }
  wait_for_all();
  // Four rotations, and none lost: with the first key the ring has all of its five.
  EXPECT_EQ(ring.find(first.id)->secret, first.secret);
  for (const auto& id : ids) EXPECT_TRUE(ring.find(id)) << id;
  EXPECT_FALSE(first.id == ring.current().id);
  EXPECT_TRUE(ring.rotate());
  EXPECT_FALSE(ring.find(first.id));
}

// Every process hears the others' changes, each once, in the one order of the
// feed, and none of its own.
TEST_F(ProcessTest, HearEachOther) {
  const std::vector<std::string> names{"a", "b", "c"};
  for (const auto& name : names) start({"converse", name, "100", "200"});
  say_to_all("listen");
  for (auto& talker : talkers) EXPECT_EQ(talker->hear(), "ready");
  say_to_all("publish");
  std::vector<std::vector<std::string>> heard(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (auto line = talkers[i]->hear(); line && *line != "all"; line = talkers[i]->hear()) {
      heard[i].push_back(*line);
    }
  }
  say_to_all("end");
  auto rows = open_sqlite({.path = directory / "db"})
                  .value()
                  ->query("SELECT sequence, uri FROM change_feed ORDER BY sequence");
  ASSERT_EQ(rows->size(), 300U);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> expected;
    for (const Row& row : *rows) {
      if (row.text(1).starts_with(names[i])) continue;
      expected.push_back(std::to_string(row.integer(0)) + " " + row.text(1));
    }
    EXPECT_EQ(heard[i], expected) << names[i];
    EXPECT_TRUE(talkers[i]->hear_all().empty()) << names[i] << " heard something twice";
  }
  wait_for_all();
}

}  // namespace
}  // namespace lode
