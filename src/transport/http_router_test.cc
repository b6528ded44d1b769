#include "transport/http_router.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "base/mutex.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

using std::chrono::hours;
using std::chrono::steady_clock;

// Knows who says its name, refuses "nobody", and finds out later about who asks to
// wait: until the test answers, on its own thread.
class TestIdentifier final : public HttpIdentifier {
 public:
  std::optional<Result<Principal>> at_once(const HttpRequest& request, const HttpReply&) override {
    ++asked;
    const auto* name = request.header("authorization");
    if (name == nullptr || *name == "nobody") return Error{Code::denied, "not you", {}};
    if (name->starts_with("later")) return std::nullopt;
    return Principal{*name};
  }
  void later(const HttpRequest& request, Answer answer) override {
    if (*request.header("authorization") == "later at once") return answer(Principal{"quick"});
    const Lock lock(mutex_);
    answers_.push_back(std::move(answer));
  }

  bool has(std::size_t count) {
    const Lock lock(mutex_);
    return answers_.size() == count;
  }
  void answer_all(const Result<Principal>& who) {
    std::vector<Answer> answers;
    {
      const Lock lock(mutex_);
      answers.swap(answers_);
    }
    for (const auto& answer : answers) answer(who);
  }

  std::atomic<int> asked{0};

 private:
  Mutex mutex_;
  std::vector<Answer> answers_ LODE_GUARDED_BY(mutex_);
};

HttpRoute telling(std::string what) {
  return {.methods = "GET, HEAD, POST", .handler = [what = std::move(what)](HttpContext context) {
            context.respond(200, "text/plain", what + " " + context.who.name);
          }};
}

class HttpRouterTest : public ::testing::Test {
 protected:
  HttpRouterTest() {
    router.add("/exact", telling("exact"));
    router.add("/open", {.methods = "GET",
                         .handler =
                             [](HttpContext context) {
                               context.respond(200, "text/plain", "[" + context.who.name + "]");
                             },
                         .for_anybody = true});
    for (const auto& [path, pages] : {std::pair("/linked", HttpRoute::Pages::linked),
                                      std::pair("/any", HttpRoute::Pages::any)}) {
      HttpRoute route = telling(path);
      route.for_anybody = true;
      route.pages = pages;
      router.add(path, std::move(route));
    }
    router.add("/own-words", {.methods = "GET",
                              .handler = [](HttpContext) {},
                              .refuse =
                                  [](HttpContext context, int status, const std::string& why) {
                                    context.respond(status, "text/x", "own: " + why);
                                  }});
    router.add_below("/a", telling("a"));
    router.add_below("/a/b/", telling("a/b"));
    router.add("/a/b/c", telling("c"));
    router.add("/slow", {.methods = "GET",
                         .handler =
                             [this](HttpContext context) {
                               started.set();
                               go_on.wait();
                               context.respond(200, "text/plain", "slow " + context.who.name);
                             },
                         .blocks = true});
    router.add("/throws", {.methods = "GET",
                           .handler = [](HttpContext) { throw std::runtime_error("no"); },
                           .blocks = true});
    // In the end: nothing refers to what is torn down before.
    server.emplace([this](HttpRequest request, HttpReply reply) {
      if (request.path == "/tick") router.tick(steady_clock::now() + hours(1));
      if (request.path == "/tick" || request.path == "/waiting") {
        return reply.send({200, {}, std::to_string(router.waiting())});
      }
      router.handle(std::move(request), std::move(reply));
    });
  }
  ~HttpRouterTest() override { server.reset(); }

  static std::string request(std::string_view method, std::string_view path,
                             std::string_view headers = "Authorization: ada\r\n") {
    return std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" +
           std::string(headers) + "\r\n";
  }
  ClientResponse ask(std::string_view path, std::string_view headers = "Authorization: ada\r\n",
                     std::string_view method = "GET") {
    TestClient client(server->port());
    client.send(request(method, path, headers));
    return method == "HEAD" ? client.read_head() : client.read_response();
  }
  // With the headers that a browser sends for a page; origin: empty, if it sends none.
  ClientResponse ask_for_page(std::string_view path, std::string_view site,
                              std::string_view more = "", std::string_view origin = "") {
    std::string headers = "Authorization: ada\r\nSec-Fetch-Site: " + std::string(site) + "\r\n";
    if (!origin.empty()) headers += "Origin: " + std::string(origin) + "\r\n";
    return ask(path, headers.append(more));
  }
  std::string body(std::string_view path) { return ask(path).body; }
  // Lets time pass; answers how many still wait then.
  std::string tick() { return ask("/tick").body; }

  TestIdentifier identifier;
  Signal started;
  Signal go_on;
  WorkerPool pool{1, 2};
  HttpRouter router{{{"lode.example"}, {"https://tool.example"}}, identifier, pool, {.waiting = 3}};
  std::optional<TestServer> server;
};

TEST_F(HttpRouterTest, FindsTheLongestPrefixBySegments) {
  EXPECT_EQ(body("/exact"), "exact ada");
  EXPECT_EQ(body("/a"), "a ada");
  EXPECT_EQ(body("/a/"), "a ada");
  EXPECT_EQ(body("/a/x/y"), "a ada");
  EXPECT_EQ(body("/a/bc"), "a ada");
  EXPECT_EQ(body("/a/b"), "a/b ada");
  EXPECT_EQ(body("/a/b/x"), "a/b ada");
  EXPECT_EQ(body("/a/b/c"), "c ada");
  EXPECT_EQ(body("/a/b/c/d"), "a/b ada");
  for (const char* path : {"/", "/ab", "/exact/", "/b", "/%61"}) {
    EXPECT_EQ(ask(path).status, 404) << path;
  }
}

TEST_F(HttpRouterTest, GivesTheRestToARootIfThereIsOne) {
  HttpRouter whole({}, identifier, pool);
  whole.add_below("/", telling("rest"));
  TestServer other([&](HttpRequest request, HttpReply reply) {
    whole.handle(std::move(request), std::move(reply));
  });
  for (const char* path : {"/", "/x", "/x/y"}) {
    TestClient client(other.port());
    client.send(request("GET", path));
    EXPECT_EQ(client.read_response().body, "rest ada") << path;
  }
}

TEST_F(HttpRouterTest, AsksOnceWhoItIsBeforeTheHandler) {
  EXPECT_EQ(body("/exact"), "exact ada");
  EXPECT_EQ(identifier.asked, 1);
  EXPECT_EQ(body("/open"), "[]");
  EXPECT_EQ(ask("/missing").status, 404);
  EXPECT_EQ(ask("/exact", "", "OPTIONS").status, 204);
  EXPECT_EQ(ask("/exact", "", "PUT").status, 405);
  EXPECT_EQ(identifier.asked, 1) << "of these nobody is asked";
}

TEST_F(HttpRouterTest, RefusesWhoIsNobody) {
  const auto without = ask("/exact", "");
  EXPECT_EQ(without.status, 401);
  EXPECT_TRUE(without.has("WWW-Authenticate: Bearer\r\n"));
  EXPECT_EQ(without.body, "not you\n");
  const auto wrong = ask("/a/b", "Authorization: nobody\r\n");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_TRUE(wrong.has("WWW-Authenticate: Bearer error=\"invalid_token\"\r\n"));
  const auto own = ask("/own-words", "");
  EXPECT_EQ(own.body, "own: not you");
  EXPECT_TRUE(own.has("WWW-Authenticate: Bearer\r\n"));
  EXPECT_EQ(ask("/slow", "").status, 401);
}

TEST_F(HttpRouterTest, ServesOthersWhileItIsFoundOutWhoSomebodyIs) {
  TestClient waits(server->port());
  waits.send(request("GET", "/exact", "Authorization: later\r\n") + request("GET", "/a"));
  ASSERT_TRUE(eventually([&] { return identifier.has(1); }));
  EXPECT_EQ(body("/a"), "a ada");
  identifier.answer_all(Principal{"eve"});
  EXPECT_EQ(waits.read_response().body, "exact eve");
  EXPECT_EQ(waits.read_response().body, "a ada") << "and what was sent behind it";
  EXPECT_EQ(ask("/exact", "Authorization: later at once\r\n").body, "exact quick");
}

TEST_F(HttpRouterTest, RefusesWhoIsFoundOutToBeNobody) {
  TestClient denied(server->port());
  denied.send(request("GET", "/exact", "Authorization: later\r\n"));
  ASSERT_TRUE(eventually([&] { return identifier.has(1); }));
  identifier.answer_all(Error{Code::denied, "not you", {}});
  EXPECT_EQ(denied.read_response().status, 401);
  denied.send(request("GET", "/exact", "Authorization: later\r\n"));
  ASSERT_TRUE(eventually([&] { return identifier.has(1); }));
  identifier.answer_all(Error{Code::unavailable, "no keys", {}});
  const auto busy = denied.read_response();
  EXPECT_EQ(busy.status, 503);
  EXPECT_TRUE(busy.has("Retry-After: 1\r\n"));
}

TEST_F(HttpRouterTest, LetsNobodyWaitForTooLong) {
  TestClient waits(server->port());
  waits.send(request("GET", "/own-words", "Authorization: later\r\n"));
  ASSERT_TRUE(eventually([&] { return identifier.has(1); }));
  EXPECT_EQ(tick(), "0");
  const auto late = waits.read_response();
  EXPECT_EQ(late.status, 503);
  EXPECT_TRUE(late.body.starts_with("own: ")) << late.body;
  identifier.answer_all(Principal{"eve"});
  EXPECT_EQ(body("/exact"), "exact ada") << "an answer that is too late is none";
}

TEST_F(HttpRouterTest, LetsNotTooManyWait) {
  std::vector<std::unique_ptr<TestClient>> clients;
  for (std::size_t i = 1; i <= 3; ++i) {
    clients.push_back(std::make_unique<TestClient>(server->port()));
    clients.back()->send(request("GET", "/exact", "Authorization: later\r\n"));
    ASSERT_TRUE(eventually([&] { return identifier.has(i); }));
  }
  EXPECT_EQ(ask("/exact", "Authorization: later\r\n").status, 503);
  EXPECT_EQ(body("/exact"), "exact ada") << "who is known need not wait";
  clients.front()->reset();
  // Its place is free once the server has seen that it went.
  ASSERT_TRUE(eventually([&] { return body("/waiting") == "2"; }));
  TestClient next(server->port());
  next.send(request("GET", "/exact", "Authorization: later\r\n"));
  ASSERT_TRUE(eventually([&] { return identifier.has(4); }));
  identifier.answer_all(Principal{"eve"});
  for (std::size_t i = 1; i < clients.size(); ++i) {
    EXPECT_EQ(clients[i]->read_response().body, "exact eve");
  }
  EXPECT_EQ(next.read_response().body, "exact eve");
}

TEST_F(HttpRouterTest, EndsWhileSomebodyWaits) {
  TestClient waits(server->port());
  waits.send(request("GET", "/exact", "Authorization: later\r\n"));
  ASSERT_TRUE(eventually([&] { return identifier.has(1); }));
  server.reset();
  identifier.answer_all(Principal{"eve"});
  EXPECT_EQ(waits.read_all(), "");
}

TEST_F(HttpRouterTest, LetsScriptsOfItsOwnPagesCallAlone) {
  const auto status = [&](const std::string& host, const std::string& origin) {
    TestClient client(server->port());
    client.send("GET /exact HTTP/1.1\r\nHost: " + host +
                "\r\nAuthorization: ada\r\nOrigin: " + origin + "\r\n\r\n");
    return client.read_response().status;
  };
  EXPECT_EQ(status("localhost:7345", "http://localhost:7345"), 200);
  EXPECT_EQ(status("LocalHost:7345", "http://localhost:7345"), 200);
  EXPECT_EQ(status("127.0.0.1", "http://127.0.0.1"), 200);
  EXPECT_EQ(status("[::1]:7345", "http://[::1]:7345"), 200);
  EXPECT_EQ(status("localhost:7345", "https://tool.example"), 200);
  for (const char* other :
       {"http://localhost:7346", "http://localhost", "https://localhost:7345",
        "http://127.0.0.1:7345", "http://localhost:7345/", "http://localhost:73450", "null",
        "file://", "https://lode.example", "https://tool.example.org"}) {
    EXPECT_EQ(status("localhost:7345", other), 403) << other;
  }
  // Behind a proxy, which may speak TLS.
  EXPECT_EQ(status("lode.example", "https://lode.example"), 200);
  EXPECT_EQ(status("lode.example", "http://lode.example"), 200);
  EXPECT_EQ(status("lode.example", "https://lode.example:8443"), 403);
}

TEST_F(HttpRouterTest, IsNoPartOfPagesOfOthers) {
  for (const char* site : {"same-origin", "none"}) {
    EXPECT_EQ(ask_for_page("/exact", site).status, 200) << site;
  }
  for (const char* site :
       {"cross-site", "same-site", "", "rubbish", "same-origin\r\nSec-Fetch-Site: cross-site"}) {
    EXPECT_EQ(ask_for_page("/exact", site).status, 403) << site;
    EXPECT_EQ(ask_for_page("/open", site).status, 403) << site;
    EXPECT_EQ(ask_for_page("/missing", site).status, 403) << "not even what there is";
    EXPECT_EQ(ask_for_page("/any", site).status, 200) << site;
  }
  // The Origin decides where there is one.
  EXPECT_EQ(ask_for_page("/exact", "cross-site", "", "https://tool.example").status, 200);
  EXPECT_EQ(ask_for_page("/exact", "same-site", "", "http://localhost:1").status, 403);
  EXPECT_EQ(ask_for_page("/any", "cross-site", "", "null").status, 200);
  EXPECT_FALSE(ask_for_page("/any", "cross-site", "", "null").has("Access-Control"));
  EXPECT_EQ(ask_for_page("/any", "cross-site", "", "https://evil.example").status, 403);
  EXPECT_TRUE(ask("/exact").has("Cross-Origin-Resource-Policy: same-origin\r\n"));
  EXPECT_TRUE(ask("/missing").has("Cross-Origin-Resource-Policy: same-origin\r\n"));
  EXPECT_FALSE(ask("/any").has("Cross-Origin-Resource-Policy"));
}

TEST_F(HttpRouterTest, LinksOpenWhatIsAPage) {
  constexpr std::string_view kPage = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  EXPECT_EQ(ask_for_page("/linked", "cross-site", kPage).status, 200);
  EXPECT_EQ(ask_for_page("/linked", "same-site", kPage).status, 200);
  EXPECT_EQ(ask_for_page("/exact", "cross-site", kPage).status, 403);
  for (const char* part : {"", "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
                           "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: document\r\n",
                           "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n"}) {
    EXPECT_EQ(ask_for_page("/linked", "cross-site", part).status, 403) << part;
  }
}

TEST_F(HttpRouterTest, RunsWhatBlocksOnAWorker) {
  TestClient slow(server->port());
  slow.send(request("GET", "/slow"));
  ASSERT_TRUE(started.wait());
  EXPECT_EQ(body("/exact"), "exact ada") << "the loop goes on";
  TestClient queued(server->port());
  queued.send(request("GET", "/throws"));
  // The one worker is busy, and a guest has half of the queue of two.
  ASSERT_TRUE(eventually([&] {
    const auto full = ask("/throws");
    return full.status == 503 && full.has("Retry-After: 1\r\n");
  }));
  go_on.set();
  EXPECT_EQ(slow.read_response().body, "slow ada");
  EXPECT_EQ(queued.read_response().status, 500);
}

}  // namespace
}  // namespace lode
