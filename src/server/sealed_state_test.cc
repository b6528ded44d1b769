#include "server/sealed_state.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/grants.h"

namespace lode {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
const auto kNow = StateSeal::Clock::from_time_t(1'800'000'000);

TEST(StateSeal, OpensWhatItSealedForTheSameRequestInTime) {
  const StateSeal seal(minutes(30));
  for (const std::string& state : {std::string(), std::string("x"), std::string(10'000, 'y')}) {
    const auto sealed = seal.seal(state, "who\nwhat", kNow);
    EXPECT_EQ(seal.open(sealed, "who\nwhat", kNow + minutes(29)), state);
    EXPECT_FALSE(seal.open(sealed, "who\nwhat", kNow + minutes(31)));
    EXPECT_FALSE(seal.open(sealed, "other\nwhat", kNow));
    EXPECT_FALSE(StateSeal(minutes(30)).open(sealed, "who\nwhat", kNow));
  }
}

TEST(StateSeal, RefusesEveryAlteredCharacter) {
  const StateSeal seal(hours(1));
  const auto sealed = seal.seal("step2:name", "b", kNow);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    auto altered = sealed;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(seal.open(altered, "b", kNow)) << i;
  }
  EXPECT_FALSE(seal.open(sealed + "-TAMPERED", "b", kNow));
  EXPECT_FALSE(seal.open(sealed.substr(1), "b", kNow));
  EXPECT_FALSE(seal.open("", "b", kNow));
}

TEST(StateSeal, ShowsNothingOfTheState) {
  const StateSeal seal(hours(1));
  EXPECT_NE(seal.seal("same", "b", kNow), seal.seal("same", "b", kNow));
}

// Keys that a test hands out.
class TestRing final : public KeyRing {
 public:
  SealingKey current() override { return keys.front(); }
  std::optional<SealingKey> current_at_once() override { return keys.front(); }
  std::optional<SealingKey> find(std::string_view id) override {
    for (const auto& key : keys) {
      if (key.id == id) return key;
    }
    return std::nullopt;
  }

  std::vector<SealingKey> keys{SealingKey::random()};
};

TEST(StateSeal, OpensWhatAnotherSealedWithAKeyOfTheRing) {
  TestRing ring;
  const StateSeal one(hours(1), &ring);
  const StateSeal other(hours(1), &ring);
  const auto sealed = one.seal("state", "b", kNow);
  ring.keys.insert(ring.keys.begin(), SealingKey::random());
  EXPECT_EQ(other.open(sealed, "b", kNow), "state");
  const auto newer = other.seal("newer", "b", kNow);
  EXPECT_EQ(one.open(newer, "b", kNow), "newer");
  ring.keys.pop_back();
  EXPECT_FALSE(other.open(sealed, "b", kNow)) << "the key is gone";
  EXPECT_EQ(one.open(newer, "b", kNow), "newer");
}

TEST(StateSeal, BindsToTheCallerWithItsGrantsAndToTheRequest) {
  const auto bound = [](std::vector<std::string> roles, std::vector<std::string> scopes,
                        std::string_view request = "a\n{}") {
    const auto ada = granted("ada", std::move(roles), std::move(scopes));
    return state_binding(ada.value(), "tools/call", request);
  };
  const auto state = bound({"dev"}, {"write"});
  EXPECT_EQ(state, bound({"dev"}, {"write"}));
  EXPECT_NE(state, bound({"dev"}, {"write"}, "b\n{}"));
  EXPECT_NE(state, bound({"dev"}, {}));
  EXPECT_NE(state, bound({}, {"write"}));
  EXPECT_NE(bound({}, {}), state_binding({"bea"}, "tools/call", "a\n{}"));
}

}  // namespace
}  // namespace lode
