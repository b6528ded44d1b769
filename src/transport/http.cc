#include "transport/http.h"

#include <algorithm>
#include <utility>

#include "base/credentials.h"
#include "transport/sse.h"

namespace lode {
namespace {

constexpr std::string_view kAllowedHeaders =
    "Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, "
    "Mcp-Session-Id, Last-Event-ID";
constexpr std::string_view kExposedHeaders = "Mcp-Session-Id, WWW-Authenticate";
constexpr std::string_view kParamPrefix = "mcp-param-";

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  });
  return out;
}

// Calls f with each item of a comma-separated list.
template <class F>
void each_item(std::string_view list, F&& f) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    f(trim(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

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

// A browser asks before it sends a header of ours: say yes to the ones we know
// and to every Mcp-Param-*.
std::string allowed_headers(const HttpRequest& request) {
  std::string out(kAllowedHeaders);
  if (const auto* asked = request.header("access-control-request-headers")) {
    each_item(*asked, [&](std::string_view name) {
      const auto small = lower(name);
      const bool plain = std::all_of(small.begin(), small.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      });
      if (plain && small.starts_with(kParamPrefix)) out.append(", ").append(small);
    });
  }
  return out;
}

bool quality_zero(std::string_view parameters) {
  const auto q = parameters.find("q=");
  if (q == std::string_view::npos) return false;
  const auto value = trim(parameters.substr(q + 2, parameters.find(';', q) - q - 2));
  return value.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

void HttpContext::respond(HttpResponse response) {
  response.headers.insert(response.headers.end(), common.begin(), common.end());
  reply.send(std::move(response));
}

void HttpContext::respond(int status, std::string_view type, std::string body) {
  respond({status, {{"Content-Type", std::string(type)}}, std::move(body)});
}

void HttpRouter::add(std::string path, std::string methods, Route route) {
  routes_[std::move(path)] = {std::move(methods), std::move(route)};
}

bool HttpRouter::host_allowed(const HttpRequest& request) const {
  const auto* header = request.header("host");
  if (header == nullptr) return false;
  const auto host = lower(without_port(*header));
  return loopback_name(host) ||
         std::find(guard_.hosts.begin(), guard_.hosts.end(), host) != guard_.hosts.end();
}

bool HttpRouter::origin_allowed(std::string_view origin) const {
  const auto small = lower(origin);
  if (std::find(guard_.origins.begin(), guard_.origins.end(), small) != guard_.origins.end()) {
    return true;
  }
  const auto slashes = small.find("://");
  if (slashes == std::string::npos) return false;
  const auto scheme = std::string_view(small).substr(0, slashes);
  return (scheme == "http" || scheme == "https") &&
         loopback_name(without_port(std::string_view(small).substr(slashes + 3)));
}

void HttpRouter::handle(HttpRequest request, HttpReply reply) const {
  HttpContext context{std::move(request), std::move(reply), {}};
  if (!host_allowed(context.request)) {
    return context.respond(403, "text/plain", "this server does not answer to that Host\n");
  }
  const auto* origin = context.request.header("origin");
  if (origin != nullptr) {
    if (context.request.count("origin") != 1 || !origin_allowed(*origin)) {
      return context.respond(403, "text/plain", "pages of that Origin may not call this server\n");
    }
    context.common = {{"Access-Control-Allow-Origin", *origin},
                      {"Access-Control-Expose-Headers", std::string(kExposedHeaders)},
                      {"Vary", "Origin"}};
  }
  if (has_credential(context.request.query)) {
    return context.respond(400, "text/plain", credential_in_query().message + "\n");
  }
  auto found = routes_.find(context.request.path);
  if (found == routes_.end()) return context.respond(404, "text/plain", "nothing here\n");
  const auto& [methods, route] = found->second;
  if (context.request.method == "OPTIONS") {
    return context.respond({204,
                            {{"Allow", methods + ", OPTIONS"},
                             {"Access-Control-Allow-Methods", methods},
                             {"Access-Control-Allow-Headers", allowed_headers(context.request)},
                             {"Access-Control-Max-Age", "7200"}},
                            ""});
  }
  bool known = false;
  each_item(methods, [&](std::string_view m) { known |= m == context.request.method; });
  if (!known) {
    return context.respond({405,
                            {{"Allow", methods + ", OPTIONS"}, {"Content-Type", "text/plain"}},
                            "this path does not answer that method\n"});
  }
  route(std::move(context));
}

bool accepts(const std::string* header, std::string_view type) {
  if (header == nullptr) return true;
  const auto slash = type.find('/');
  const std::string range = std::string(type.substr(0, slash)) + "/*";
  bool found = false;
  each_item(*header, [&](std::string_view item) {
    const auto semicolon = item.find(';');
    const auto name = lower(trim(item.substr(0, semicolon)));
    if (name != type && name != range && name != "*/*") return;
    found |= semicolon == std::string_view::npos || !quality_zero(item.substr(semicolon));
  });
  return found;
}

HttpOutlet::HttpOutlet(HttpReply reply, HttpHeaders common, bool accepts_events,
                       MemoryShare* memory)
    : accepts_events_(accepts_events),
      memory_(memory),
      common_(std::move(common)),
      reply_(std::move(reply)) {}

void HttpOutlet::begin() {
  if (std::exchange(streaming_, true)) return;
  HttpHeaders headers = {{"Content-Type", "text/event-stream"},
                         {"Cache-Control", "no-cache, no-transform"},
                         {"X-Accel-Buffering", "no"}};
  headers.insert(headers.end(), common_.begin(), common_.end());
  stream_ = reply_.open(std::move(headers));
}

void HttpOutlet::open() {
  Lock lock(mutex_);
  if (!done_) begin();
}

void HttpOutlet::send(Event event) {
  Lock lock(mutex_);
  if (done_ || !accepts_events_) return;
  begin();
  write(event);
}

void HttpOutlet::write(const Event& event) {
  std::string text = sse_text(event);
  MemoryCharge charge;
  if (memory_ != nullptr) charge = MemoryCharge(*memory_, text.size());
  stream_.write(std::move(text), std::move(charge));
}

void HttpOutlet::finish(Answer answer) {
  Lock lock(mutex_);
  if (std::exchange(done_, true)) return;
  if (streaming_) {
    if (!answer.body.empty()) write({std::move(answer.body).flat(), "", {}});
    return stream_.close();
  }
  HttpResponse response{answer.status, std::move(common_), std::move(answer.body)};
  if (!response.body.empty()) response.headers.emplace_back("Content-Type", "application/json");
  if (!answer.session.empty()) response.headers.emplace_back("Mcp-Session-Id", answer.session);
  reply_.send(std::move(response));
}

void HttpOutlet::end() {
  Lock lock(mutex_);
  if (std::exchange(done_, true)) return;
  if (!streaming_ && !accepts_events_) return reply_.send({202, std::move(common_), ""});
  begin();
  stream_.close();
}

void HttpOutlet::on_close(std::function<void()> gone) {
  Lock lock(mutex_);
  if (streaming_) {
    stream_.on_close(std::move(gone));
  } else {
    reply_.on_close(std::move(gone));
  }
}

}  // namespace lode
