// What every HTTP route shares: a request with who sent it, and how an Outlet becomes an
// HTTP response.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/principal.h"
#include "transport/http_server.h"
#include "transport/reply.h"

namespace lode {

// A request on its way to a route. Headers that every response must carry are
// in `common`.
struct HttpContext {
  HttpRequest request;
  HttpReply reply;
  HttpHeaders common;
  Principal who;  // nobody (an empty name) where the route is for anybody

  // Answers with the common headers added.
  void respond(HttpResponse response);
  void respond(int status, std::string_view type, std::string body);
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
