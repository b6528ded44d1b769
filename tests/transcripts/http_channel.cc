#include "http_channel.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/base64.h"
#include "protocol/mcp.h"

namespace lode::transcripts {
namespace {

using std::chrono::steady_clock;

// How long to look for the wanted message when others have come.
constexpr Milliseconds kSecondLook{1000};
constexpr int kDefaultRetry = 100;

const Json* member(const JsonObject* object, std::string_view key) {
  return object == nullptr ? nullptr
                           : object->if_contains(boost::json::string_view(key.data(), key.size()));
}

const JsonObject* object_in(const JsonObject* object, std::string_view key) {
  const auto* value = member(object, key);
  return value == nullptr ? nullptr : value->if_object();
}

std::string string_in(const JsonObject* object, std::string_view key) {
  const auto* value = member(object, key);
  if (value == nullptr || !value->is_string()) return {};
  return {value->get_string().data(), value->get_string().size()};
}

std::string id_in(const JsonObject* object, std::string_view key) {
  const auto* value = member(object, key);
  return value == nullptr ? std::string() : to_text(*value);
}

bool awaits_answer(const Json& message) {
  if (const auto* batch = message.if_array()) {
    return batch->empty() || std::any_of(batch->begin(), batch->end(), awaits_answer);
  }
  const auto* object = message.if_object();
  return object == nullptr || (object->contains("id") && object->contains("method"));
}

// As a header may carry it: plain, or base64 between marks.
std::string header_value(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  const bool trimmed = !text.empty() && text.front() != ' ' && text.back() != ' ';
  if (plain && trimmed && !text.starts_with("=?base64?")) return text;
  return "=?base64?" + base64_encode(text) + "?=";
}

// The headers that repeat a modern body.
void add_modern_headers(Headers& headers, const JsonObject& message, const std::string& version) {
  const auto method = string_in(&message, "method");
  const auto* params = object_in(&message, "params");
  headers.emplace_back("MCP-Protocol-Version", header_value(version));
  headers.emplace_back("Mcp-Method", header_value(method));
  const bool named = method == "tools/call" || method == "prompts/get";
  const char* subject = named ? "name" : method == "resources/read" ? "uri" : "";
  const auto* name = member(params, subject);
  if (name != nullptr && name->is_string()) {
    headers.emplace_back("Mcp-Name", header_value(string_in(params, subject)));
  }
}

}  // namespace

HttpChannel::Open* HttpChannel::open(const Request& request) {
  auto exchange = HttpExchange::start(port_, request);
  if (!exchange) return nullptr;
  open_.emplace_back();
  open_.back().exchange = std::move(*exchange);
  return &open_.back();
}

Request HttpChannel::authorized(Request request) const {
  if (!token_.empty()) request.headers.emplace_back("Authorization", "Bearer " + token_);
  return request;
}

// Requests go out on connections of their own. One thread of the server takes them in, in
// the order in which they came: who is answered knows that those before were taken in.
void HttpChannel::wait_until_taken_in() {
  const bool taken = std::all_of(open_.begin(), open_.end(), [](const Open& o) {
    return o.exchange->has_head() || o.exchange->descriptor() < 0;
  });
  if (taken) return;
  Open* asked = open({"GET", "/health/live", {}, ""});
  if (asked != nullptr) pump(kPatience, [&] { return asked->exchange->complete(); });
}

std::optional<int> HttpChannel::send(const std::string& message) {
  wait_until_taken_in();
  const auto json = parse_json(message);
  const auto* object = json ? json->if_object() : nullptr;
  const auto method = string_in(object, "method");
  bool closed = false;
  if (method == "notifications/cancelled") cancel(*object, closed);
  if (closed) return std::nullopt;
  Open* sent = post(message, object);
  if (sent == nullptr || !json || awaits_answer(*json)) return std::nullopt;
  if (!pump(kPatience, [&] { return sent->exchange->complete(); })) return 0;
  if (!sent->messages.empty()) return std::nullopt;
  if (method == "notifications/initialized") open_standing_stream();
  return sent->exchange->status();
}

HttpChannel::Open* HttpChannel::post(const std::string& message, const JsonObject* read) {
  const auto* meta = object_in(object_in(read, "params"), "_meta");
  const auto claim = string_in(meta, mcp::kMetaVersion);
  Request request{"POST", "/mcp", {}, message};
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"}};
  if (!claim.empty()) {
    add_modern_headers(request.headers, *read, claim);
  } else {
    if (!session_.empty()) request.headers.emplace_back("Mcp-Session-Id", session_);
    // Revisions before 2025-06-18 know no such header.
    if (revision_ >= "2025-06-18") request.headers.emplace_back("MCP-Protocol-Version", revision_);
  }
  Open* sent = open(authorized(std::move(request)));
  if (sent == nullptr) return nullptr;
  sent->id = id_in(read, "id");
  sent->modern = !claim.empty();
  return sent;
}

// closed: it was a modern request, whose connection is closed instead.
void HttpChannel::cancel(const JsonObject& notification, bool& closed) {
  const auto id = id_in(object_in(&notification, "params"), "requestId");
  for (auto& open : open_) {
    if (id.empty() || open.id != id || open.answered) continue;
    open.given_up = true;
    if (open.modern) {
      open.exchange->hang_up();
      closed = true;
    }
  }
}

void HttpChannel::open_standing_stream() {
  if (session_.empty()) return;
  Request request{
      "GET", "/mcp", {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session_}}, ""};
  Open* opened = open(authorized(std::move(request)));
  if (opened != nullptr) pump(kPatience, [&] { return opened->exchange->has_head(); });
}

void HttpChannel::learn(Open& open, const Arrived& message) {
  const auto json = parse_json(message.text);
  const auto* object = json ? json->if_object() : nullptr;
  if (object == nullptr) return;
  if (id_in(object, "id") == open.id && !object->contains("method")) open.answered = true;
  const auto negotiated = string_in(object_in(object, "result"), "protocolVersion");
  if (!negotiated.empty()) revision_ = negotiated;
}

void HttpChannel::settle(Open& open) {
  for (auto& message : std::exchange(open.exchange->messages, {})) {
    if (!open.literal && message.text.empty()) continue;
    if (open.literal) message.status = 0;
    if (!open.literal) learn(open, message);
    open.messages.push_back(std::move(message));
  }
  for (const auto& id : open.exchange->headers("mcp-session-id")) {
    sessions_.insert(id);
    if (!open.literal) session_ = id;
  }
  const bool let_go = open.exchange->complete() && open.exchange->streams() && !open.answered;
  if (let_go && !open.literal && !open.given_up && !open.id.empty()) resume(open);
}

// The server let the client go before the answer: comes back for it.
void HttpChannel::resume(Open& lost) {
  const auto last = lost.exchange->last_event;
  if (last.empty() || session_.empty()) return;
  // A client comes back no sooner than the server asks it to.
  std::this_thread::sleep_for(Milliseconds(lost.exchange->retry.value_or(kDefaultRetry)));
  auto exchange = HttpExchange::start(
      port_,
      authorized(
          {"GET",
           "/mcp",
           {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session_}, {"Last-Event-ID", last}},
           ""}));
  if (exchange) lost.exchange = std::move(*exchange);
}

HttpChannel::Open* HttpChannel::find(const Wanted& wanted) {
  for (auto& open : open_) {
    if (!open.messages.empty() && wanted(open.messages.front())) return &open;
  }
  return nullptr;
}

std::optional<Arrived> HttpChannel::next(const Wanted& wanted, Milliseconds patience) {
  const Wanted any = [](const Arrived&) { return true; };
  Open* found = nullptr;
  pump(patience, [&] { return find(any) != nullptr; });
  if (find(any) == nullptr) return std::nullopt;
  pump(std::min(patience, kSecondLook), [&] { return (found = find(wanted)) != nullptr; });
  if (found == nullptr) found = find(any);
  Arrived arrived = std::move(found->messages.front());
  found->messages.pop_front();
  return arrived;
}

bool HttpChannel::pump(Milliseconds patience, const std::function<bool()>& done) {
  const auto until = steady_clock::now() + patience;
  while (!done()) {
    std::vector<pollfd> ready;
    std::vector<Open*> of;
    for (auto& open : open_) {
      if (open.exchange->descriptor() < 0) continue;
      ready.push_back({open.exchange->descriptor(), POLLIN, 0});
      of.push_back(&open);
    }
    const auto left = std::chrono::ceil<Milliseconds>(until - steady_clock::now()).count();
    const int n =
        ::poll(ready.data(), ready.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (n <= 0) return done();
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].revents == 0) continue;
      of[i]->exchange->receive();
      settle(*of[i]);
    }
  }
  return true;
}

Status HttpChannel::finish() {
  for (auto& open : open_) open.exchange->hang_up();
  for (const auto& id : sessions_) {
    Open* ended = open(authorized({"DELETE", "/mcp", {{"Mcp-Session-Id", id}}, ""}));
    if (ended == nullptr || !pump(kPatience, [&] { return ended->exchange->complete(); })) {
      return internal("the session could not be ended");
    }
    const int status = ended->exchange->status();
    if (status != 204 && status != 404) return internal(fmt::format("DELETE answered {}", status));
  }
  return {};
}

Status HttpChannel::request(const Request& request) {
  literal_ = open(request);
  if (literal_ == nullptr) return internal("cannot connect");
  literal_->literal = true;
  return {};
}

const HttpExchange* HttpChannel::head(Milliseconds patience) {
  if (literal_ == nullptr) return nullptr;
  const auto& exchange = *literal_->exchange;
  const bool there = pump(
      patience, [&] { return exchange.has_head() && (exchange.complete() || exchange.streams()); });
  return there ? &exchange : nullptr;
}

bool HttpChannel::ended(Milliseconds patience) {
  return literal_ != nullptr && pump(patience, [&] { return literal_->exchange->complete(); });
}

void HttpChannel::hang_up() {
  if (literal_ != nullptr) literal_->exchange->hang_up();
}

}  // namespace lode::transcripts
