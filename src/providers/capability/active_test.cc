#include "providers/capability/active.h"

#include <gtest/gtest.h>

#include "store/file_bell.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "store/test_directory.h"

namespace lode {
namespace {

using namespace std::chrono_literals;

class ActiveElementsTest : public ::testing::Test {
 protected:
  ActiveElementsTest()
      : database(open_sqlite({.path = directory / "db", .forced_reruns = 1}).value()),
        bell(directory / "bell") {
    EXPECT_TRUE(migrate(*database, lode_migrations()));
    FeedOptions options;
    options.here = [this](const FeedChange& change) {
      heard.push_back(change.kind + " " + change.uri);
    };
    feed = std::make_unique<ChangeFeed>(*database, bell, options);
    active = std::make_unique<ActiveElements>(*database, *feed, [this] { return now += 1ms; });
  }

  std::string listed() const {
    std::string out;
    const auto all = active->list().value();
    for (const auto& one : all) {
      out.append(to_string(one.type)).append(":").append(one.id).append(" ");
    }
    return out;
  }

  TestDirectory directory;
  std::unique_ptr<Database> database;
  FileBell bell;
  std::vector<std::string> heard;
  std::chrono::system_clock::time_point now{1'700'000'000s};
  std::unique_ptr<ChangeFeed> feed;
  std::unique_ptr<ActiveElements> active;
};

TEST_F(ActiveElementsTest, AreListedByTheTimeOfTheirActivation) {
  EXPECT_TRUE(active->activate(ElementType::skill, "z").value());
  EXPECT_TRUE(active->activate(ElementType::persona, "b").value());
  EXPECT_TRUE(active->activate(ElementType::persona, "a").value());
  EXPECT_EQ(listed(), "skill:z persona:b persona:a ");
  EXPECT_EQ(active->list()->front().since,
            std::chrono::system_clock::time_point(1'700'000'000s) + 1ms);
  EXPECT_TRUE(active->is_active(ElementType::persona, "a").value());
  EXPECT_FALSE(active->is_active(ElementType::skill, "a").value());
  EXPECT_TRUE(active->deactivate(ElementType::persona, "b").value());
  EXPECT_EQ(listed(), "skill:z persona:a ");
}

TEST_F(ActiveElementsTest, OnlyAChangeIsTold) {
  EXPECT_TRUE(active->activate(ElementType::persona, "a").value());
  const std::vector<std::string> pages{"resource capability-index://summary",
                                       "resource capability-index://full",
                                       "resource capability-index://active"};
  EXPECT_EQ(heard, pages);
  EXPECT_FALSE(active->activate(ElementType::persona, "a").value());
  EXPECT_FALSE(active->deactivate(ElementType::persona, "b").value());
  EXPECT_EQ(heard, pages);
  EXPECT_TRUE(active->deactivate(ElementType::persona, "a").value());
  EXPECT_EQ(heard.size(), 6U);
}

TEST_F(ActiveElementsTest, AreNotTooMany) {
  for (std::size_t i = 0; i < ActiveElements::kMost; ++i) {
    EXPECT_TRUE(active->activate(ElementType::memory, std::to_string(i)).value());
  }
  const auto more = active->activate(ElementType::memory, "more");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::conflict);
  EXPECT_EQ(more.error().message,
            "256 elements are active, which is the most: deactivate one first");
  EXPECT_EQ(active->list()->size(), ActiveElements::kMost);
  EXPECT_FALSE(active->is_active(ElementType::memory, "more").value());
}

// Who must not wait is answered without the records.
TEST_F(ActiveElementsTest, WhatIsKnownNeedsNoDatabase) {
  const auto known = [this] {
    std::string out;
    const auto all = active->known();
    for (const auto& one : *all) out.append(one.id).append(" ");
    return out;
  };
  EXPECT_EQ(known(), "");
  ASSERT_TRUE(active->activate(ElementType::persona, "a"));
  EXPECT_EQ(known(), "a ");
  // Of another process.
  ActiveElements other(*database, *feed);
  ASSERT_TRUE(other.activate(ElementType::persona, "b"));
  EXPECT_EQ(known(), "a ");
  active->refresh();
  EXPECT_EQ(known(), "a b ");
  ASSERT_TRUE(active->deactivate(ElementType::persona, "a"));
  ASSERT_TRUE(database->execute("DROP TABLE active_elements"));
  ASSERT_FALSE(active->list());
  active->refresh();
  EXPECT_EQ(known(), "b ");
}

}  // namespace
}  // namespace lode
