#include "viewer/viewer.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "transport/http_test_support.h"

namespace lode {
namespace {

constexpr std::array<ViewerAsset, 4> kAssets{{
    {"index.html", "<!doctype html>", "GZ", "BR"},
    {"assets/app-1f.js", "run()"},
    {"favicon.svg", "<svg/>"},
    {"frame/diagram.html", "<!doctype html><script src=diagram.js></script>"},
}};

class NobodyIsAsked final : public HttpIdentifier {
 public:
  std::optional<Result<Principal>> at_once(const HttpRequest&, const HttpReply&) override {
    ADD_FAILURE() << "the viewer is for anybody";
    return Error{Code::denied, "not you", {}};
  }
  void later(const HttpRequest&, Answer) override {}
};

class ViewerTest : public ::testing::Test {
 protected:
  ViewerTest() {
    add_viewer(router, kAssets);
    server.emplace([this](HttpRequest request, HttpReply reply) {
      router.handle(std::move(request), std::move(reply));
    });
  }

  ClientResponse ask(const std::string& path, const std::string& headers = "") {
    TestClient client(server->port());
    client.send("GET " + path + " HTTP/1.1\r\nHost: localhost:7345\r\n" + headers + "\r\n");
    return client.read_response();
  }

  NobodyIsAsked identifier;
  WorkerPool pool{1, 1};
  HttpRouter router{{}, identifier, pool};
  std::optional<TestServer> server;
};

TEST_F(ViewerTest, ServesThePageAtTheRoot) {
  for (const char* path : {"/", "/index.html", "/?page=board"}) {
    const auto page = ask(path);
    EXPECT_EQ(page.status, 200) << path;
    EXPECT_EQ(page.body, "<!doctype html>");
    EXPECT_TRUE(page.has("Content-Type: text/html; charset=utf-8\r\n"));
    EXPECT_TRUE(page.has("Cache-Control: no-cache\r\n"));
  }
  EXPECT_EQ(ask("/", "Accept-Encoding: gzip, br\r\n").body, "BR");
  EXPECT_EQ(ask("/", "If-None-Match: *\r\n").status, 304);
  EXPECT_EQ(ask("/assets").status, 404);
  EXPECT_EQ(ask("/assets/../index.html").status, 404);
}

TEST_F(ViewerTest, LetsItsPagesRunNothingButTheirOwn) {
  for (const char* path : {"/", "/assets/app-1f.js", "/favicon.svg"}) {
    const auto answer = ask(path);
    EXPECT_EQ(answer.status, 200) << path;
    for (const char* header :
         {"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; ",
          "; frame-ancestors 'none'\r\n", "X-Content-Type-Options: nosniff\r\n",
          "Referrer-Policy: no-referrer\r\n", "Cross-Origin-Opener-Policy: same-origin\r\n",
          "Cross-Origin-Resource-Policy: same-origin\r\n",
          "Permissions-Policy: camera=(), microphone=(), geolocation=()\r\n"}) {
      EXPECT_TRUE(answer.has(header)) << path << " " << header;
    }
  }
}

TEST_F(ViewerTest, KeepsWhatHasAHashInItsName) {
  const std::string forever = "Cache-Control: public, max-age=31536000, immutable\r\n";
  EXPECT_TRUE(ask("/assets/app-1f.js").has(forever));
  for (const char* path : {"/favicon.svg", "/frame/diagram.html"}) {
    EXPECT_TRUE(ask(path).has("Cache-Control: no-cache\r\n")) << path;
  }
}

TEST_F(ViewerTest, PutsFramesIntoASandbox) {
  // As the sandboxed document itself asks: it has no origin.
  for (const char* from :
       {"", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: cross-site\r\nOrigin: null\r\n"}) {
    const auto frame = ask("/frame/diagram.html", from);
    EXPECT_EQ(frame.status, 200) << from;
    EXPECT_TRUE(frame.has("Content-Security-Policy: sandbox allow-scripts; default-src 'none'; "));
    EXPECT_TRUE(frame.has("; frame-ancestors 'self'\r\n"));
    EXPECT_TRUE(frame.has("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_FALSE(frame.has("Cross-Origin-Resource-Policy"));
    EXPECT_FALSE(frame.has("Access-Control"));
  }
}

TEST_F(ViewerTest, OpensByALinkAndIsNoPartOfOtherPages) {
  const std::string other = "Sec-Fetch-Site: cross-site\r\n";
  const std::string link = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  EXPECT_EQ(ask("/", other + link).status, 200);
  EXPECT_EQ(ask("/", other).status, 403);
  EXPECT_EQ(ask("/assets/app-1f.js", other).status, 403);
  EXPECT_EQ(ask("/", other + "Origin: http://localhost:7346\r\n").status, 403);
  EXPECT_EQ(ask("/", "Origin: http://localhost:7345\r\n").status, 200);
}

TEST(Viewer, HasAPageIfItWasBuilt) {
  const auto assets = viewer_assets();
  const bool page = std::ranges::any_of(
      assets, [](const ViewerAsset& asset) { return asset.path == "index.html"; });
  EXPECT_EQ(page, !assets.empty());
  for (const auto& asset : assets) {
    EXPECT_FALSE(asset.bytes.empty()) << asset.path;
    EXPECT_TRUE(asset.gzip.empty() || asset.gzip.starts_with("\x1f\x8b")) << asset.path;
    EXPECT_LT(asset.brotli.size(), asset.bytes.size()) << asset.path;
  }
}

}  // namespace
}  // namespace lode
