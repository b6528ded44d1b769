// What every HTTP route shares: which hosts and origins may speak to us, what
// browsers may read, and how an Outlet becomes an HTTP response.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "transport/http_server.h"
#include "transport/reply.h"

namespace lode {

// A request on its way to a route. Headers that every response must carry are
// in `common`.
struct HttpContext {
  HttpRequest request;
  HttpReply reply;
  HttpHeaders common;

  // Answers with the common headers added.
  void respond(HttpResponse response);
  void respond(int status, std::string_view type, std::string body);
};

struct HttpGuard {
  // Names (without port) by which this server may be addressed, besides those
  // of loopback. A page that a name was re-bound for has another Host.
  std::vector<std::string> hosts;
  // Origins of pages that may call, besides those served from loopback.
  std::vector<std::string> origins;
};

// Paths to handlers, behind one check of Host and Origin. Filled before the
// first request; serves on the server's thread.
class HttpRouter {
 public:
  using Route = std::function<void(HttpContext)>;

  explicit HttpRouter(HttpGuard guard) : guard_(std::move(guard)) {}

  // methods: what the path answers, for the Allow header: "GET, HEAD". Other
  // methods are answered 405.
  void add(std::string path, std::string methods, Route route);

  void handle(HttpRequest request, HttpReply reply) const;

 private:
  struct Entry {
    std::string methods;
    Route route;
  };

  bool host_allowed(const HttpRequest& request) const;
  bool origin_allowed(std::string_view origin) const;

  const HttpGuard guard_;
  std::map<std::string, Entry, std::less<>> routes_;
};

// Messages of one exchange as an HTTP response: one JSON body, or server-sent
// events from the first message before the last. Any thread.
class HttpOutlet final : public Outlet {
 public:
  // accepts_events: the client can read text/event-stream. memory: counts events
  // until they are written (answers bring their own count); null: nobody counts.
  HttpOutlet(HttpReply reply, HttpHeaders common, bool accepts_events, MemoryShare* memory);

  // Begins the event stream before there is anything to send.
  void open() LODE_EXCLUDES(mutex_);

  void send(Event event) override LODE_EXCLUDES(mutex_);
  void finish(Answer answer) override LODE_EXCLUDES(mutex_);
  void end() override LODE_EXCLUDES(mutex_);
  void on_close(std::function<void()> gone) override LODE_EXCLUDES(mutex_);
  bool streams() const override { return accepts_events_; }

 private:
  void begin() LODE_REQUIRES(mutex_);
  void write(const Event& event) LODE_REQUIRES(mutex_);

  const bool accepts_events_;
  MemoryShare* const memory_;
  Mutex mutex_;
  HttpHeaders common_ LODE_GUARDED_BY(mutex_);
  HttpReply reply_ LODE_GUARDED_BY(mutex_);
  HttpStream stream_ LODE_GUARDED_BY(mutex_);
  bool streaming_ LODE_GUARDED_BY(mutex_) = false;
  bool done_ LODE_GUARDED_BY(mutex_) = false;
};

// Whether an Accept header (null: none) lets the type through. Wildcards and
// parameters are understood; a quality of 0 refuses.
bool accepts(const std::string* header, std::string_view type);

}  // namespace lode
