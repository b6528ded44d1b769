// What the whole program cannot be brought to do: readings that last, fail and begin anew.
#include "server/event_endpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/grants.h"
#include "engine/policy_file.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

constexpr std::string_view kPolicy =
    "[[rule]]\neffect = \"allow\"\nroles = [\"*\"]\nactions = [\"*\"]\nuris = [\"**\"]\n";

// What stands at note://NAME is its version; ~ may be written %7E.
class NotesProvider final : public Provider, public Resources {
 public:
  NotesProvider() {
    Manifest manifest;
    manifest.name = "notes";
    manifest.families = {{"note:"}};
    manifest.routes = {{{"note://{name}", "note", "", "", ""},
                        [this](const Exchange& exchange, const Address& address) {
                          return read(exchange, address.value("name"));
                        }}};
    manifest_ = std::make_shared<const Manifest>(std::move(manifest));
  }
  std::shared_ptr<const Manifest> manifest() const override { return manifest_; }
  Resources* resources() override { return this; }
  Result<Page<Entry>> list(const Exchange&, const ListQuery&) override { return Page<Entry>{}; }
  Status watchable(const Uri& uri) const override {
    return uri.text() == "note://deaf" ? Status(invalid("nobody tells")) : Status();
  }
  void watch(const Uri& uri, bool on) override {
    const Lock lock(mutex_);
    watched_[std::string(uri.text())] = on;
  }

  void write(const std::string& name, const std::string& version) {
    const Lock lock(mutex_);
    versions_[name] = version;
  }
  bool watches(const std::string& uri) {
    const Lock lock(mutex_);
    return watched_[uri];
  }

  std::function<void()> before = [] {};  // each reading; set before the first
  std::function<void()> after = [] {};
  std::atomic<bool> busy{false};
  std::atomic<bool> restless{false};
  std::atomic<int> reads{0};
  std::atomic<int> refused{0};

 private:
  Result<Outcome> read(const Exchange&, const std::string& name) {
    ++reads;
    before();
    if (busy) {
      ++refused;
      return Error{Code::unavailable, "busy", std::chrono::seconds(1)};
    }
    if (name == "broken") throw std::runtime_error("no");
    Contents contents;
    {
      const Lock lock(mutex_);
      const auto found = versions_.find(name);
      if (found == versions_.end()) return contents;
      contents.items.push_back(Content::text(found->second));
      if (name != "plain") contents.items.back().version = found->second;
    }
    after();
    return contents;
  }

  std::shared_ptr<const Manifest> manifest_;
  Mutex mutex_;
  std::map<std::string, std::string> versions_ LODE_GUARDED_BY(mutex_);
  std::map<std::string, bool> watched_ LODE_GUARDED_BY(mutex_);
};

class TestIdentifier final : public HttpIdentifier {
 public:
  std::optional<Result<Principal>> at_once(const HttpRequest& request, const HttpReply&) override {
    if (request.header("authorization") == nullptr) return Error{Code::denied, "not you", {}};
    return ada;
  }
  void later(const HttpRequest&, Answer) override {}

  std::shared_ptr<Grants> grants = std::make_shared<Grants>(
      "ada", std::vector<std::string>(), std::vector<std::string>(), JsonObject());
  Principal ada{"ada", grants};
};

// An open stream, or what was answered instead.
class EventClient {
 public:
  EventClient(std::uint16_t port, const std::string& query, const std::string& method = "GET")
      : client_(port) {
    client_.send(method + " /events" + query +
                 " HTTP/1.1\r\nHost: localhost\r\nAuthorization: x\r\n\r\n");
  }
  ClientResponse refusal() { return client_.read_response(); }
  ClientResponse head() { return client_.read_head(); }
  // The data of the next event.
  std::string next() {
    auto text = client_.read_past("\n\n");
    const auto begin = text.find("data: ");
    return begin == text.npos ? text : text.substr(begin + 6, text.size() - begin - 8);
  }
  // All that comes until the end.
  std::string rest() { return client_.read_past("0\r\n\r\n"); }

 private:
  TestClient client_;
};

std::string told(const std::string& uri, const std::string& version) {
  return R"({"uri":")" + uri + R"(","version":")" + version + R"("})";
}
std::string gone(const std::string& uri) { return R"({"uri":")" + uri + R"(","version":null})"; }

class EventEndpointTest : public ::testing::Test {
 protected:
  EventEndpointTest() {
    EXPECT_TRUE(catalog.add(notes));
    router.add(std::string(EventEndpoint::kPath), endpoint.route());
    http.emplace([this](HttpRequest request, HttpReply reply) {
      router.handle(std::move(request), std::move(reply));
    });
  }
  ~EventEndpointTest() override {
    endpoint.close();
    http.reset();
    EXPECT_TRUE(pool.finish(kPatience));
  }

  EventClient open(const std::string& query) { return {http->port(), query}; }
  void change(const std::string& name, const std::string& version) {
    notes->write(name, version);
    events.publish({Change::Kind::resource, "note://" + name});
  }

  std::shared_ptr<NotesProvider> notes = std::make_shared<NotesProvider>();
  Log log{-1, Log::Form::text, LogLevel::off};
  Events events;
  CatalogSource catalog{events};
  Cache cache;
  PolicySource policy{*parse_policy(kPolicy, "test")};
  Engine engine{{catalog, events, policy, cache, log}, {}};
  WorkerPool pool{2, 64};
  MemoryBudget memory{std::size_t{64} << 20};
  Server server{engine, events, pool, memory, log, {}, {}};
  EventEndpoint endpoint{server, pool};
  TestIdentifier identifier;
  HttpRouter router{{}, identifier, pool};
  std::optional<TestServer> http;
};

TEST_F(EventEndpointTest, TellsWhatThereIsAndThenEachChange) {
  notes->write("a", "1");
  notes->write("plain", "text");
  auto client = open("?uri=note://a&uri=note%3A%2F%2Fb&uri=note://plain&uri=note://a");
  const auto head = client.head();
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(head.has("Content-Type: text/event-stream\r\n"));
  EXPECT_TRUE(head.has("Cross-Origin-Resource-Policy: same-origin\r\n"));
  EXPECT_EQ(client.next(), told("note://a", "1"));
  EXPECT_EQ(client.next(), gone("note://b"));
  EXPECT_EQ(client.next().size(), told("note://plain", std::string(32, 'x')).size())
      << "what has no version is named by its bytes";
  change("a", "2");
  EXPECT_EQ(client.next(), told("note://a", "2"));
  change("b", "1");
  EXPECT_EQ(client.next(), told("note://b", "1")) << "what was not there";
  events.publish({Change::Kind::resource, "note://a"});
  EXPECT_EQ(client.next(), told("note://a", "2")) << "a change is told, whatever it is";
  EXPECT_EQ(endpoint.streams(), 1U);
}

TEST_F(EventEndpointTest, NamesAddressesAsTheyWereSpelled) {
  notes->write("a~", "1");
  auto client = open("?uri=note://a~&uri=note://a%257E&uri=NOTE://a~");
  client.head();
  for (const char* uri : {"note://a~", "note://a%7E", "NOTE://a~"}) {
    EXPECT_EQ(client.next(), told(uri, "1"));
  }
  change("a~", "2");
  for (const char* uri : {"note://a~", "note://a%7E", "NOTE://a~"}) {
    EXPECT_EQ(client.next(), told(uri, "2"));
  }
}

TEST_F(EventEndpointTest, TellsTheLastOfManyChanges) {
  Signal reading;
  Signal go_on;
  notes->write("a", "1");
  std::atomic<int> turn{0};
  notes->after = [&] {
    if (++turn != 1) return;
    reading.set();
    go_on.wait();
  };
  auto client = open("?uri=note://a");
  client.head();
  ASSERT_TRUE(reading.wait());
  for (int i = 2; i <= 9; ++i) change("a", std::to_string(i));
  go_on.set();
  EXPECT_EQ(client.next(), told("note://a", "9")) << "what was read is older than a change";
  EXPECT_EQ(notes->reads, 2);
  change("a", "10");
  EXPECT_EQ(client.next(), told("note://a", "10"));
}

TEST_F(EventEndpointTest, TellsOfWhatChangesAllTheTime) {
  notes->write("a", "1");
  notes->restless = true;
  notes->after = [this] {
    if (notes->restless) events.publish({Change::Kind::resource, "note://a"});
  };
  auto client = open("?uri=note://a");
  client.head();
  EXPECT_EQ(client.next(), told("note://a", "1"));
  EXPECT_EQ(client.next(), told("note://a", "1"));
  notes->restless = false;
}

TEST_F(EventEndpointTest, ComesBackToWhatIsBusy) {
  notes->write("a", "1");
  notes->write("b", "1");
  notes->busy = true;
  auto client = open("?uri=note://a&uri=note://b");
  client.head();
  ASSERT_TRUE(eventually([&] { return notes->refused == 2; }));
  notes->busy = false;
  std::thread ticks([&] {
    while (notes->reads < 4) {
      endpoint.tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_EQ(client.next(), told("note://a", "1"));
  EXPECT_EQ(client.next(), told("note://b", "1"));
  ticks.join();
}

TEST_F(EventEndpointTest, SaysOnceWhatNobodyCanListenTo) {
  notes->write("deaf", "1");
  auto client = open("?uri=note://deaf&uri=no-address&uri=nosuch://x&uri=note://a");
  client.head();
  EXPECT_EQ(client.next(), R"({"uri":"note://deaf","version":"1","error":"nobody tells"})");
  const auto malformed = client.next();
  EXPECT_TRUE(malformed.starts_with(R"({"uri":"no-address","version":null,"error":")"))
      << malformed;
  EXPECT_EQ(client.next(), R"({"uri":"nosuch://x","version":null,"error":"no such resource"})");
  EXPECT_EQ(client.next(), gone("note://a"));
  change("deaf", "2");
  change("a", "1");
  EXPECT_EQ(client.next(), told("note://a", "1"));
}

TEST_F(EventEndpointTest, TakesFailuresForWhatCannotBeRead) {
  auto client = open("?uri=note://broken");
  client.head();
  EXPECT_EQ(client.next(), gone("note://broken"));
}

TEST_F(EventEndpointTest, TellsWhatMayBeReadOtherwise) {
  notes->write("a", "1");
  notes->write("b", "1");
  endpoint.tick();
  auto client = open("?uri=note://a&uri=note://b");
  client.head();
  EXPECT_EQ(client.next(), told("note://a", "1"));
  EXPECT_EQ(client.next(), told("note://b", "1"));
  engine.expose(*Exposure::parse({"note://b"}));
  endpoint.tick();
  EXPECT_EQ(client.next(), gone("note://a"));
  change("a", "2");
  engine.expose(Exposure());
  endpoint.tick();
  EXPECT_EQ(client.next(), told("note://a", "2")) << "and nothing while it was hidden";
}

TEST_F(EventEndpointTest, EndsWithTheCredential) {
  auto client = open("?uri=note://a");
  client.head();
  EXPECT_EQ(client.next(), gone("note://a"));
  EXPECT_TRUE(notes->watches("note://a"));
  endpoint.tick();
  EXPECT_EQ(endpoint.streams(), 1U);
  identifier.grants->revoke();
  endpoint.tick();
  EXPECT_TRUE(client.rest().ends_with("0\r\n\r\n"));
  EXPECT_EQ(endpoint.streams(), 0U);
  EXPECT_FALSE(notes->watches("note://a"));
}

TEST_F(EventEndpointTest, EndsAtTheEnd) {
  auto client = open("?uri=note://a");
  client.head();
  EXPECT_EQ(client.next(), gone("note://a"));
  endpoint.close();
  EXPECT_TRUE(client.rest().ends_with("0\r\n\r\n"));
  EXPECT_EQ(endpoint.streams(), 0U);
  EXPECT_EQ(open("?uri=note://a").refusal().status, 503);
}

TEST_F(EventEndpointTest, CeasesToListenWhenTheClientGoes) {
  {
    auto client = open("?uri=note://a");
    client.head();
    EXPECT_EQ(client.next(), gone("note://a"));
  }
  EXPECT_TRUE(eventually([&] { return endpoint.streams() == 0; }));
  EXPECT_TRUE(eventually([&] { return !notes->watches("note://a"); }));
}

TEST_F(EventEndpointTest, RefusesInJson) {
  const auto refused = [&](const std::string& query) {
    const auto response = open(query).refusal();
    EXPECT_TRUE(response.has("Content-Type: application/json\r\n")) << query;
    return std::to_string(response.status) + " " + response.body;
  };
  EXPECT_EQ(refused(""), R"(400 {"error":"Invalid request","uri":"","message":)"
                         R"("the parameter uri is missing"})");
  EXPECT_EQ(refused("?uri="), R"(400 {"error":"Invalid request","uri":"","message":)"
                              R"("a uri is empty, or no text"})");
  EXPECT_TRUE(refused("?uri=%FF").starts_with("400 "));
  EXPECT_TRUE(refused("?uri=note://a&raw=1")
                  .starts_with(R"(400 {"error":"Invalid request","uri":"note://a","message":)"
                               R"("no parameter \"raw\" here)"));
  std::string many;
  for (std::size_t i = 0; i < EventEndpoint::kMostAddresses; ++i) {
    many += (i == 0 ? "?" : "&") + ("uri=note://" + std::to_string(i));
  }
  EXPECT_TRUE(refused(many + "&uri=note://more").starts_with("400 "));
  auto enough = open(many);
  enough.head();
  for (std::size_t i = 0; i < EventEndpoint::kMostAddresses; ++i) {
    EXPECT_EQ(enough.next(), gone("note://" + std::to_string(i)));
  }
  EXPECT_EQ(EventClient(http->port(), "?uri=note://a", "POST").refusal().status, 405);
  TestClient nobody(http->port());
  nobody.send("GET /events?uri=note://a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto unknown = nobody.read_response();
  EXPECT_EQ(unknown.status, 401);
  EXPECT_EQ(unknown.body, R"({"error":"Unauthorized","uri":"note://a","message":"not you"})");
}

}  // namespace
}  // namespace lode
