#include "server/resource_endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/credentials.h"
#include "base/hash.h"
#include "base/uri.h"
#include "base/utf8.h"
#include "protocol/wire_error.h"
#include "server/call.h"
#include "transport/http_conditional.h"

namespace lode {
namespace {

constexpr std::string_view kJson = "application/json";

struct Wanted {
  std::string uri;
  bool raw = false;
};

// The parameters: uri, and raw. Whatever else there is was meant for something that it
// would not do, or is a part of an address that was not encoded.
Result<Wanted> parse_wanted(std::string_view query, std::string& uri) {
  auto parameters = parse_parameters(query);
  if (!parameters) return std::move(parameters).error();
  std::optional<std::string> address;
  std::optional<std::string> raw;
  for (auto& [name, value] : *parameters) {
    auto* known = name == "uri" ? &address : name == "raw" ? &raw : nullptr;
    if (known == nullptr) {
      return invalid(
          fmt::format("no parameter \"{}\" here; there are uri and raw, and the address "
                      "must be percent-encoded",
                      cut_text(visible(name), 80)));
    }
    if (*known) return invalid("a parameter is given twice");
    *known = std::move(value);
    if (address) uri = *address;
  }
  if (!address || address->empty()) return invalid("the parameter uri is missing");
  if (raw && *raw != "1" && *raw != "0") return invalid("raw is 1 or 0");
  return Wanted{std::move(*address), raw == "1"};
}

// The uri that a request names, for a refusal; empty: none.
std::string named_uri(const HttpRequest& request) {
  std::string uri;
  static_cast<void>(parse_wanted(request.query, uri));
  return uri;
}

std::string etag_of(std::string_view bytes, std::string_view form) {
  return fmt::format("\"{}{}\"", content_hash(bytes), form);
}

}  // namespace

// Answers once, whoever comes first: the worker, the deadline, or nobody, when the client has
// gone.
class ResourceEndpoint::Request : public std::enable_shared_from_this<ResourceEndpoint::Request> {
 public:
  Request(HttpContext context, Server& server)
      : context_(std::move(context)),
        server_(server),
        memory_(server.memory(context_.who)),
        deadline_(began_ + server.options().request_time) {}

  void watch_client() {
    context_.reply.on_close([weak = weak_from_this()] {
      if (const auto request = weak.lock()) request->stop_.request_stop();
    });
  }

  const HttpRequest& request() const { return context_.request; }
  const Principal& who() const { return context_.who; }
  MemoryShare& memory() const { return memory_; }
  std::chrono::steady_clock::time_point deadline() const { return deadline_; }
  std::stop_token stop() const { return stop_.get_token(); }
  bool answered() const { return answered_; }

  // The body counts in the caller's share until it is written; what does not fit is not sent.
  void respond(HttpResponse response) {
    response.body.charge_to(memory_);
    if (response.body.size() > Call::kAlwaysAnswered && !memory_.fits()) {
      response.body = {};
      return fail(Call::busy_error());
    }
    response.headers.emplace_back("Cache-Control", "private, no-cache");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    send(std::move(response), 0);
  }

  void fail(const Error& error) {
    stop_.request_stop();
    send(resource_refusal(error, named_uri(context_.request)), wire_error(error, kNewest).code);
  }

 private:
  void send(HttpResponse response, int error_code) {
    if (answered_.exchange(true)) return;
    const auto took = std::chrono::steady_clock::now() - began_;
    context_.respond(std::move(response));
    server_.tell_served({kPath, error_code, took});
  }

  HttpContext context_;
  Server& server_;
  MemoryShare& memory_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const std::chrono::steady_clock::time_point deadline_;
  std::stop_source stop_;
  std::atomic<bool> answered_{false};
};

// What was read, kept for as long as it is looked at.
struct ResourceEndpoint::Found {
  std::shared_ptr<const Cached> cached;  // or
  std::shared_ptr<const Contents> own;
  std::string uri;     // as it was asked for
  std::string path{};  // of the file behind it, as the caller may know it
  std::string notice{};

  const Content& content() const { return (cached ? cached->contents() : *own).items.front(); }
};

HttpRoute ResourceEndpoint::route() {
  HttpRoute route;
  route.methods = "GET, HEAD";
  route.handler = [this](HttpContext context) { handle(std::move(context)); };
  route.refuse = [](HttpContext context, int status, const std::string& why) {
    context.respond(status, kJson, resource_error_json(status, named_uri(context.request), why));
  };
  return route;
}

void ResourceEndpoint::handle(HttpContext context) {
  const auto request = std::make_shared<Request>(std::move(context), server_);
  request->watch_client();
  {
    Lock lock(mutex_);
    std::erase_if(active_, [](const auto& weak) { return weak.expired(); });
    active_.push_back(request);
  }
  const bool taken = pool_.submit(request->who(), [this, request] {
    if (request->answered() || request->stop().stop_requested()) return;
    try {
      run(*request);
    } catch (const std::exception& e) {
      server_.log().error("request threw", {{"method", kPath}, {"what", e.what()}});
      request->fail(internal("the server failed on this request"));
    }
  });
  if (!taken) request->fail(Call::busy_error());
}

void ResourceEndpoint::tick(std::chrono::steady_clock::time_point now) {
  std::vector<std::shared_ptr<Request>> late;
  {
    Lock lock(mutex_);
    for (const auto& weak : active_) {
      auto request = weak.lock();
      if (request && !request->answered() && request->deadline() < now) {
        late.push_back(std::move(request));
      }
    }
  }
  for (const auto& request : late) {
    request->fail({Code::timeout, "the request took too long and was stopped", {}});
  }
}

// ---- on a worker ----

void ResourceEndpoint::run(Request& request) const {
  std::string uri;
  auto wanted = parse_wanted(request.request().query, uri);
  if (!server_.engine().offer().resources) {
    return request.fail(not_found("resources are not enabled on this server"));
  }
  if (!wanted) return request.fail(wanted.error());
  if (!request.memory().fits()) return request.fail(Call::busy_error());
  NoProgress nobody;
  const ClientAbilities none;
  const Answers first;
  const Exchange exchange{request.who(), request.deadline(), request.stop(), nobody, none, first};
  auto found = read(exchange, wanted->uri);
  if (!found) return request.fail(found.error());
  if (found->path.empty()) found->path = shown_path(request.who(), wanted->uri);
  wanted->raw ? answer_raw(request, *found) : answer_json(request, *found);
}

Result<ResourceEndpoint::Found> ResourceEndpoint::read(const Exchange& exchange,
                                                       std::string_view uri) const {
  auto reading = server_.engine().read(exchange, uri);
  if (!reading && reading.error().code == Code::internal) {
    return read_file_instead(exchange, uri, std::move(reading).error());
  }
  if (!reading) return std::move(reading).error();
  Found found{nullptr, nullptr, std::string(uri)};
  if (auto* cached = std::get_if<std::shared_ptr<const Cached>>(&*reading)) {
    found.cached = std::move(*cached);
    return found;
  }
  const auto* verbatim = std::get_if<Verbatim>(&*reading);
  if (verbatim == nullptr) {
    return Error{Code::unsupported, "this resource asks its reader for input, which needs MCP", {}};
  }
  auto contents = contents_of(*verbatim);
  if (!contents) return std::move(contents).error();
  found.own = std::make_shared<const Contents>(std::move(*contents));
  return found;
}

// Its own address decides who may have it.
Result<ResourceEndpoint::Found> ResourceEndpoint::read_file_instead(const Exchange& exchange,
                                                                    std::string_view uri,
                                                                    Error failure) const {
  const auto& engine = server_.engine();
  const auto path = engine.local_path(exchange.who, uri);
  const auto file = path ? Uri::parse(file_uri(*path)) : Result<Uri>(not_found(""));
  if (!file || file->text() == uri) return failure;
  auto reading = engine.read(exchange, file->text());
  auto* cached = reading ? std::get_if<std::shared_ptr<const Cached>>(&*reading) : nullptr;
  if (cached == nullptr) return failure;
  Found found{std::move(*cached), nullptr, std::string(uri)};
  found.notice = failure.message + "; this is the file itself";
  return found;
}

std::string ResourceEndpoint::shown_path(const Principal& who, std::string_view uri) const {
  const auto path = server_.engine().local_path(who, uri);
  if (!path) return "";
  std::string shown = !who.guest() ? *path : files_.short_path ? files_.short_path(*path) : "";
  return valid_utf8(shown) ? shown : "";
}

void ResourceEndpoint::answer_json(Request& request, const Found& found) const {
  std::string body = resource_json({found.content(), found.uri, found.path, found.notice}, files_);
  const std::string etag = etag_of(body, "");
  if (has_tag(request.request(), etag)) return request.respond({304, {{"ETag", etag}}, {}});
  request.respond({200, {{"Content-Type", std::string(kJson)}, {"ETag", etag}}, std::move(body)});
}

void ResourceEndpoint::answer_raw(Request& request, const Found& found) {
  const Content& content = found.content();
  const std::string_view bytes = content.bytes;
  const std::string etag = etag_of(bytes, "-raw");
  HttpResponse response{200, {{"ETag", etag}, {"Accept-Ranges", "bytes"}}, {}};
  auto& headers = response.headers;
  headers.emplace_back("Content-Security-Policy", "sandbox");
  if (has_tag(request.request(), etag)) {
    response.status = 304;
    return request.respond(std::move(response));
  }
  const auto range = wanted_range(request.request(), etag, bytes.size());
  if (range.kind == HttpRange::Kind::unsatisfiable) {
    response.status = 416;
    headers.emplace_back("Content-Range", fmt::format("bytes */{}", bytes.size()));
    headers.emplace_back("Content-Type", std::string(kJson));
    response.body = resource_error_json(
        416, found.uri, fmt::format("the range is outside of the {} bytes", bytes.size()));
    return request.respond(std::move(response));
  }
  const std::string type = raw_type(content);
  headers.emplace_back("Content-Type", type);
  if (only_for_saving(type)) {
    headers.emplace_back("Content-Disposition", saving_as(found.uri));
  }
  if (!found.notice.empty()) headers.emplace_back("X-Lode-Notice", visible(found.notice));
  if (range.kind == HttpRange::Kind::part) {
    response.status = 206;
    headers.emplace_back("Content-Range", fmt::format("bytes {}-{}/{}", range.begin,
                                                      range.begin + range.size - 1, bytes.size()));
    response.body = std::string(bytes.substr(range.begin, range.size));
  } else {
    response.body = std::string(bytes);
  }
  request.respond(std::move(response));
}

}  // namespace lode
