#include "base/credentials.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

TEST(Credentials, AreFoundHoweverTheyAreSpelled) {
  for (const char* query : {"token=x", "a=1&token=x", "TOKEN=x", "%74oken=x", "token", "api_key=x",
                            "apikey=", "Api_Key=x", "access_token=x&b=2", "&&token=x"}) {
    EXPECT_TRUE(has_credential(query)) << query;
  }
  for (const char* query : {"", "q=token", "tokens=1", "q=a%26token=x", "my_token=x", "key=x",
                            "%zztoken=x", "=token"}) {
    EXPECT_FALSE(has_credential(query)) << query;
  }
}

TEST(Credentials, AreNotRepeated) {
  EXPECT_EQ(without_credentials("file:///a?token=secret"), "file:///a?token=***");
  EXPECT_EQ(without_credentials("x://a?b=1&%74oken=secret&c=2"), "x://a?b=1&%74oken=***&c=2");
  EXPECT_EQ(without_credentials("not an address?API_KEY=secret"), "not an address?API_KEY=***");
  EXPECT_EQ(without_credentials("x://a?b=1&c=2"), "x://a?b=1&c=2");
  EXPECT_EQ(without_credentials("token=x"), "token=x");
}

}  // namespace
}  // namespace lode
