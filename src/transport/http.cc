#include "transport/http.h"

#include <algorithm>
#include <utility>

#include "transport/sse.h"

namespace lode {

void HttpContext::respond(HttpResponse response) {
  response.headers.insert(response.headers.end(), common.begin(), common.end());
  reply.send(std::move(response));
}

void HttpContext::respond(int status, std::string_view type, std::string body) {
  respond({status, {{"Content-Type", std::string(type)}}, std::move(body)});
}

bool accepts(const std::string* header, std::string_view type) {
  if (header == nullptr) return true;
  const auto slash = type.find('/');
  const std::string range = std::string(type.substr(0, slash)) + "/*";
  bool found = false;
  each_item(*header, [&](std::string_view item) {
    const auto semicolon = item.find(';');
    const auto name = lower_case(trim_field(item.substr(0, semicolon)));
    if (name != type && name != range && name != "*/*") return;
    found |= semicolon == std::string_view::npos || !refuses(quality(item.substr(semicolon)));
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
