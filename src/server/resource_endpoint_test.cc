// What the whole program cannot be brought to do: providers that fail, hang, or speak for others.
#include "server/resource_endpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>

#include "engine/policy_file.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

constexpr std::string_view kPolicy =
    "[[rule]]\neffect = \"allow\"\nroles = [\"*\"]\nactions = [\"*\"]\nuris = [\"**\"]\n"
    "[[rule]]\neffect = \"deny\"\nroles = [\"*\"]\nactions = [\"read\", \"list\"]\n"
    "uris = [\"file:///w/denied.txt\"]\n";

// Files, and addresses that stand for them.
class TestProvider final : public Provider, public Resources {
 public:
  using Read = std::function<Result<Outcome>(const Exchange&, const Address&)>;

  TestProvider(const std::string& name, const std::string& family, const std::string& route,
               Read read) {
    Manifest manifest;
    manifest.name = name;
    manifest.families = {{family}};
    manifest.routes = {{{route, name, "", "", ""}, std::move(read)}};
    manifest_ = std::make_shared<const Manifest>(std::move(manifest));
  }
  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Result<Page<Entry>> list(const Exchange&, const ListQuery&) override { return Page<Entry>{}; }
  std::optional<std::string> local_path(const Uri& uri) const override {
    if (uri.scheme() == "file") return decoded_path(uri);
    return uri.authority() == "alone"
               ? std::nullopt
               : std::optional("/w/" + std::string(uri.authority()) + ".txt");
  }

 private:
  std::shared_ptr<const Manifest> manifest_;
};

class TestIdentifier final : public HttpIdentifier {
 public:
  std::optional<Result<Principal>> at_once(const HttpRequest& request, const HttpReply&) override {
    const auto* name = request.header("authorization");
    if (name == nullptr) return Error{Code::denied, "not you", {}};
    return Principal{*name};
  }
  void later(const HttpRequest&, Answer) override {}
};

class ResourceEndpointTest : public ::testing::Test {
 protected:
  ResourceEndpointTest() {
    const auto add = [&](auto&&... parts) {
      EXPECT_TRUE(catalog.add(std::make_shared<TestProvider>(parts...)));
    };
    add("files", "file:///", "file:///{+path}", [](const Exchange&, const Address& address) {
      Contents contents;
      if (address.value("path") != "w/absent.txt") contents.items.push_back(Content::text("file"));
      return Result<Outcome>(contents);
    });
    add("broken", "broken:", "broken://{name}",
        [](const Exchange&, const Address&) -> Result<Outcome> {
          throw std::runtime_error("a secret");
        });
    add("slow", "slow:", "slow://{name}",
        [this](const Exchange& exchange, const Address&) -> Result<Outcome> {
          entered = true;
          while (!exchange.stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          stopped = true;
          return Contents{};
        });
    add("other", "other:", "other://{name}",
        [](const Exchange&, const Address& address) -> Result<Outcome> {
          if (address.value("name") == "asks") return NeedsInput{};
          return Verbatim{R"({"contents":[{"uri":"x://y","mimeType":"a/b","blob":"AAE="}]})"};
        });
    router.add(std::string(ResourceEndpoint::kPath), endpoint.route());
    http.emplace([this](HttpRequest request, HttpReply reply) {
      router.handle(std::move(request), std::move(reply));
    });
  }
  ~ResourceEndpointTest() override {
    http.reset();
    EXPECT_TRUE(pool.finish(kPatience));
  }

  static std::string get(std::string_view query, std::string_view who = "owner") {
    return "GET /mcp/resource?uri=" + std::string(query) +
           " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + std::string(who) + "\r\n\r\n";
  }
  ClientResponse ask(std::string_view query, std::string_view who = "owner") {
    TestClient client(http->port());
    client.send(get(query, who));
    return client.read_response();
  }

  std::atomic<bool> entered{false};
  std::atomic<bool> stopped{false};
  Log log{-1, Log::Form::text, LogLevel::off};
  Events events;
  CatalogSource catalog{events};
  Cache cache;
  PolicySource policy{*parse_policy(kPolicy, "test")};
  Engine engine{{catalog, events, policy, cache, log}, {}};
  WorkerPool pool{2, 16};
  MemoryBudget memory{std::size_t{64} << 20};
  Server server{engine, events, pool, memory, log, {}, {}};
  ResourceEndpoint endpoint{server, pool, {{}, [](const std::string&) { return "short.txt"; }}};
  TestIdentifier identifier;
  HttpRouter router{{}, identifier, pool};
  std::optional<TestServer> http;
};

TEST_F(ResourceEndpointTest, ServesTheFileWhereItsProviderFails) {
  const auto found = ask("broken://a");
  EXPECT_EQ(found.status, 200);
  EXPECT_NE(found.body.find(R"("content":"file")"), std::string::npos) << found.body;
  EXPECT_NE(found.body.find(R"("uri":"broken://a")"), std::string::npos);
  EXPECT_NE(found.body.find(R"("path":"/w/a.txt")"), std::string::npos);
  EXPECT_NE(found.body.find("the provider broken failed; this is the file itself"),
            std::string::npos);
  EXPECT_EQ(found.body.find("a secret"), std::string::npos);
  const auto raw = ask("broken://a&raw=1");
  EXPECT_EQ(raw.body, "file");
  EXPECT_TRUE(raw.has("X-Lode-Notice: the provider broken failed"));
}

TEST_F(ResourceEndpointTest, ServesNoFileThatMayNotBeRead) {
  const auto failed = [](const ClientResponse& response) {
    return response.status == 500 &&
           response.body.find("the provider broken failed\"}") != std::string::npos;
  };
  EXPECT_TRUE(failed(ask("broken://denied")));
  EXPECT_TRUE(failed(ask("broken://absent")));
  EXPECT_TRUE(failed(ask("broken://alone")));
}

TEST_F(ResourceEndpointTest, TellsAPathAsTheCallerMayKnowIt) {
  EXPECT_NE(ask("file:///w/a.txt", "owner").body.find(R"("path":"/w/a.txt")"), std::string::npos);
  EXPECT_NE(ask("file:///w/a.txt", "eve").body.find(R"("path":"short.txt")"), std::string::npos);
}

TEST_F(ResourceEndpointTest, ShowsWhatOtherServersSend) {
  const auto found = ask("other://x");
  EXPECT_EQ(found.status, 200);
  EXPECT_NE(found.body.find(R"("content":"AAE=","encoding":"base64")"), std::string::npos);
  EXPECT_EQ(ask("other://asks").status, 422);
}

TEST_F(ResourceEndpointTest, AnswersWhenTheTimeIsOver) {
  TestClient client(http->port());
  client.send(get("slow://a"));
  ASSERT_TRUE(eventually([&] { return entered.load(); }));
  endpoint.tick(std::chrono::steady_clock::now() + std::chrono::hours(1));
  const auto late = client.read_response();
  EXPECT_EQ(late.status, 500);
  EXPECT_NE(late.body.find("took too long"), std::string::npos);
  EXPECT_TRUE(eventually([&] { return stopped.load(); }));
}

TEST_F(ResourceEndpointTest, StopsWhenTheClientGoes) {
  {
    TestClient client(http->port());
    client.send(get("slow://a"));
    ASSERT_TRUE(eventually([&] { return entered.load(); }));
  }
  EXPECT_TRUE(eventually([&] { return stopped.load(); }));
}

TEST_F(ResourceEndpointTest, RefusesInJson) {
  TestClient client(http->port());
  client.send("GET /mcp/resource?uri=x://y HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto refused = client.read_response();
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.body, R"({"error":"Unauthorized","uri":"x://y","message":"not you"})");
}

}  // namespace
}  // namespace lode
