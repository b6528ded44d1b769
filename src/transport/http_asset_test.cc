#include "transport/http_asset.h"

#include <gtest/gtest.h>

#include <optional>

#include "transport/http_router.h"
#include "transport/http_test_support.h"

namespace lode {
namespace {

constexpr std::string_view kPage = "<p>hello</p>";

// Knows everybody who shows anything.
class TestIdentifier final : public HttpIdentifier {
 public:
  std::optional<Result<Principal>> at_once(const HttpRequest& request, const HttpReply&) override {
    if (request.header("authorization") == nullptr) return Error{Code::denied, "not you", {}};
    return Principal{"ada"};
  }
  void later(const HttpRequest&, Answer) override {}
};

class HttpAssetTest : public ::testing::Test {
 protected:
  HttpAssetTest() {
    router.add_asset("/page.html", {.bytes = kPage, .gzip = "GZ", .brotli = "BR"}, true);
    router.add_asset("/app-1f.js", {.bytes = "js", .immutable = true}, false);
    router.add_asset("/guarded.html",
                     {.bytes = kPage, .headers = {{"Content-Security-Policy", "sandbox"}}}, true,
                     HttpRoute::Pages::any);
    router.add_asset("/logo-2a.svg", {.bytes = "<svg/>", .type = "image/x", .immutable = true},
                     true);
    server.emplace([this](HttpRequest request, HttpReply reply) {
      router.handle(std::move(request), std::move(reply));
    });
  }

  ClientResponse ask(std::string_view path, std::string_view headers,
                     std::string_view method = "GET") {
    TestClient client(server->port());
    client.send(std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" +
                std::string(headers) + "\r\n");
    return method == "HEAD" ? client.read_head() : client.read_response();
  }

  TestIdentifier identifier;
  WorkerPool pool{1, 1};
  HttpRouter router{{}, identifier, pool};
  std::optional<TestServer> server;
};

TEST_F(HttpAssetTest, ServesAnAssetInTheFormThatTheClientTakes) {
  const auto plain = ask("/page.html", "");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.body, kPage);
  EXPECT_TRUE(plain.has("Content-Type: text/html; charset=utf-8\r\n"));
  EXPECT_TRUE(plain.has("X-Content-Type-Options: nosniff\r\n"));
  EXPECT_TRUE(plain.has("Cache-Control: no-cache\r\n"));
  EXPECT_TRUE(plain.has("Vary: Accept-Encoding\r\n"));
  EXPECT_FALSE(plain.has("Content-Encoding"));
  const auto gzip = ask("/page.html", "Accept-Encoding: gzip, deflate\r\n");
  EXPECT_EQ(gzip.body, "GZ");
  EXPECT_TRUE(gzip.has("Content-Encoding: gzip\r\n"));
  const auto brotli = ask("/page.html", "Accept-Encoding: gzip, deflate, br\r\n");
  EXPECT_EQ(brotli.body, "BR");
  EXPECT_TRUE(brotli.has("Content-Encoding: br\r\n"));
  const auto head = ask("/page.html", "Accept-Encoding: br\r\n", "HEAD");
  EXPECT_TRUE(head.has("Content-Length: 2\r\n"));
  EXPECT_TRUE(head.has("Content-Encoding: br\r\n"));
  const auto script = ask("/app-1f.js", "Authorization: ada\r\nAccept-Encoding: br\r\n");
  EXPECT_EQ(script.body, "js");
  EXPECT_TRUE(script.has("Cache-Control: private, max-age=31536000, immutable\r\n"));
  EXPECT_FALSE(script.has("Vary")) << "there is one form";
  EXPECT_EQ(ask("/app-1f.js", "").status, 401);
  const auto logo = ask("/logo-2a.svg", "");
  EXPECT_TRUE(logo.has("Content-Type: image/x\r\n"));
  EXPECT_TRUE(logo.has("Cache-Control: public, max-age=31536000, immutable\r\n"));
  EXPECT_EQ(ask("/page.html", "", "POST").status, 405);
}

TEST_F(HttpAssetTest, SendsNoAssetTwice) {
  const auto tag = [&](std::string_view headers) {
    const auto head = ask("/page.html", headers, "HEAD").head;
    const auto at = head.find("ETag: ") + 6;
    return head.substr(at, head.find("\r\n", at) - at);
  };
  const std::string plain = tag("");
  const std::string gzip = tag("Accept-Encoding: gzip\r\n");
  EXPECT_TRUE(plain.starts_with('"') && plain.ends_with('"')) << "strong: " << plain;
  EXPECT_NE(plain, gzip);
  const auto status = [&](const std::string& headers) { return ask("/page.html", headers); };
  const auto same = status("If-None-Match: " + plain + "\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.body, "");
  EXPECT_TRUE(same.has("ETag: " + plain));
  EXPECT_TRUE(same.has("Vary: Accept-Encoding\r\n"));
  EXPECT_TRUE(same.has("Cache-Control: no-cache\r\n"));
  EXPECT_EQ(status("If-None-Match: \"x\", W/" + plain + "\r\n").status, 304);
  EXPECT_EQ(status("If-None-Match: \"x\"\r\nIf-None-Match: " + plain + "\r\n").status, 304);
  EXPECT_EQ(status("If-None-Match: *\r\n").status, 304);
  EXPECT_EQ(status("If-None-Match: " + gzip + "\r\n").status, 200) << "of another form";
  EXPECT_EQ(status("If-None-Match: " + gzip + "\r\nAccept-Encoding: gzip\r\n").status, 304);
  EXPECT_EQ(status("If-None-Match: \"x\"\r\n").status, 200);
}

TEST_F(HttpAssetTest, HasHeadersOfItsOwn) {
  const auto page = ask("/guarded.html", "Origin: null\r\nSec-Fetch-Site: cross-site\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.has("Content-Security-Policy: sandbox\r\n"));
  const auto same = ask("/guarded.html", "If-None-Match: *\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_TRUE(same.has("Content-Security-Policy: sandbox\r\n"));
}

TEST(HttpAsset, ChoosesTheCodingThatIsWantedMost) {
  using enum HttpCoding;
  const auto chosen = [](const std::string& header) { return choose_coding(&header, true, true); };
  EXPECT_EQ(choose_coding(nullptr, true, true), identity);
  EXPECT_EQ(chosen(""), identity);
  EXPECT_EQ(chosen("deflate"), identity);
  EXPECT_EQ(chosen("gzip"), gzip);
  EXPECT_EQ(chosen("GZIP"), gzip);
  EXPECT_EQ(chosen("br, gzip"), brotli);
  EXPECT_EQ(chosen("br;q=0.5, gzip;q=0.8"), gzip);
  EXPECT_EQ(chosen("br;q=0, gzip"), gzip);
  EXPECT_EQ(chosen("*"), brotli);
  EXPECT_EQ(chosen("*, br;q=0"), gzip);
  EXPECT_EQ(chosen("identity, gzip;q=0.5"), identity);
  EXPECT_EQ(chosen("identity;q=0.5, gzip"), gzip);
  EXPECT_EQ(chosen("gzip;q=0, br;q=0, identity;q=0"), identity);
  EXPECT_EQ(chosen("gzip;q=x"), identity);
  const std::string both = "gzip, br";
  EXPECT_EQ(choose_coding(&both, true, false), gzip);
  EXPECT_EQ(choose_coding(&both, false, false), identity);
}

TEST(HttpAsset, HasTheTypeOfItsEnding) {
  EXPECT_EQ(content_type_of("/a/b.css"), "text/css; charset=utf-8");
  EXPECT_EQ(content_type_of("/a.min.js"), "text/javascript; charset=utf-8");
  EXPECT_EQ(content_type_of("/a"), "application/octet-stream");
}

}  // namespace
}  // namespace lode
