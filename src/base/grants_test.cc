#include "base/grants.h"

#include <gtest/gtest.h>

#include <set>

namespace lode {
namespace {

using Names = std::vector<std::string>;

TEST(Grants, AreSharedByCopiesOfTheHolder) {
  const auto ada = granted("ada", {"dev", "ci"}, {"read", "write"}, {{"iss", "https://idp"}});
  ASSERT_TRUE(ada);
  const Principal copy = *ada;
  EXPECT_EQ(copy.name, "ada");
  EXPECT_EQ(copy.grants, ada->grants);
  EXPECT_EQ(copy.grants->roles(), (Names{"ci", "dev"}));
  EXPECT_EQ(copy.grants->scopes(), (Names{"read", "write"}));
  EXPECT_EQ(copy.grants->claims().at("iss"), "https://idp");
  EXPECT_TRUE(copy.guest());
}

TEST(Grants, HaveNoRoleOfAReservedName) {
  const auto ada = granted("ada", {"owner", "dev", "*", "local", "", "visitor", "dev"});
  EXPECT_EQ(ada->grants->roles(), (Names{"dev"}));
}

TEST(Grants, NameNobodyLikeThoseWhoNeedNone) {
  for (const char* name : {"", "*", "local", "owner", "visitor", "a\nb", "a\x7f"}) {
    const auto made = granted(name, {});
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, Code::denied);
  }
  EXPECT_TRUE(granted("Owner", {}));
}

TEST(Grants, TellAudiencesApartByWhatIsGranted) {
  EXPECT_EQ(Principal::owner().audience(), "owner");
  EXPECT_EQ(granted("ada", {})->audience(), "ada");
  EXPECT_EQ(granted("ada", {"a", "b"})->audience(), granted("ada", {"b", "a", "b"})->audience());
  EXPECT_EQ(granted("ada", {"a"}, {}, {{"exp", 1}})->audience(),
            granted("ada", {"a"}, {}, {{"exp", 2}})->audience());
  std::set<std::string> all;
  for (const auto& one :
       {granted("ada", {}), granted("ada", {"a"}), granted("ada", {}, {"a"}),
        granted("ada", {"a", "b"}), granted("ada", {"a 1:b"}), granted("ada", {"a"}, {"b"})}) {
    EXPECT_TRUE(all.insert(one->audience()).second) << one->audience();
  }
}

}  // namespace
}  // namespace lode
