#include "transport/http_server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "transport/http_bad_requests.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: test\r\n\r\n";

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++count;
  return count;
}

TEST(HttpServer, ServesOneRequestAfterAnother) {
  TestServer server(echo);
  TestClient client(server.port());
  for (int i = 0; i < 5; ++i) {
    ClientResponse response = client.get("/n?" + std::to_string(i));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "GET /n?" + std::to_string(i));
    EXPECT_TRUE(response.has("Date: "));
    EXPECT_FALSE(response.has("Connection:"));
  }
  EXPECT_EQ(server->counts().connections_total, 1u);
  EXPECT_EQ(server->counts().connections_open, 1u);
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  TestServer server(echo);
  TestClient client(server.port());
  std::string requests;
  for (int i = 0; i < 100; ++i) {
    requests +=
        "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok";
  }
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(client.read_response().body, "POST /" + std::to_string(i) + " ok");
  }
}

TEST(HttpServer, HoldsPipelinedRequestsUntilTheReply) {
  std::atomic<int> running{0};
  std::atomic<bool> overlapped{false};
  std::vector<std::thread> threads;
  TestServer server([&](HttpRequest request, HttpReply reply) {
    if (++running > 1) overlapped = true;
    threads.emplace_back([&, request = std::move(request), reply = std::move(reply)]() mutable {
      server.catch_up();
      --running;
      echo(std::move(request), std::move(reply));
    });
  });
  TestClient client(server.port());
  std::string requests;
  for (int i = 0; i < 10; ++i)
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(client.read_response().body, "GET /" + std::to_string(i));
  EXPECT_FALSE(overlapped);
  for (auto& thread : threads) thread.join();
}

TEST(HttpServer, RefusesBadRequestsAndWhatFollowsThem) {
  std::atomic<int> handled{0};
  TestServer server([&](HttpRequest request, HttpReply reply) {
    ++handled;
    echo(std::move(request), std::move(reply));
  });
  std::uint64_t refused = 0;
  for (const BadHttpRequest& bad : bad_http_requests()) {
    TestClient client(server.port());
    client.send(bad.bytes + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
    std::string answer = client.read_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + std::to_string(bad.status))) << bad.what << answer;
    EXPECT_EQ(count_of(answer, "\r\nDate: "), 1u) << bad.what << answer;
    EXPECT_NE(answer.find("Connection: close"), std::string::npos) << bad.what;
    EXPECT_EQ(server->counts().requests_malformed, ++refused) << bad.what;
  }
  EXPECT_EQ(handled, 0);
}

TEST(HttpServer, RefusesABadRequestAfterAGoodOne) {
  TestServer server(echo);
  TestClient client(server.port());
  client.send(std::string(kGet) + "GET / HTTP/1.1\r\n\r\n" + std::string(kGet));
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(client.read_response().status, 400);
  EXPECT_EQ(client.read_all(), "");
}

TEST(HttpServer, ServesARequestThatComesByteByByte) {
  TestServer server(echo);
  TestClient client(server.port());
  std::string request =
      "POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "2\r\nab\r\n1;x=y\r\nc\r\n0\r\nT: t\r\n\r\n";
  for (char byte : request) {
    ASSERT_TRUE(client.send({&byte, 1}));
    server.catch_up();
  }
  EXPECT_EQ(client.read_response().body, "POST /slow abc");
  EXPECT_EQ(client.get("/next").body, "GET /next");
}

TEST(HttpServer, GivesUpOnARequestThatDoesNotArrive) {
  TestServer server(echo, {.read = milliseconds(200)});
  TestClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHo");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 408 "));
}

TEST(HttpServer, ClosesAnIdleConnection) {
  TestServer server(echo, {.idle = milliseconds(200)});
  TestClient silent(server.port());
  TestClient client(server.port());
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(client.read_all(), "");
  EXPECT_EQ(silent.read_all(), "");
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
}

TEST(HttpServer, RefusesALongHead) {
  TestServer server(echo, {.head_bytes = 1000});
  TestClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(300'000, 'x') + "\r\n\r\n");
  EXPECT_TRUE(client.read_all().starts_with("HTTP/1.1 431 "));
}

TEST(HttpServer, RefusesALongBody) {
  TestServer server(echo, {.body_bytes = 1000});
  TestClient announced(server.port());
  announced.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_TRUE(announced.read_all().starts_with("HTTP/1.1 413 "));
  TestClient sent(server.port());
  sent.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n" +
            std::string(500'000, 'x'));
  EXPECT_TRUE(sent.read_all().starts_with("HTTP/1.1 413 "));
  TestClient chunked(server.port());
  chunked.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n");
  EXPECT_TRUE(chunked.read_all().starts_with("HTTP/1.1 413 "));
}

TEST(HttpServer, CarriesLargeBodiesWhole) {
  TestServer server([](HttpRequest request, HttpReply reply) {
    reply.send({200, {}, std::move(request.body)});
  });
  TestClient client(server.port());
  std::string body;
  for (int i = 0; body.size() < 3'000'000; ++i) body += std::to_string(i) + " ";
  client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n\r\n");
  // The answer comes when all is read, so sending first cannot lock up.
  ASSERT_TRUE(client.send(body));
  EXPECT_TRUE(client.read_response().body == body);
  EXPECT_EQ(client.get("/").status, 200);
}

TEST(HttpServer, ClosesAfterTheReplyWhenAsked) {
  TestServer server([](HttpRequest request, HttpReply reply) {
    HttpHeaders headers;
    if (request.path == "/last") headers.emplace_back("Connection", "close");
    reply.send({200, headers, "x"});
  });
  TestClient client(server.port());
  client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + std::string(kGet));
  std::string answer = client.read_all();
  EXPECT_EQ(count_of(answer, "HTTP/1.1 200 OK"), 1u);
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  TestClient other(server.port());
  other.send("GET /last HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGet));
  EXPECT_EQ(count_of(other.read_all(), "HTTP/1.1 200 OK"), 1u);
}

TEST(HttpServer, SpeaksHttp10) {
  TestServer server(echo);
  TestClient client(server.port());
  client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(client.read_response().has("Connection: keep-alive"));
  client.send("GET /b HTTP/1.0\r\n\r\n");
  std::string answer = client.read_all();
  EXPECT_TRUE(answer.ends_with("GET /b"));
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
}

TEST(HttpServer, AnswersHeadWithoutABody) {
  TestServer server([](HttpRequest, HttpReply reply) { reply.send({200, {}, "hello"}); });
  TestClient client(server.port());
  client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(client.read_head().has("Content-Length: 5\r\n"));
  EXPECT_EQ(client.get("/").body, "hello");
}

TEST(HttpServer, SendsNoBodyWith204And304) {
  TestServer server([](HttpRequest request, HttpReply reply) {
    reply.send({request.path == "/204" ? 204 : 304, {}, "never sent"});
  });
  TestClient client(server.port());
  EXPECT_EQ(client.get("/204").status, 204);
  EXPECT_EQ(client.get("/304").status, 304);
  EXPECT_FALSE(client.get("/204").has("Content-Length"));
}

TEST(HttpServer, TellsTheClientToContinue) {
  TestServer server(echo, {.body_bytes = 100});
  TestClient client(server.port());
  std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: ";
  client.send(head + "2\r\n\r\n");
  EXPECT_EQ(client.read_head().status, 100);
  client.send("ok");
  EXPECT_EQ(client.read_response().body, "POST / ok");
  client.send(head + "2\r\n\r\nok");
  EXPECT_EQ(client.read_response().body, "POST / ok");
  client.send(head + "101\r\n\r\n");
  EXPECT_EQ(client.read_response().status, 413);
}

TEST(HttpServer, KeepsHeaderValuesOnTheirLine) {
  TestServer server([](HttpRequest, HttpReply reply) {
    reply.send({200, {{"X-Name", "a\r\nX-Evil: b"}, {"Content-Length", "99"}}, "x"});
  });
  TestClient client(server.port());
  ClientResponse response = client.get("/");
  EXPECT_TRUE(response.has("X-Name: a  X-Evil: b\r\n"));
  EXPECT_EQ(response.body, "x");
}

TEST(HttpServer, AnswersADroppedReplyWith500) {
  TestServer server([](HttpRequest request, HttpReply reply) {
    if (request.path == "/thread") std::thread([reply = std::move(reply)] {}).join();
  });
  TestClient client(server.port());
  EXPECT_EQ(client.get("/").status, 500);
  EXPECT_EQ(client.get("/thread").status, 500);
}

TEST(HttpServer, TakesRepliesFromOtherThreads) {
  Mutex mutex;
  std::vector<std::thread> workers;
  TestServer server([&](HttpRequest request, HttpReply reply) {
    Lock lock(mutex);
    workers.emplace_back(echo, std::move(request), std::move(reply));
  });
  std::vector<std::thread> clients;
  std::atomic<int> right{0};
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&, c] {
      TestClient client(server.port());
      for (int i = 0; i < 50; ++i) {
        std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        if (client.get(path).body == "GET " + path) ++right;
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(right, 200);
  Lock lock(mutex);
  for (auto& worker : workers) worker.join();
}

TEST(HttpServer, ServesManyConnectionsAtOnce) {
  TestServer server(echo);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<TestClient>(server.port()));
  for (auto& client : clients) ASSERT_TRUE(client->send(kGet));
  for (auto& client : clients) EXPECT_EQ(client->read_response().body, "GET /");
  EXPECT_EQ(server->counts().connections_open, 200u);
  clients.clear();
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
}

// Answers like echo(), and trusts who asks for /trust.
void echo_and_trust(HttpRequest request, HttpReply reply) {
  if (request.path == "/trust") reply.trust();
  echo(std::move(request), std::move(reply));
}

TEST(HttpServer, ClosesTheOldestIdleConnectionForANewOne) {
  TestServer server(echo_and_trust, {.connections = 3});
  TestClient trusted(server.port());
  EXPECT_EQ(trusted.get("/trust").status, 200);
  TestClient older(server.port());
  EXPECT_EQ(older.get("/").status, 200);
  TestClient newer(server.port());
  newer.send("GET /half");
  ASSERT_TRUE(eventually([&] { return server->counts().connections_open == 3; }));
  TestClient fresh(server.port());
  EXPECT_EQ(fresh.get("/").status, 200);
  EXPECT_EQ(older.read_all(), "");
  EXPECT_EQ(trusted.get("/").status, 200);
  TestClient fresher(server.port());
  EXPECT_EQ(fresher.get("/").status, 200);
  EXPECT_EQ(newer.read_all(), "");
  EXPECT_EQ(server->counts().connections_replaced, 2u);
  EXPECT_EQ(server->counts().connections_refused, 0u);
}

TEST(HttpServer, ClosesTheOldestStreamWhenNothingIsIdle) {
  TestServer server(
      [](HttpRequest request, HttpReply reply) {
        if (request.path == "/stream") {
          reply.open({});
          return;
        }
        echo(std::move(request), std::move(reply));
      },
      {.connections = 2});
  TestClient first(server.port());
  TestClient second(server.port());
  for (auto* client : {&first, &second}) {
    client->send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(client->read_head().status, 200);
  }
  TestClient third(server.port());
  EXPECT_EQ(third.get("/").status, 200);
  EXPECT_EQ(first.read_all(), "");
  EXPECT_EQ(server->counts().streams_open, 1u);
}

TEST(HttpServer, CountsWhatArrivesAndRefusesTooMuch) {
  MemoryBudget budget(std::size_t{4} << 20);
  auto& visitor = budget.share(Principal::visitor());
  TestServer server(echo, {}, [&](const HttpRequest& head) -> MemoryShare& {
    return head.header("authorization") == nullptr ? visitor : budget.share(Principal::owner());
  });
  const std::string half = "\r\nContent-Length: 2000000\r\n\r\n" + std::string(1'000'000, 'x');
  TestClient slow(server.port());
  slow.send("POST / HTTP/1.1\r\nHost: h" + half);
  ASSERT_TRUE(eventually([&] { return visitor.used() >= 1'000'000; }));
  TestClient second(server.port());
  second.send("POST / HTTP/1.1\r\nHost: h" + half);
  EXPECT_TRUE(second.read_all().starts_with("HTTP/1.1 503 "));
  TestClient owner(server.port());
  owner.send("POST / HTTP/1.1\r\nHost: h\r\nAuthorization: x" + half + std::string(1'000'000, 'x'));
  EXPECT_EQ(owner.read_response().status, 200);
  slow.close();
  EXPECT_TRUE(eventually([&] { return budget.used() == 0; }));
}

TEST(HttpServer, KnowsTheUserOfAClient) {
  std::optional<uid_t> uid;
  TestServer server([&](HttpRequest request, HttpReply reply) {
    uid = reply.peer_uid();
    echo(std::move(request), std::move(reply));
  });
  TestClient client(server.port());
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(uid, ::geteuid());
}

TEST(HttpServer, TurnsAwayConnectionsOverTheLimit) {
  TestServer server(echo_and_trust, {.connections = 2});
  TestClient first(server.port());
  TestClient second(server.port());
  EXPECT_EQ(first.get("/trust").status, 200);
  EXPECT_EQ(second.get("/trust").status, 200);
  TestClient third(server.port());
  third.send(kGet);
  std::string answer = third.read_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 503 "));
  EXPECT_NE(answer.find("Retry-After: 1\r\n"), std::string::npos);
  EXPECT_EQ(server->counts().connections_refused, 1u);
  first.close();
  third.close();
  ASSERT_TRUE(eventually([&] { return server->counts().connections_open == 1; }));
  TestClient fourth(server.port());
  EXPECT_EQ(fourth.get("/").status, 200);
}

TEST(HttpServer, GoesOnAcceptingWhenDescriptorsRanOut) {
  TestServer server(echo);
  TestClient client;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  int next_free = dup(0);
  close(next_free);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next_free);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_TRUE(client.connect_to(server.port()));
  server.catch_up();
  EXPECT_EQ(server->counts().connections_total, 0u);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(client.get("/").status, 200);
}

TEST(HttpServer, AnswersAClientThatHasShutDownItsSide) {
  Signal shut;
  std::vector<std::thread> threads;
  TestServer server([&](HttpRequest request, HttpReply reply) {
    threads.emplace_back([&, request = std::move(request), reply = std::move(reply)]() mutable {
      shut.wait();
      server.catch_up();
      echo(std::move(request), std::move(reply));
    });
  });
  TestClient client(server.port());
  client.send(std::string(kGet) + std::string(kGet));
  client.end_sending();
  shut.set();
  EXPECT_EQ(count_of(client.read_all(), "HTTP/1.1 200 OK"), 2u);
  for (auto& thread : threads) thread.join();
}

TEST(HttpServer, SaysWhyItCannotListen) {
  TestServer server(echo);
  boost::asio::io_context io;
  HttpServer other(io, {}, echo);
  auto taken = other.listen("127.0.0.1:" + std::to_string(server.port()));
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, Code::unavailable);
  EXPECT_NE(taken.error().message.find("choose another port"), std::string::npos);
  for (const char* address : {"", "127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:99999", "::1:80",
                              "[127.0.0.1]:80", "example.org:80", "127.0.0.1:8o"}) {
    auto result = other.listen(address);
    ASSERT_FALSE(result.ok()) << address;
    EXPECT_EQ(result.error().code, Code::invalid) << address;
  }
  auto elsewhere = other.listen("192.0.2.1:0");
  ASSERT_FALSE(elsewhere.ok());
  EXPECT_EQ(elsewhere.error().code, Code::invalid);
}

TEST(HttpServer, ListensOnNamesAndBothFamilies) {
  boost::asio::io_context io;
  HttpServer server(io, {}, echo);
  auto named = server.listen("localhost:0");
  ASSERT_TRUE(named.ok());
  EXPECT_GT(*named, 0);
  auto six = server.listen("[::1]:0");
  // Where there is no IPv6, the error says so.
  if (six) {
    EXPECT_GT(*six, 0);
  } else {
    EXPECT_EQ(six.error().code, Code::invalid);
  }
}

}  // namespace
}  // namespace lode
