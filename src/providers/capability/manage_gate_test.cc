// What a policy lets the tool do: nothing is written or read behind it, and what
// is hidden looks as if it were not there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/test_gate.h"
#include "providers/capability/manage_fixture.h"

namespace lode {
namespace {

std::string named(const std::string& name) {
  return "---\nname: " + name + "\ndescription: d\n---\nBody\n";
}

class ManageGateTest : public ManageFixture {
 protected:
  ManageGateTest() {
    for (const char* id : {"hidden", "closed", "open"}) {
      write(fmt::format("persona/{}.md", id), named(id));
      write(fmt::format("template/{}.md", id), named(id));
    }
    write("template/unread.md", named("unread"));
  }

  // "hidden" is in no list, "closed" may be read, "unread" only be listed.
  static bool permits(Action action, const Uri& address) {
    const auto segments = address.segments();
    if (segments.size() < 2) return true;  // a list, or a page
    if (segments.at(1).starts_with("hidden")) return false;
    if (segments.at(1) == "closed") return action != Action::write;
    return segments.at(1) != "unread" || action == Action::list;
  }
  Result<Contents> ask(const std::string& json) const {
    TestRequest request(permits);
    const auto exchange = request.exchange();
    return manager_->run(ElementGate(exchange, *collection_, ElementGate::Of::tool),
                         parse_json(json).value());
  }
  Error refusal(const std::string& json) const {
    auto done = ask(json);
    if (!done) return std::move(done).error();
    ADD_FAILURE() << json << ": " << done->items.at(0).bytes;
    return internal("");
  }
  static std::string call(const std::string& operation, const std::string& id,
                          const std::string& more = "") {
    return fmt::format(R"({{"operation":"{}","type":"persona","id":"{}"{}}})", operation, id, more);
  }
  // The same words, but for the name.
  void expect_alike(const std::string& operation, const std::string& more = "") const {
    auto hidden = refusal(call(operation, "hidden", more));
    const auto absent = refusal(call(operation, "missed", more));
    EXPECT_EQ(hidden.code, absent.code) << operation;
    const auto at = hidden.message.find("hidden");
    ASSERT_NE(at, std::string::npos) << hidden.message;
    hidden.message.replace(at, 6, "missed");
    EXPECT_EQ(hidden.message, absent.message);
  }
};

TEST_F(ManageGateTest, WhatIsHiddenIsAbsent) {
  expect_alike("update", R"(,"description":"x")");
  expect_alike("delete");
  expect_alike("activate");
  expect_alike("deactivate");
  expect_alike("restore");
  EXPECT_TRUE(exists("persona/hidden.md"));
  const auto render = refusal(R"({"operation":"render","id":"hidden"})");
  EXPECT_EQ(render.code, Code::not_found);
  EXPECT_EQ(render.message.find("did you mean \"hidden\""), std::string::npos);
  // Not even as the nearest to what was meant.
  EXPECT_EQ(refusal(call("delete", "hiden")).message.find("\"hidden\""), std::string::npos);
}

TEST_F(ManageGateTest, AMalformedFileThatIsHiddenIsAbsent) {
  write("persona/hidden.md", "---\nname: [\n---\n");
  expect_alike("update", R"(,"description":"x")");
}

TEST_F(ManageGateTest, WhatMayBeReadOnlyIsNotWritten) {
  const auto before = read("persona/closed.md");
  for (const auto& json : {call("update", "closed", R"(,"description":"x")"),
                           call("delete", "closed"), call("activate", "closed")}) {
    const auto error = refusal(json);
    EXPECT_EQ(error.code, Code::denied) << json;
    EXPECT_EQ(error.message, "not permitted: write capability-index://elements/persona/closed");
  }
  EXPECT_EQ(read("persona/closed.md"), before);
  EXPECT_TRUE(active_.list()->empty());
  EXPECT_TRUE(ask(R"({"operation":"render","id":"closed"})"));
  EXPECT_EQ(refusal(R"({"operation":"render","id":"unread"})").code, Code::denied);
}

TEST_F(ManageGateTest, NothingIsMadeWhereNothingMayBeWritten) {
  const auto create = [](const std::string& name) {
    return fmt::format(R"({{"operation":"create","type":"persona","name":"{}","description":"d"}})",
                       name);
  };
  const auto there = refusal(create("Hidden"));
  const auto absent = refusal(create("Hidden Too"));
  EXPECT_EQ(there.code, Code::denied);
  EXPECT_EQ(absent.code, Code::denied);
  EXPECT_FALSE(exists("persona/hidden-too.md"));
  EXPECT_TRUE(ask(create("Fine")));
}

TEST_F(ManageGateTest, WhatWasDeletedComesBackOnlyForWhoMayWrite) {
  ASSERT_TRUE(run(call("delete", "closed")).starts_with("deleted"));
  ASSERT_TRUE(run(call("delete", "hidden")).starts_with("deleted"));
  EXPECT_EQ(refusal(call("restore", "closed")).code, Code::denied);
  expect_alike("restore");
  EXPECT_FALSE(exists("persona/closed.md"));
}

TEST_F(ManageGateTest, ARelationToWhatIsHiddenLeadsNowhere) {
  collection().start();
  collection().wait_loaded();
  const auto made = ask(
      R"({"operation":"create","type":"agent","name":"A","description":"d","fields":{"persona":"hidden"}})");
  ASSERT_TRUE(made);
  EXPECT_NE(made->items.at(0).bytes.find("\"hidden\", which is not there"), std::string::npos)
      << made->items.at(0).bytes;
}

}  // namespace
}  // namespace lode
