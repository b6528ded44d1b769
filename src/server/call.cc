#include "server/call.h"

#include <utility>

#include "protocol/mcp.h"

namespace lode {

Call::Call(std::shared_ptr<const JsonDocument> document, Message message, Revision revision,
           Principal who, std::shared_ptr<Outlet> outlet)
    : document_(std::move(document)),
      message_(std::move(message)),
      revision_(revision),
      who_(std::move(who)),
      reply_(std::move(outlet), [this] { return lost_text(); }) {}

std::string Call::lost_text() const {
  return error_text(message_.id, {wire::kInternal, "the server lost this request", "", 200});
}

void Call::forget_request() {
  headers.reset();
  message_.method = {};
  message_.params = {};
  document_.reset();
}

Exchange Call::exchange() {
  Exchange exchange{who_, deadline, stop_.get_token(), *this, abilities, answers};
  exchange.trace = trace;
  return exchange;
}

void Call::answered(bool by_this_call) {
  if (!by_this_call) return;
  if (auto done = std::move(on_answer)) done(*this);
}

void Call::result(Payload json) {
  json.head = response_text(message_.id, json.head);
  if (json.shared != nullptr) {  // what closes the message stands at its end
    json.head.pop_back();
    json.tail += '}';
  }
  if (memory != nullptr) json.charge_to(*memory);
  if (memory != nullptr && json.size() > kAlwaysAnswered && !memory->fits()) {
    json = {};  // before the error: it is the memory that is wanted
    return busy();
  }
  answered(reply_.answer({std::move(json), 200, ""}, before_answer));
}

Error Call::busy_error() {
  return {Code::unavailable, "the server is busy; try again", kBusyRetry};
}

void Call::busy() { fail(wire_error(busy_error(), revision_)); }

void Call::fail(const WireError& error) {
  error_code_ = error.code;
  stop_.request_stop();
  answered(reply_.answer({error_text(message_.id, error), error.status, ""}, before_answer));
}

void Call::cancel() {
  stop_.request_stop();
  answered(reply_.abandon());
}

void Call::report(double done, std::optional<double> total, std::string_view message) {
  if (progress_token.empty()) return;
  Lock lock(mutex_);  // held while sending: reports must leave in their order
  if (reported_ && done <= *reported_) return;
  reported_ = done;
  std::string params;
  JsonWriter w(params);
  w.begin_object().raw_member("progressToken", progress_token).member("progress", done);
  if (total) w.member("total", *total);
  if (revision_ >= Revision::v2025_03_26) w.member_if("message", message);
  w.end_object();
  send(notification_text("notifications/progress", params));
}

void Call::log(Severity severity, std::string_view logger, const Json& data) {
  if (!log_from || severity < *log_from) return;
  std::string params;
  JsonWriter w(params);
  w.begin_object().member("level", mcp::kLogLevels[static_cast<std::size_t>(severity)]);
  w.member_if("logger", logger).member("data", data).end_object();
  send(notification_text("notifications/message", params));
}

void Call::release() {
  if (!reply_.answered()) reply_.outlet().release();
}

ClientAbilities read_abilities(JsonView capabilities) {
  ClientAbilities abilities;
  const JsonView elicitation = capabilities["elicitation"];
  if (elicitation.is_object()) {
    abilities.elicit_url = elicitation["url"].is_object();
    // An empty object means forms; one that names modes means those.
    abilities.elicit_form = elicitation["form"].is_object() || !abilities.elicit_url;
  }
  const JsonView sampling = capabilities["sampling"];
  abilities.sample = sampling.is_object();
  abilities.sample_with_tools = sampling["tools"].is_object();
  abilities.list_roots = capabilities["roots"].is_object();
  return abilities;
}

}  // namespace lode
