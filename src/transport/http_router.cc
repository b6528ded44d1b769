#include "transport/http_router.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/credentials.h"

namespace lode {
namespace {

constexpr std::string_view kAllowedHeaders =
    "Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, "
    "Mcp-Session-Id, Last-Event-ID";
constexpr std::string_view kExposedHeaders = "Mcp-Session-Id, WWW-Authenticate";
constexpr std::string_view kParamPrefix = "mcp-param-";
constexpr std::string_view kNoOrigin = "null";  // of a sandboxed page, say

// "host:port" without the port; "[::1]:80" becomes "[::1]".
std::string_view without_port(std::string_view host) {
  const auto bracket = host.rfind(']');
  const auto colon = host.rfind(':');
  if (colon == std::string_view::npos) return host;
  if (bracket != std::string_view::npos && colon < bracket) return host;
  const auto port = host.substr(colon + 1);
  const bool digits =
      std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? host.substr(0, colon) : host;
}

bool loopback_name(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

bool says(const HttpRequest& request, std::string_view header, std::string_view value) {
  const auto* given = request.header(header);
  return given != nullptr && *given == value && request.count(header) == 1;
}

// Browsers say where the page is that a request is for (Fetch Metadata); "none" is the
// user's own doing: an address that was typed, a bookmark. Others say nothing.
bool from_this_origin(const HttpRequest& request) {
  constexpr std::string_view kSite = "sec-fetch-site";
  return request.header(kSite) == nullptr || says(request, kSite, "same-origin") ||
         says(request, kSite, "none");
}

// Whether the answer becomes a page of its own, not a part of another one.
bool opens_page(const HttpRequest& request) {
  return says(request, "sec-fetch-mode", "navigate") && says(request, "sec-fetch-dest", "document");
}

// A browser asks before it sends a header of ours: say yes to the ones we know
// and to every Mcp-Param-*.
std::string allowed_headers(const HttpRequest& request) {
  std::string out(kAllowedHeaders);
  if (const auto* asked = request.header("access-control-request-headers")) {
    each_item(*asked, [&](std::string_view name) {
      const auto small = lower_case(name);
      const bool plain = std::all_of(small.begin(), small.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      });
      if (plain && small.starts_with(kParamPrefix)) out.append(", ").append(small);
    });
  }
  return out;
}

void answer_options(HttpContext context, const std::string& methods) {
  context.respond({204,
                   {{"Allow", methods + ", OPTIONS"},
                    {"Access-Control-Allow-Methods", methods},
                    {"Access-Control-Allow-Headers", allowed_headers(context.request)},
                    {"Access-Control-Max-Age", "7200"}},
                   ""});
}

bool answers_method(const HttpRoute& route, std::string_view method) {
  bool known = false;
  each_item(route.methods, [&](std::string_view one) { known |= one == method; });
  return known;
}

void refuse(HttpContext context, const HttpRoute& route, int status, const std::string& why) {
  if (status == 503) context.common.emplace_back("Retry-After", "1");
  if (status == 401) {
    const bool tried = context.request.header("authorization") != nullptr;
    context.common.emplace_back("WWW-Authenticate",
                                tried ? R"(Bearer error="invalid_token")" : "Bearer");
  }
  if (route.refuse) return route.refuse(std::move(context), status, why);
  context.respond(status, "text/plain; charset=utf-8", why + "\n");
}

}  // namespace

void HttpRouter::add(std::string path, HttpRoute route) {
  exact_[std::move(path)] = std::move(route);
}

void HttpRouter::add_below(std::string prefix, HttpRoute route) {
  while (prefix.ends_with('/')) prefix.pop_back();
  below_[std::move(prefix)] = std::move(route);
}

void HttpRouter::add_asset(std::string path, const HttpAsset& asset, bool for_anybody,
                           HttpRoute::Pages pages) {
  HttpRoute route;
  route.pages = pages;
  route.methods = "GET, HEAD";
  route.for_anybody = for_anybody;
  route.handler = asset_handler(path, asset, for_anybody);
  add(std::move(path), std::move(route));
}

bool HttpRouter::serves_host(std::string_view name) const {
  return std::find(guard_.hosts.begin(), guard_.hosts.end(), name) != guard_.hosts.end();
}

bool HttpRouter::host_allowed(const HttpRequest& request) const {
  const auto* header = request.header("host");
  if (header == nullptr) return false;
  const auto host = lower_case(without_port(*header));
  return loopback_name(host) || serves_host(host);
}

// REQUIRES: the Host is allowed. What it names is where the browser sent the request, port
// and all; only a proxy, which has names of its own, serves the same by TLS.
bool HttpRouter::origin_allowed(const HttpRequest& request, std::string_view origin) const {
  const auto small = lower_case(origin);
  if (std::find(guard_.origins.begin(), guard_.origins.end(), small) != guard_.origins.end()) {
    return true;
  }
  const auto host = lower_case(*request.header("host"));
  return small == "http://" + host ||
         (small == "https://" + host && serves_host(without_port(host)));
}

// False: the request was refused.
bool HttpRouter::guard_origin(HttpContext& context, HttpRoute::Pages pages) const {
  const auto& request = context.request;
  const auto* origin = request.header("origin");
  if (request.count("origin") == 1 && origin_allowed(request, *origin)) {
    context.common.insert(context.common.end(),
                          {{"Access-Control-Allow-Origin", *origin},
                           {"Access-Control-Expose-Headers", std::string(kExposedHeaders)},
                           {"Vary", "Origin"}});
    return true;
  }
  if (origin != nullptr && (pages != HttpRoute::Pages::any || *origin != kNoOrigin)) {
    context.respond(403, "text/plain", "pages of that Origin may not call this server\n");
    return false;
  }
  if (from_this_origin(request) || pages == HttpRoute::Pages::any) return true;
  if (pages == HttpRoute::Pages::linked && opens_page(request)) return true;
  context.respond(403, "text/plain", "pages of other sites may not use this server\n");
  return false;
}

// The same.
bool HttpRouter::guard(HttpContext& context, HttpRoute::Pages pages) const {
  if (pages != HttpRoute::Pages::any) {
    context.common.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  }
  if (host_allowed(context.request)) return guard_origin(context, pages);
  context.respond(403, "text/plain", "this server does not answer to that Host\n");
  return false;
}

const HttpRoute* HttpRouter::find(std::string_view path) const {
  if (const auto found = exact_.find(path); found != exact_.end()) return &found->second;
  if (below_.empty()) return nullptr;
  for (;;) {
    if (const auto found = below_.find(path); found != below_.end()) return &found->second;
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos) return nullptr;
    path = path.substr(0, slash);
  }
}

void HttpRouter::handle(HttpRequest request, HttpReply reply) {
  HttpContext context{std::move(request), std::move(reply), {}, {}};
  const auto* route = find(context.request.path);
  if (!guard(context, route == nullptr ? HttpRoute::Pages::none : route->pages)) return;
  if (has_credential(context.request.query)) {
    const HttpRoute plain;
    return refuse(std::move(context), route == nullptr ? plain : *route, 400,
                  credential_in_query().message);
  }
  if (route == nullptr) return context.respond(404, "text/plain", "nothing here\n");
  if (context.request.method == "OPTIONS") {
    return answer_options(std::move(context), route->methods);
  }
  if (!answers_method(*route, context.request.method)) {
    context.common.emplace_back("Allow", route->methods + ", OPTIONS");
    return refuse(std::move(context), *route, 405, "this path does not answer that method");
  }
  route->for_anybody ? run(std::move(context), *route) : identify(std::move(context), *route);
}

// ---- who asks ----

void HttpRouter::identify(HttpContext&& context, const HttpRoute& route) {
  auto known = identifier_.at_once(context.request, context.reply);
  if (!known) return wait(std::move(context), route);
  settle(std::move(context), route, std::move(*known));
}

void HttpRouter::wait(HttpContext&& context, const HttpRoute& route) {
  if (waiting_.size() >= limits_.waiting) {
    return refuse(std::move(context), route, 503, "too many callers are being identified");
  }
  const auto id = ++last_waiting_;
  const auto until = std::chrono::steady_clock::now() + limits_.wait;
  const auto at = waiting_.emplace(id, Waiting{std::move(context), &route, until}).first;
  HttpContext& kept = at->second.context;
  kept.reply.on_close([this, id] { waiting_.erase(id); });
  identifier_.later(kept.request, [this, id, loop = kept.reply.loop()](Result<Principal> who) {
    loop.run([this, id, who = std::move(who)] { resume(id, who); });
  });
}

// Nothing waits under the id any more if its client went or its time was over.
void HttpRouter::resume(std::uint64_t id, Result<Principal> who) {
  auto found = waiting_.extract(id);
  if (found.empty()) return;
  auto& waited = found.mapped();
  settle(std::move(waited.context), *waited.route, std::move(who));
}

void HttpRouter::tick(std::chrono::steady_clock::time_point now) {
  std::vector<Waiting> late;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const auto one = at++;
    if (now < one->second.until) continue;
    late.push_back(std::move(waiting_.extract(one).mapped()));
  }
  for (auto& one : late) {
    refuse(std::move(one.context), *one.route, 503, "it took too long to find out who you are");
  }
}

void HttpRouter::settle(HttpContext&& context, const HttpRoute& route, Result<Principal> who) {
  if (!who) {
    const bool busy = who.error().code == Code::unavailable;
    return refuse(std::move(context), route, busy ? 503 : 401, who.error().message);
  }
  context.who = *std::move(who);
  if (!context.who.guest()) context.reply.trust();
  run(std::move(context), route);
}

// ---- handlers ----

void HttpRouter::run(HttpContext&& context, const HttpRoute& route) {
  if (!route.blocks) return route.handler(std::move(context));
  const auto job = std::make_shared<HttpContext>(std::move(context));
  const bool taken = pool_.submit(job->who, [job, &route] {
    try {
      route.handler(std::move(*job));
    } catch (const std::exception&) {
      // The reply was dropped with the context, which answers 500.
    }
  });
  if (!taken) refuse(std::move(*job), route, 503, "the server is busy; try again");
}

}  // namespace lode
