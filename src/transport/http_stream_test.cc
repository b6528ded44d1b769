// Streams, the end of connections, and the end of the server.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "transport/http_server.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

using std::chrono::milliseconds;

const HttpHeaders kEvents = {{"Content-Type", "text/event-stream"}};
constexpr std::string_view kGet = "GET /stream HTTP/1.1\r\nHost: test\r\n\r\n";

// Hands one stream from the handler to the test.
class StreamBox {
 public:
  HttpHandler handler() {
    return [this](HttpRequest request, HttpReply reply) {
      if (request.path != "/stream") return echo(std::move(request), std::move(reply));
      stream_ = reply.open(kEvents);
      stream_.on_close([this] { gone.set(); });
      opened.set();
    };
  }
  HttpStream& get() {
    EXPECT_TRUE(opened.wait());
    return stream_;
  }

  Signal opened;
  Signal gone;

 private:
  HttpStream stream_;
};

// Keeps one reply unanswered.
class ReplyBox {
 public:
  HttpHandler handler() {
    return [this](HttpRequest, HttpReply reply) {
      reply.on_close([this] { gone.set(); });
      reply_.emplace(std::move(reply));
      came.set();
    };
  }
  HttpReply& get() {
    EXPECT_TRUE(came.wait());
    return *reply_;
  }

  Signal came;
  Signal gone;

 private:
  std::optional<HttpReply> reply_;
};

TEST(HttpStream, CarriesPiecesThenTheNextRequest) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  HttpStream stream = box.get();
  ClientResponse head = client.read_head();
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(head.has("Transfer-Encoding: chunked\r\n"));
  EXPECT_TRUE(head.has("Content-Type: text/event-stream\r\n"));
  EXPECT_EQ(server->counts().streams_open, 1u);
  stream.write("data: 1\n\n");
  EXPECT_EQ(client.read_chunk(), "data: 1\n\n");
  stream.write("");
  stream.write(std::string(5000, 'x'));
  EXPECT_EQ(client.read_chunk(), std::string(5000, 'x'));
  stream.close();
  EXPECT_EQ(client.read_chunk(), "");
  stream.write("too late");
  EXPECT_EQ(client.get("/next").body, "GET /next");
  EXPECT_EQ(server->counts().streams_open, 0u);
  EXPECT_FALSE(box.gone.is_set());
}

TEST(HttpStream, ServesWhatWasPipelinedBehindIt) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(std::string(kGet) + "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  HttpStream stream = box.get();
  client.read_head();
  client.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  stream.write("x");
  EXPECT_EQ(client.read_chunk(), "x");
  stream.close();
  EXPECT_EQ(client.read_chunk(), "");
  EXPECT_EQ(client.read_response().body, "GET /a");
  EXPECT_EQ(client.read_response().body, "GET /b");
}

TEST(HttpStream, KeepsTheOrderOfThreads) {
  std::thread worker;
  TestServer server([&](HttpRequest, HttpReply reply) {
    worker = std::thread([reply = std::move(reply)]() mutable {
      HttpStream stream = reply.open(kEvents);
      std::thread([stream]() mutable { stream.write("first"); }).join();
      for (int i = 0; i < 1000; ++i) stream.write(std::to_string(i));
      stream.close();
    });
  });
  TestClient client(server.port());
  client.send(kGet);
  client.read_head();
  EXPECT_EQ(client.read_chunk(), "first");
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(client.read_chunk(), std::to_string(i));
  EXPECT_EQ(client.read_chunk(), "");
  worker.join();
}

TEST(HttpStream, EndsWithTheConnectionInHttp10) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send("GET /stream HTTP/1.0\r\n\r\n");
  HttpStream stream = box.get();
  stream.write("one ");
  stream.write("two");
  stream.close();
  std::string answer = client.read_all();
  EXPECT_TRUE(answer.ends_with("\r\n\r\none two"));
  EXPECT_EQ(answer.find("chunked"), std::string::npos);
}

TEST(HttpStream, AnswersHeadWithoutPieces) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send("HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.read_head().status, 200);
  box.get().write("dropped");
  EXPECT_EQ(client.get("/next").body, "GET /next");
}

TEST(HttpStream, CommentsOnAQuietStream) {
  StreamBox box;
  TestServer server(box.handler(), {.keep_alive = milliseconds(50)});
  TestClient client(server.port());
  client.send(kGet);
  client.read_head();
  EXPECT_EQ(client.read_chunk(), ": \n\n");
  EXPECT_EQ(client.read_chunk(), ": \n\n");
}

TEST(HttpStream, NoticesThatTheClientLeft) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  client.close();
  EXPECT_TRUE(box.gone.wait());
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
  EXPECT_EQ(server->counts().streams_open, 0u);
  box.get().write("dropped");
  Signal late;
  box.get().on_close([&] { late.set(); });
  EXPECT_TRUE(late.wait());
}

TEST(HttpStream, NoticesThatAClientLeftBehindUnreadBytes) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  client.read_head();
  client.send("GET /never HTTP/1.1\r\n");
  client.end_sending();
  EXPECT_TRUE(box.gone.wait());
}

TEST(HttpStream, ShedsASlowReader) {
  StreamBox box;
  TestServer server(box.handler(), {.pending_bytes = 64 * 1024});
  TestClient client(server.port(), 4096);
  client.send(kGet);
  HttpStream stream = box.get();
  std::string piece(64 * 1024, 'x');
  for (int i = 0; i < 1000 && !box.gone.is_set(); ++i) stream.write(piece);
  EXPECT_TRUE(box.gone.wait());
  EXPECT_EQ(server->counts().readers_shed, 1u);
}

TEST(HttpStream, CarriesAWriteLargerThanTheLimit) {
  StreamBox box;
  TestServer server(box.handler(), {.pending_bytes = 1024});
  TestClient client(server.port(), 4096);
  client.send(kGet);
  HttpStream stream = box.get();
  std::string large(8 * 1024 * 1024, 'x');
  stream.write(large);
  stream.write("small");
  stream.close();
  client.read_head();
  EXPECT_TRUE(client.read_chunk() == large);
  EXPECT_EQ(client.read_chunk(), "small");
  EXPECT_EQ(client.read_chunk(), "");
  EXPECT_EQ(server->counts().readers_shed, 0u);
}

TEST(HttpStream, ShedsAReaderThatWaitsWhenMemoryIsShort) {
  MemoryBudget budget(std::size_t{32} << 20);
  auto& share = budget.share(Principal::visitor());  // 12 MiB
  StreamBox box;
  TestServer server(box.handler(), {.pending_bytes = std::size_t{1} << 30});
  TestClient client(server.port(), 4096);
  client.send(kGet);
  HttpStream stream = box.get();
  const std::string piece(1024 * 1024, 'x');
  for (int i = 0; i < 1000 && !box.gone.is_set(); ++i) {
    stream.write(piece, MemoryCharge(share, piece.size()));
    EXPECT_LE(share.used(), share.limit() + 2 * piece.size());
    EXPECT_TRUE(eventually([&] { return share.used() <= share.limit(); }));
  }
  EXPECT_TRUE(box.gone.wait());
  EXPECT_EQ(server->counts().readers_shed, 1u);
  EXPECT_TRUE(eventually([&] { return budget.used() == 0; }));
}

TEST(HttpStream, LetsTheOwnerHoldALockInOnClose) {
  Mutex mutex;
  Signal gone;
  TestServer server(
      [&](HttpRequest, HttpReply reply) {
        Lock lock(mutex);
        HttpStream stream = reply.open(kEvents);
        stream.on_close([&] {
          Lock again(mutex);
          gone.set();
        });
        for (int i = 0; i < 1000; ++i) stream.write(std::string(64 * 1024, 'x'));
      },
      {.pending_bytes = 64 * 1024});
  TestClient client(server.port(), 4096);
  client.send(kGet);
  EXPECT_TRUE(gone.wait());
}

TEST(HttpReply, GivesUpOnAReaderThatStops) {
  TestServer server(
      [](HttpRequest, HttpReply reply) {
        reply.send({200, {}, std::string(64 * 1024 * 1024, 'x')});
      },
      {.write = milliseconds(200)});
  TestClient client(server.port(), 4096);
  client.send(kGet);
  EXPECT_TRUE(eventually([&] { return server->counts().readers_shed == 1; }));
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
}

// Answers with so many bytes, counted.
HttpHandler counted(MemoryShare& share, std::size_t bytes) {
  return [&share, bytes](HttpRequest, HttpReply reply) {
    Payload body(std::string(bytes, 'x'));
    body.charge_to(share);
    reply.send({200, {}, std::move(body)});
  };
}

TEST(HttpReply, IsCountedUntilItIsWritten) {
  MemoryBudget budget(std::size_t{256} << 20);
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  TestServer server(counted(budget.share(Principal::visitor()), kBytes));
  TestClient client(server.port(), 4096);
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return budget.used() >= kBytes; }));
  EXPECT_EQ(client.read_response().body.size(), kBytes);
  EXPECT_TRUE(eventually([&] { return budget.used() == 0; }));
}

TEST(HttpReply, GivesUpSoonerOnAReaderThatStopsWhenMemoryIsShort) {
  MemoryBudget budget(std::size_t{64} << 20);
  auto& share = budget.share(Principal::visitor());  // 24 MiB
  TestServer server(counted(share, std::size_t{10} << 20),
                    {.stalled = milliseconds(100), .write = std::chrono::hours(1)});
  TestClient first(server.port(), 4096);
  first.send(kGet);
  ASSERT_TRUE(eventually([&] { return budget.used() > 0; }));
  EXPECT_FALSE(share.pressed());
  TestClient second(server.port(), 4096);
  second.send(kGet);
  EXPECT_TRUE(eventually([&] { return server->counts().readers_shed >= 1; }));
  EXPECT_TRUE(eventually([&] { return !share.pressed(); }));
}

TEST(HttpReply, NoticesThatTheClientReset) {
  ReplyBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  client.reset();
  EXPECT_TRUE(box.gone.wait());
  box.get().send({200, {}, "dropped"});
}

TEST(HttpReply, NoticesAResetBehindUnreadBytes) {
  ReplyBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  client.send("GET /more HTTP/1.1\r\n");
  server.catch_up();
  client.reset();
  EXPECT_TRUE(box.gone.wait());
}

TEST(HttpReply, GivesUpOnAClientThatClosed) {
  ReplyBox box;
  TestServer server(box.handler(), {.half_closed = milliseconds(100)});
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  client.close();
  EXPECT_TRUE(box.gone.wait());
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
}

TEST(HttpReply, RunsNoCallbackOnceAnswered) {
  std::atomic<int> gone{0};
  TestServer server([&](HttpRequest request, HttpReply reply) {
    reply.on_close([&] { ++gone; });
    echo(std::move(request), std::move(reply));
  });
  TestClient client(server.port());
  EXPECT_EQ(client.get("/").status, 200);
  client.close();
  EXPECT_TRUE(eventually([&] { return server->counts().connections_open == 0; }));
  EXPECT_EQ(gone, 0);
}

TEST(HttpShutdown, EndsAtOnceWhenNothingRuns) {
  TestServer server(echo);
  TestClient idle(server.port());
  EXPECT_EQ(idle.get("/").status, 200);
  Signal done;
  server->shutdown(kPatience, [&] { done.set(); });
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_EQ(server->counts().connections_open, 0u);
  TestClient late;
  EXPECT_FALSE(late.connect_to(server.port()));
}

TEST(HttpShutdown, DoesNotWaitForTheRestOfARequest) {
  TestServer server(echo);
  TestClient head(server.port());
  TestClient body(server.port());
  head.send("GET / HT");
  body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
  ASSERT_TRUE(eventually([&] { return server->counts().connections_open == 2; }));
  Signal done;
  server->shutdown(std::chrono::hours(1), [&] { done.set(); });
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(head.read_all(), "");
  EXPECT_EQ(body.read_all(), "");
}

// Nothing is left that would keep the io_context running.
TEST(HttpShutdown, LeavesNoTimerBehind) {
  boost::asio::io_context io;
  ReplyBox box;
  HttpServer server(io, {}, box.handler());
  const auto port = server.listen("127.0.0.1:0");
  ASSERT_TRUE(port);
  Signal ended;
  std::thread thread([&] {
    io.run();
    ended.set();
  });
  TestClient client(*port);
  client.send(kGet);
  box.get();
  server.shutdown(std::chrono::hours(1), [] {});
  box.get().send({200, {}, "late"});
  EXPECT_TRUE(client.read_response().body == "late");
  client.close();
  EXPECT_TRUE(ended.wait());
  io.stop();
  thread.join();
}

TEST(HttpShutdown, WaitsForRunningRequestsAndStreams) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  HttpStream stream = box.get();
  Signal done;
  server->shutdown(kPatience, [&] { done.set(); });
  server.catch_up();
  EXPECT_FALSE(done.is_set());
  stream.write("last");
  stream.close();
  client.read_head();
  EXPECT_EQ(client.read_chunk(), "last");
  EXPECT_EQ(client.read_chunk(), "");
  EXPECT_EQ(client.read_all(), "");
  client.close();
  EXPECT_TRUE(done.wait());
  EXPECT_FALSE(box.gone.is_set());
}

TEST(HttpShutdown, ClosesTheRestAfterTheGrace) {
  StreamBox box;
  TestServer server(box.handler());
  TestClient client(server.port());
  client.send(kGet);
  box.get();
  Signal done;
  server->shutdown(milliseconds(50), [&] { done.set(); });
  EXPECT_TRUE(done.wait());
  EXPECT_TRUE(box.gone.is_set());
  EXPECT_EQ(server->counts().connections_open, 0u);
}

TEST(HttpShutdown, LeavesHandlesHarmless) {
  StreamBox streams;
  ReplyBox replies;
  {
    TestServer first(streams.handler());
    TestServer second(replies.handler());
    TestClient streaming(first.port());
    TestClient waiting(second.port());
    streaming.send(kGet);
    waiting.send(kGet);
    streams.get();
    replies.get();
  }
  streams.get().write("nobody");
  streams.get().on_close([] {});
  streams.get().close();
  HttpStream stream = replies.get().open(kEvents);
  stream.write("nobody");
}

}  // namespace
}  // namespace lode
