#include "base/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace lode {
namespace {

TEST(Base64, AgreesWithTheVectorsOfRfc4648) {
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
}

TEST(Base64, HasTwoAlphabets) {
  const std::string bytes = "\xfb\xff\xfe\xff";
  EXPECT_EQ(base64_encode(bytes), "+//+/w==");
  EXPECT_EQ(base64url_encode(bytes), "-__-_w");
  EXPECT_EQ(base64url_decode("-__-_w"), bytes);
  EXPECT_FALSE(base64_decode("-__-_w=="));
  EXPECT_FALSE(base64url_decode("+//+/w"));
}

TEST(Base64, RefusesEverySpellingButOne) {
  for (const char* text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm8", "=", "====", "Z===",
                           "Zm9v=", "Zm9v\n", "Zm 9v", "Zg==Zg==", "Z=g=", "Zm9\xe9", "Zm9v===="}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
  for (const char* text : {"Z", "Zg==", "Zh", "Zm9", "Zm9vY", "Zm9v=", "Zm 9"}) {
    EXPECT_FALSE(base64url_decode(text)) << text;
  }
  EXPECT_FALSE(base64_decode(std::string_view("Zm9\0", 4)));
}

TEST(Base64, ComesBackForEveryLength) {
  std::mt19937 random(20260728);
  for (std::size_t length = 0; length < 600; ++length) {
    std::string bytes(length, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    ASSERT_EQ(base64_decode(base64_encode(bytes)), bytes);
    ASSERT_EQ(base64url_decode(base64url_encode(bytes)), bytes);
  }
}

// Whatever text is accepted is the text that its bytes encode to.
TEST(Base64, AcceptsOnlyWhatItWrites) {
  std::mt19937 random(4648);
  const std::string_view some = "AQgw09+/-_= ";
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 9, '\0');
    for (char& c : text) c = some[random() % some.size()];
    const auto standard = base64_decode(text);
    const auto url_safe = base64url_decode(text);
    EXPECT_TRUE(!standard || base64_encode(*standard) == text) << text;
    EXPECT_TRUE(!url_safe || base64url_encode(*url_safe) == text) << text;
    accepted += standard.has_value() + url_safe.has_value();
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace lode
