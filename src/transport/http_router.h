// Paths to handlers, behind one check of who may speak to us and who it is.
//
// A request passes in this order: Host, Origin and Sec-Fetch-Site (403); no credential in
// the query; the route (404); OPTIONS; the method (405); who asks (401); then the handler,
// which gets the principal in its context. A route for anybody is not asked about.
//
// Browsers send requests for any page that is open in them, and a caller of this machine
// needs no credential to read. So a page of another origin, be it another port of this
// machine, gets nothing: neither by a script (Origin) nor as a picture, a style or a frame
// of its own (Sec-Fetch-Site). Every answer says so too (Cross-Origin-Resource-Policy),
// for browsers that send no Sec-Fetch-Site. HttpRoute::pages has the exceptions.
//
// Who asks may take its time to find out, because keys have to be fetched or a file
// read. Such a request waits without a thread, until the answer comes, its client goes
// away or its time is over (503).
//
// Filled before the first request; then everything runs on the server's thread, but
// the handlers that block. REQUIRES: the router outlives the HttpServer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/principal.h"
#include "base/result.h"
#include "base/worker_pool.h"
#include "transport/http.h"
#include "transport/http_asset.h"

namespace lode {

struct HttpGuard {
  // Names (without port) by which this server may be addressed, besides those
  // of loopback. A page that a name was re-bound for has another Host.
  std::vector<std::string> hosts;
  // Origins of pages that may call, in lower case, besides the server's own: http:// and
  // the Host that the request names; of one of `hosts`, https:// too.
  std::vector<std::string> origins;
};

// Who sends a request. Errors are for the caller: Code::unavailable is answered 503,
// everything else 401.
class HttpIdentifier {
 public:
  using Answer = std::function<void(Result<Principal>)>;

  virtual ~HttpIdentifier() = default;

  // On the server's thread: must not block. Nothing: it takes time; ask later().
  virtual std::optional<Result<Principal>> at_once(const HttpRequest& request,
                                                   const HttpReply& reply) = 0;
  // For what at_once() could not say. Takes what it needs of the request before it
  // returns; answers once, on any thread, also before it returns.
  virtual void later(const HttpRequest& request, Answer answer) = 0;
};

struct HttpRoute {
  using Handler = std::function<void(HttpContext)>;
  // Answers what the router refuses: 400, 401, 405 or 503, and why. What the status demands is
  // among the context's headers.
  using Refuse = std::function<void(HttpContext, int status, const std::string& why)>;

  // Which pages of other origins may send it requests that no Origin speaks for.
  enum class Pages {
    none,    //
    linked,  // those that have a link, which opens it as a page of its own
    any,     // all, also as a part of themselves; and those that have no origin ("null")
  };

  // What the path answers, for the Allow header: "GET, HEAD". Other methods get 405.
  std::string methods;
  Handler handler;
  // For callers that nobody knows too; its context names nobody.
  bool for_anybody = false;
  // It runs on the worker pool, and may block there; when that is full, 503.
  bool blocks = false;
  Pages pages = Pages::none;
  Refuse refuse{};  // empty: in plain text
};

struct HttpRouterLimits {
  std::size_t waiting = 1024;  // requests whose caller is being found out
  std::chrono::milliseconds wait{std::chrono::seconds(10)};
};

class HttpRouter {
 public:
  // REQUIRES: both outlive the router.
  HttpRouter(HttpGuard guard, HttpIdentifier& identifier, WorkerPool& pool,
             HttpRouterLimits limits = {})
      : guard_(std::move(guard)), identifier_(identifier), pool_(pool), limits_(limits) {}

  // Paths are compared as they are sent, still percent-encoded.
  void add(std::string path, HttpRoute route);
  // The path, and all below it, by segment: "/a" has /a and /a/b, not /ab. Of several
  // the longest has it, and a path of its own comes before. "/" has everything.
  void add_below(std::string prefix, HttpRoute route);
  void add_asset(std::string path, const HttpAsset& asset, bool for_anybody,
                 HttpRoute::Pages pages = HttpRoute::Pages::none);

  void handle(HttpRequest request, HttpReply reply);
  // Refuses what has waited too long.
  void tick(std::chrono::steady_clock::time_point now);

  std::size_t waiting() const { return waiting_.size(); }

 private:
  using Routes = std::map<std::string, HttpRoute, std::less<>>;
  struct Waiting {
    HttpContext context;
    const HttpRoute* route;
    std::chrono::steady_clock::time_point until;
  };

  bool serves_host(std::string_view name) const;
  bool host_allowed(const HttpRequest& request) const;
  bool origin_allowed(const HttpRequest& request, std::string_view origin) const;
  bool guard_origin(HttpContext& context, HttpRoute::Pages pages) const;
  bool guard(HttpContext& context, HttpRoute::Pages pages) const;
  const HttpRoute* find(std::string_view path) const;
  void identify(HttpContext&& context, const HttpRoute& route);
  void wait(HttpContext&& context, const HttpRoute& route);
  void resume(std::uint64_t id, Result<Principal> who);
  void settle(HttpContext&& context, const HttpRoute& route, Result<Principal> who);
  void run(HttpContext&& context, const HttpRoute& route);

  const HttpGuard guard_;
  HttpIdentifier& identifier_;
  WorkerPool& pool_;
  const HttpRouterLimits limits_;
  Routes exact_;
  Routes below_;  // without a slash at the end
  std::unordered_map<std::uint64_t, Waiting> waiting_;
  std::uint64_t last_waiting_ = 0;
};

}  // namespace lode
