#include "server/legacy.h"

#include <atomic>
#include <utility>

#include "server/modern.h"

namespace lode {

std::shared_ptr<Call> open_legacy(std::shared_ptr<const JsonDocument> document, Message message,
                                  std::shared_ptr<Session> session, Revision revision,
                                  const Principal& who, std::shared_ptr<Outlet> outlet) {
  auto call =
      std::make_shared<Call>(std::move(document), std::move(message),
                             session ? session->revision : revision, who, std::move(outlet));
  read_progress_token(*call);
  if (session) {
    call->abilities = session->abilities;
    call->log_from = session->log_level();
    call->session = std::move(session);
  }
  return call;
}

std::string cancelled_id(const Message& message) {
  const JsonView id = message.params["requestId"];
  return id.integer() || id.string() ? id.text() : std::string();
}

void take_legacy(const Message& message, Session& session) {
  if (message.kind == Message::Kind::response) {
    session.respond(message);
  } else if (message.method == "notifications/initialized") {
    session.ready = true;
  } else if (message.method == "notifications/cancelled") {
    session.in_flight.cancel(cancelled_id(message));
  }
}

bool admit(const std::shared_ptr<Call>& call, InFlight& in_flight,
           const std::shared_ptr<void>& keeps_alive) {
  if (!in_flight.begin(call->message().id, call)) {
    call->fail(invalid_request("a request with this id is still under way"));
    return false;
  }
  // The client may use the id again as soon as it sees the answer.
  call->before_answer = [&in_flight, &id = call->message().id] { in_flight.free_id(id); };
  call->on_answer = [&in_flight, keeps_alive](Call& answered) {
    in_flight.end(answered.message().id, &answered);
  };
  return true;
}

bool good_batch(JsonView batch) {
  bool claims = false;
  batch.each([&](JsonView value) { claims |= claims_version(value); });
  return batch.size() > 0 && !claims;
}

// One message's share of a batch: messages before the answer go straight out,
// the answer waits for the others.
class Batch::Part final : public Outlet {
 public:
  explicit Part(std::shared_ptr<Batch> batch) : batch_(std::move(batch)) {}
  ~Part() override { end(); }

  void send(Event event) override { batch_->outlet_->send(std::move(event)); }
  void finish(Answer answer) override {
    if (!done_.exchange(true)) batch_->done(std::move(answer.body));
  }
  void end() override { finish({}); }
  void on_close(std::function<void()>) override {}

 private:
  const std::shared_ptr<Batch> batch_;
  std::atomic<bool> done_{false};
};

std::shared_ptr<Outlet> Batch::begin() { return std::make_shared<Part>(shared_from_this()); }

void Batch::done(Payload body) {
  Payload all;
  {
    Lock lock(mutex_);
    if (!body.empty()) {
      body.head.insert(0, 1, answers_.empty() ? '[' : ',');
      answers_.push_back(std::move(body));
    }
    if (--open_ > 0) return;
    all.more = std::move(answers_);
  }
  if (all.empty()) return outlet_->finish({"", 202, ""});
  all.more.back().tail += ']';
  outlet_->finish({std::move(all), 200, ""});
}

}  // namespace lode
