#include "transport/http_parse.h"

#include <gtest/gtest.h>

#include "transport/http_bad_requests.h"

namespace lode {
namespace {

using Step = HttpParser::Step;

const HttpLimits kLimits{.head_bytes = 512, .body_bytes = 64};

struct Parsed {
  Step step = Step::more;
  std::size_t used = 0;
  int status = 0;  // of the refusal
  HttpRequest request;
  bool keep_alive = false;
};

Parsed outcome(HttpParser& parser, Step step, std::size_t used) {
  Parsed parsed{step, used, 0, {}, false};
  if (step == Step::refused) parsed.status = parser.refusal().status;
  if (step == Step::done) {
    parsed.request = std::move(parser.request());
    parsed.keep_alive = parser.keep_alive();
  }
  return parsed;
}

Parsed parse(std::string_view bytes) {
  HttpParser parser(kLimits);
  std::size_t used = 0;
  Step step = parser.feed(bytes, used);
  return outcome(parser, step, used);
}

// The same bytes, one more in each call.
Parsed parse_slowly(std::string_view bytes) {
  HttpParser parser(kLimits);
  std::size_t total = 0;
  std::string waiting;
  for (char byte : bytes) {
    waiting.push_back(byte);
    std::size_t used = 0;
    Step step = parser.feed(waiting, used);
    waiting.erase(0, used);
    total += used;
    if (step != Step::more) return outcome(parser, step, total);
  }
  return {};
}

TEST(HttpParse, TakesARequestApart) {
  std::string bytes =
      "POST /a%20b/c?x=1&y=%2F HTTP/1.1\r\nHost: here:80\r\nX-Two:  spaced\t \r\n"
      "Content-Length: 5\r\n\r\nhello";
  for (const Parsed& parsed : {parse(bytes + "GET"), parse_slowly(bytes + "GET")}) {
    ASSERT_EQ(parsed.step, Step::done);
    EXPECT_EQ(parsed.used, bytes.size());
    EXPECT_EQ(parsed.request.method, "POST");
    EXPECT_EQ(parsed.request.path, "/a%20b/c");
    EXPECT_EQ(parsed.request.query, "x=1&y=%2F");
    EXPECT_EQ(parsed.request.body, "hello");
    ASSERT_NE(parsed.request.header("x-two"), nullptr);
    EXPECT_EQ(*parsed.request.header("x-two"), "spaced");
    EXPECT_EQ(parsed.request.count("host"), 1u);
    EXPECT_EQ(parsed.request.header("x-three"), nullptr);
    EXPECT_TRUE(parsed.keep_alive);
  }
}

TEST(HttpParse, JoinsChunksAndDropsTrailers) {
  std::string bytes =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "3;name=\"v\"\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n";
  for (const Parsed& parsed : {parse(bytes + "GET"), parse_slowly(bytes + "GET")}) {
    ASSERT_EQ(parsed.step, Step::done);
    EXPECT_EQ(parsed.used, bytes.size());
    EXPECT_EQ(parsed.request.body, "abc0123456789");
    EXPECT_EQ(parsed.request.header("x-trailer"), nullptr);
  }
}

TEST(HttpParse, KnowsWhetherTheConnectionStays) {
  EXPECT_TRUE(parse("GET / HTTP/1.1\r\nHost: h\r\n\r\n").keep_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n").keep_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
}

TEST(HttpParse, SkipsOneEmptyLineBeforeARequest) {
  Parsed parsed = parse_slowly("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(parsed.step, Step::done);
  EXPECT_EQ(parse("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n").status, 400);
}

TEST(HttpParse, AsksForContinueOnce) {
  HttpParser parser(kLimits);
  std::size_t used = 0;
  std::string_view head =
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  ASSERT_EQ(parser.feed(head, used), Step::more);
  EXPECT_EQ(used, head.size());
  EXPECT_TRUE(parser.take_continue());
  EXPECT_FALSE(parser.take_continue());
  ASSERT_EQ(parser.feed("ok", used), Step::done);
}

TEST(HttpParse, BoundsTheHead) {
  std::string filler(600, 'a');
  EXPECT_EQ(parse("GET /" + filler).status, 431);
  EXPECT_EQ(parse("GET / HTTP/1.1\r\nHost: h\r\nX: " + filler + "\r\n\r\n").status, 431);
  EXPECT_EQ(parse_slowly("GET / HTTP/1.1\r\nHost: h\r\nX: " + filler + "\r\n\r\n").status, 431);
}

TEST(HttpParse, BoundsTheBody) {
  std::string head = "POST / HTTP/1.1\r\nHost: h\r\n";
  EXPECT_EQ(parse(head + "Content-Length: 64\r\n\r\n" + std::string(64, 'x')).step, Step::done);
  EXPECT_EQ(parse(head + "Content-Length: 65\r\n\r\n").status, 413);
  EXPECT_EQ(parse(head + "Content-Length: 4000000000000\r\n\r\n").status, 413);
  head += "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(parse(head + "41\r\nx").status, 413);
  EXPECT_EQ(parse(head + "20\r\n" + std::string(32, 'x') + "\r\n21\r\nx").status, 413);
}

TEST(HttpParse, BoundsWhatSurroundsChunks) {
  std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string filler(600, 'a');
  EXPECT_EQ(parse(head + "1;" + filler).status, 400);
  EXPECT_EQ(parse(head + "1;" + filler + "\r\nx\r\n0\r\n\r\n").status, 400);
  EXPECT_EQ(parse_slowly(head + "1;" + filler).status, 400);
  EXPECT_EQ(parse(head + "0\r\nX: " + filler + "\r\n\r\n").status, 400);
  std::string part = "1;" + filler.substr(0, 300) + "\r\nx\r\n";
  EXPECT_EQ(parse(head + part + "0\r\n\r\n").step, Step::done);
  EXPECT_EQ(parse(head + part + part + "0\r\n\r\n").status, 400);
  EXPECT_EQ(parse_slowly(head + "0\r\nX: " + filler + "\r\n\r\n").status, 400);
}

TEST(HttpParse, RefusesWhatCouldBeReadTwoWays) {
  for (const BadHttpRequest& bad : bad_http_requests()) {
    Parsed whole = parse(bad.bytes);
    EXPECT_EQ(whole.step, Step::refused) << bad.what;
    EXPECT_EQ(whole.status, bad.status) << bad.what;
    Parsed slow = parse_slowly(bad.bytes);
    EXPECT_EQ(slow.step, Step::refused) << bad.what;
    EXPECT_EQ(slow.status, bad.status) << bad.what;
  }
}

}  // namespace
}  // namespace lode
