// What every HTTP route shares: a request with who sent it, and how an Outlet becomes an
// HTTP response.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
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

// ---- pieces of header fields ----

inline std::string_view trim_field(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

inline std::string lower_case(std::string_view text) {
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
    f(trim_field(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

// The value of the parameter q among "; a=b; q=0.5"; nothing said is "1".
inline std::string_view quality(std::string_view parameters) {
  const auto q = parameters.find("q=");
  if (q == std::string_view::npos) return "1";
  return trim_field(parameters.substr(q + 2, parameters.find(';', q) - q - 2));
}

// Whether a quality is 0, which refuses.
inline bool refuses(std::string_view quality) {
  return quality.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace lode
