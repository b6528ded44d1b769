#include "server/callers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace lode {
namespace {

constexpr uid_t kUid = 1000;

HttpRequest with(HttpHeaders headers) {
  HttpRequest request;
  request.headers = std::move(headers);
  return request;
}

std::string name_of(const Result<Principal>& who) { return who ? who->name : "nobody"; }

std::string who(const Callers& callers, const HttpRequest& request,
                std::optional<uid_t> peer = kUid) {
  const auto found = callers.identify(request, [&] { return peer; });
  return found ? name_of(*found) : "asks later";
}

// Of a server with a token that stays.
class TestCallers {
 public:
  explicit TestCallers(std::string token, bool behind_proxy = false)
      : callers_({std::move(token), behind_proxy, kUid, {}}, pool_) {}
  operator const Callers&() const { return callers_; }
  const Callers* operator->() const { return &callers_; }

 private:
  WorkerPool pool_{1, 1};
  Callers callers_;
};

TEST(Callers, KnowTheOwnerByTheToken) {
  const TestCallers callers("secret");
  for (const char* header : {"Bearer secret", "bearer secret", "BEARER secret", "Bearer  secret"}) {
    EXPECT_EQ(who(callers, with({{"authorization", header}}), 7), "owner") << header;
  }
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer secre", "Bearer secret2", "secret",
                             "Basic secret", "Bearersecret", "Bearer\tsecret"}) {
    EXPECT_EQ(who(callers, with({{"authorization", header}})), "nobody") << header;
  }
  EXPECT_EQ(who(callers, with({{"authorization", "Bearer secret"}, {"authorization", "Bearer x"}})),
            "nobody");
  EXPECT_EQ(who(TestCallers(""), with({{"authorization", "Bearer "}})), "nobody");
}

TEST(Callers, TellWhoItCanBeAtBest) {
  const TestCallers callers("secret", true);
  EXPECT_EQ(callers->claimed(with({{"authorization", "bearer secret"}})).name, "owner");
  EXPECT_EQ(callers->claimed(with({{"authorization", "bearer wrong"}})).name, "visitor");
  EXPECT_EQ(callers->claimed(with({})).name, "visitor");
}

TEST(Callers, OnlyTheServersOwnUserIsAVisitor) {
  const TestCallers callers("secret");
  EXPECT_EQ(who(callers, with({})), "visitor");
  EXPECT_EQ(who(callers, with({}), 1001), "nobody");
  EXPECT_EQ(who(callers, with({}), 0), "nobody");
  EXPECT_EQ(who(callers, with({}), std::nullopt), "nobody");
}

TEST(Callers, NobodyIsAVisitorThroughAProxy) {
  const TestCallers callers("secret");
  for (const char* header : {"forwarded", "x-forwarded-for", "x-forwarded-host",
                             "x-forwarded-proto", "x-real-ip", "via"}) {
    EXPECT_EQ(who(callers, with({{header, ""}})), "nobody") << header;
    EXPECT_EQ(who(callers, with({{header, "x"}, {"authorization", "Bearer secret"}})), "owner");
  }
  EXPECT_EQ(who(TestCallers("secret", true), with({})), "nobody");
}

TEST(Callers, AskTheKernelOnlyIfItMatters) {
  const TestCallers callers("secret");
  bool asked = false;
  const auto peer = [&] {
    asked = true;
    return std::optional<uid_t>(kUid);
  };
  EXPECT_TRUE(callers->identify(with({{"authorization", "Bearer secret"}}), peer)->ok());
  EXPECT_FALSE(callers->identify(with({{"via", "1.1 p"}}), peer)->ok());
  EXPECT_FALSE(asked);
}

// Waits for the answer of a worker.
std::string answer_of(Callers& callers, const HttpRequest& request) {
  std::promise<std::string> answer;
  callers.later(request, [&](const Result<Principal>& who) { answer.set_value(name_of(who)); });
  return answer.get_future().get();
}

TEST(Callers, LookForATokenThatTheyDoNotKnow) {
  WorkerPool pool(1, 8);
  std::atomic<int> looked{0};
  std::atomic<bool> rotated{false};
  Callers callers({"old", false, kUid,
                   [&]() -> std::optional<std::string> {
                     ++looked;
                     return rotated ? "new" : "old";
                   }},
                  pool);
  const auto shows_old = with({{"authorization", "Bearer old"}});
  const auto shows_new = with({{"authorization", "Bearer new"}});
  EXPECT_EQ(who(callers, shows_old), "owner");
  EXPECT_EQ(who(callers, with({{"authorization", "Basic old"}})), "nobody");
  EXPECT_EQ(looked, 0) << "what is known is known at once";
  EXPECT_EQ(who(callers, shows_new), "asks later");
  EXPECT_EQ(answer_of(callers, shows_new), "nobody");
  rotated = true;
  EXPECT_EQ(answer_of(callers, shows_new), "owner");
  EXPECT_EQ(who(callers, shows_new), "owner");
  EXPECT_EQ(callers.claimed(shows_new).name, "owner");
  EXPECT_EQ(who(callers, shows_old), "asks later");
  EXPECT_EQ(answer_of(callers, shows_old), "nobody");
}

TEST(Callers, EndATokenThatWasRotated) {
  WorkerPool pool(1, 8);
  std::optional<std::string> token;
  Callers callers({"old", false, kUid, [&] { return token; }}, pool);
  const auto shows_old = with({{"authorization", "Bearer old"}});
  callers.look_again();
  EXPECT_EQ(who(callers, shows_old), "owner") << "there is nothing to be seen";
  token = "new";
  callers.look_again();
  EXPECT_EQ(answer_of(callers, shows_old), "nobody");
}

TEST(Callers, RevokeThoseWhoWereKnownByTheOldToken) {
  WorkerPool pool(1, 8);
  std::string token = "old";
  Callers callers({"old", false, kUid, [&] { return std::optional(token); }}, pool);
  const auto principal = [&](HttpHeaders headers) {
    return callers.identify(with(std::move(headers)), [] { return kUid; })->value();
  };
  const auto before = principal({{"authorization", "Bearer old"}});
  const auto visitor = principal({});
  EXPECT_EQ(before.audience(), Principal::owner().audience());
  callers.look_again();
  EXPECT_FALSE(revoked(before)) << "it is the same";
  token = "new";
  callers.look_again();
  EXPECT_TRUE(revoked(before));
  EXPECT_FALSE(revoked(principal({{"authorization", "Bearer new"}})));
  EXPECT_FALSE(revoked(visitor));
}

TEST(Callers, SayThatTheyAreBusy) {
  WorkerPool pool(1, 1);
  pool.finish();
  Callers callers({"old", false, kUid, [] { return std::optional<std::string>("old"); }}, pool);
  std::optional<Code> code;
  callers.later(with({{"authorization", "Bearer new"}}),
                [&](const Result<Principal>& who) { code = who.error().code; });
  EXPECT_EQ(code, Code::unavailable);
}

}  // namespace
}  // namespace lode
