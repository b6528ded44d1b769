#include "server/sessions.h"

#include <gtest/gtest.h>

#include "base/grants.h"

namespace lode {
namespace {

const Principal kOwner = Principal::owner();
const Principal kVisitor = Principal::visitor();

class SessionsTest : public ::testing::Test {
 protected:
  std::shared_ptr<Session> make(const Principal& who) {
    auto session = std::make_shared<Session>(std::to_string(++made_), kNewestLegacy,
                                             ClientAbilities{}, who, nullptr);
    session->touch(std::chrono::steady_clock::time_point(std::chrono::seconds(made_)));
    return session;
  }
  std::shared_ptr<Session> add(const Principal& who) {
    auto session = make(who);
    EXPECT_TRUE(sessions_.add(session).done);
    return session;
  }

  Sessions sessions_{{.count = 4}};
  int made_ = 0;
};

// Keeps a session in use.
class Open final : public Outlet {
  void send(Event) override {}
  void finish(Answer) override {}
  void end() override {}
  void on_close(std::function<void()>) override {}
};

TEST_F(SessionsTest, AGuestTakesThePlaceOfTheOldestIdleGuest) {
  const auto owners = add(kOwner);
  const auto first = add(kVisitor);
  add(kVisitor);
  const auto added = sessions_.add(make(kVisitor));
  EXPECT_TRUE(added.done);
  EXPECT_EQ(added.replaced, first);
  EXPECT_EQ(sessions_.count(), 3U);
  EXPECT_EQ(sessions_.find(owners->id, kOwner), owners);
  EXPECT_EQ(sessions_.find(first->id, kVisitor), nullptr);
}

TEST_F(SessionsTest, SessionsInUseStayAndTheNewcomerIsRefused) {
  for (int i = 0; i < 2; ++i) add(kVisitor)->standing_stream()->attach(std::make_shared<Open>(), 0);
  const auto refused = sessions_.add(make(kVisitor));
  EXPECT_FALSE(refused.done);
  EXPECT_EQ(refused.replaced, nullptr);
  EXPECT_TRUE(sessions_.add(make(kOwner)).done);
  EXPECT_TRUE(sessions_.add(make(kOwner)).done);
}

TEST_F(SessionsTest, TheOwnerTakesThePlaceOfAGuestFirst) {
  const auto own = add(kOwner);
  add(kOwner);
  const auto guest = add(kVisitor);
  add(kVisitor);
  EXPECT_EQ(sessions_.add(make(kOwner)).replaced, guest);
  sessions_.add(make(kOwner));
  EXPECT_EQ(sessions_.add(make(kOwner)).replaced, own);
}

TEST_F(SessionsTest, RemovedGuestsLeaveRoom) {
  const auto first = add(kVisitor);
  const auto second = add(kVisitor);
  sessions_.remove(first->id);
  EXPECT_EQ(sessions_.add(make(kVisitor)).replaced, nullptr);
  sessions_.take_all();
  add(kVisitor);
  EXPECT_EQ(sessions_.add(make(kVisitor)).replaced, nullptr);
}

TEST_F(SessionsTest, OfARevokedCredentialAreGone) {
  const auto grants = std::make_shared<Grants>("owner", std::vector<std::string>(),
                                               std::vector<std::string>(), JsonObject());
  const auto revoked = add({"owner", grants});
  const auto other = add(kOwner);
  revoked->standing_stream()->attach(std::make_shared<Open>(), 0);
  EXPECT_EQ(sessions_.find(revoked->id, kOwner), revoked);
  grants->revoke();
  EXPECT_EQ(sessions_.find(revoked->id, kOwner), nullptr);
  EXPECT_EQ(sessions_.expire({}), std::vector{revoked}) << "used or not";
  EXPECT_EQ(sessions_.find(other->id, kOwner), other);
}

TEST_F(SessionsTest, AreOfANameWithWhatItWasGranted) {
  const auto ada = [](std::vector<std::string> roles, std::vector<std::string> scopes,
                      JsonObject claims) {
    return granted("ada", std::move(roles), std::move(scopes), std::move(claims)).value();
  };
  const auto session = add(ada({"dev"}, {"write"}, {{"jti", "1"}}));
  EXPECT_EQ(sessions_.find(session->id, ada({"dev"}, {"write"}, {{"jti", "2"}})), session);
  for (const auto& other : {ada({}, {"write"}, {}), ada({"dev"}, {}, {}), ada({}, {}, {}),
                            ada({"dev", "ci"}, {"write"}, {})}) {
    EXPECT_EQ(sessions_.find(session->id, other), nullptr);
  }
}

}  // namespace
}  // namespace lode
