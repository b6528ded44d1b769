#include "server/callers.h"

#include <gtest/gtest.h>

namespace lode {
namespace {

constexpr uid_t kUid = 1000;

HttpRequest with(HttpHeaders headers) {
  HttpRequest request;
  request.headers = std::move(headers);
  return request;
}

std::string who(const Callers& callers, const HttpRequest& request,
                std::optional<uid_t> peer = kUid) {
  const auto found = callers.identify(request, [&] { return peer; });
  return found ? found->name : "nobody";
}

TEST(Callers, KnowTheOwnerByTheToken) {
  const Callers callers("secret", false, kUid);
  for (const char* header : {"Bearer secret", "bearer secret", "BEARER secret", "Bearer  secret"}) {
    EXPECT_EQ(who(callers, with({{"authorization", header}}), 7), "owner") << header;
  }
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer secre", "Bearer secret2", "secret",
                             "Basic secret", "Bearersecret", "Bearer\tsecret"}) {
    EXPECT_EQ(who(callers, with({{"authorization", header}})), "nobody") << header;
  }
  EXPECT_EQ(who(callers, with({{"authorization", "Bearer secret"}, {"authorization", "Bearer x"}})),
            "nobody");
  EXPECT_EQ(who(Callers("", false, kUid), with({{"authorization", "Bearer "}})), "nobody");
}

TEST(Callers, TellWhoItCanBeAtBest) {
  const Callers callers("secret", true, kUid);
  EXPECT_EQ(callers.claimed(with({{"authorization", "bearer secret"}})).name, "owner");
  EXPECT_EQ(callers.claimed(with({{"authorization", "bearer wrong"}})).name, "visitor");
  EXPECT_EQ(callers.claimed(with({})).name, "visitor");
}

TEST(Callers, OnlyTheServersOwnUserIsAVisitor) {
  const Callers callers("secret", false, kUid);
  EXPECT_EQ(who(callers, with({})), "visitor");
  EXPECT_EQ(who(callers, with({}), 1001), "nobody");
  EXPECT_EQ(who(callers, with({}), 0), "nobody");
  EXPECT_EQ(who(callers, with({}), std::nullopt), "nobody");
}

TEST(Callers, NobodyIsAVisitorThroughAProxy) {
  const Callers callers("secret", false, kUid);
  for (const char* header : {"forwarded", "x-forwarded-for", "x-forwarded-host",
                             "x-forwarded-proto", "x-real-ip", "via"}) {
    EXPECT_EQ(who(callers, with({{header, ""}})), "nobody") << header;
    EXPECT_EQ(who(callers, with({{header, "x"}, {"authorization", "Bearer secret"}})), "owner");
  }
  EXPECT_EQ(who(Callers("secret", true, kUid), with({})), "nobody");
}

TEST(Callers, AskTheKernelOnlyIfItMatters) {
  const Callers callers("secret", false, kUid);
  bool asked = false;
  const auto peer = [&] {
    asked = true;
    return std::optional<uid_t>(kUid);
  };
  EXPECT_TRUE(callers.identify(with({{"authorization", "Bearer secret"}}), peer));
  EXPECT_FALSE(callers.identify(with({{"via", "1.1 p"}}), peer));
  EXPECT_FALSE(asked);
}

}  // namespace
}  // namespace lode
