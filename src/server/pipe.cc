#include "server/pipe.h"

#include <utility>

#include "server/legacy.h"
#include "server/modern.h"

namespace lode {
namespace {

// The lines of one exchange. The pipe stays open after the last.
class PipeOutlet final : public Outlet {
 public:
  explicit PipeOutlet(std::shared_ptr<LineSink> sink) : sink_(std::move(sink)) {}

  void send(Event event) override { write(std::move(event.data)); }
  void finish(Answer answer) override { write(std::move(answer.body).flat()); }
  void end() override {}
  void on_close(std::function<void()>) override {}

 private:
  void write(std::string line) {
    if (!line.empty()) sink_->write(std::move(line));
  }
  const std::shared_ptr<LineSink> sink_;
};

}  // namespace

Pipe::Pipe(Server& server, Principal who, std::shared_ptr<LineSink> sink)
    : server_(server),
      who_(std::move(who)),
      sink_(std::move(sink)),
      in_flight_(std::make_shared<InFlight>()) {}

Pipe::~Pipe() { close(); }

void Pipe::refuse(std::string why, std::string_view id) {
  sink_->write(error_text(id, invalid_request(std::move(why))));
}

void Pipe::receive(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return;
  auto parsed = JsonDocument::parse(line);
  if (!parsed) return sink_->write(error_text("", parse_error(parsed.error().message)));
  auto document = std::make_shared<const JsonDocument>(std::move(*parsed));
  if (document->root().is_array()) return take_batch(document);
  take(document, document->root(), std::make_shared<PipeOutlet>(sink_));
}

void Pipe::take_batch(const std::shared_ptr<const JsonDocument>& document) {
  const JsonView batch = document->root();
  const Revision revision = session_ ? session_->revision : kAssumedLegacy;
  if (revision != Revision::v2025_03_26 || !good_batch(batch)) {
    return refuse("batches are of revision 2025-03-26, hold a message, and claim no other");
  }
  auto answers = std::make_shared<Batch>(std::make_shared<PipeOutlet>(sink_), batch.size());
  batch.each([&](JsonView value) {
    auto part = answers->begin();
    if (value["method"].string() == "initialize") {
      const auto error = invalid_request("initialize is not part of a batch");
      return part->finish({error_text(value["id"].text(), error), error.status, ""});
    }
    take(document, value, part);
  });
}

void Pipe::take(const std::shared_ptr<const JsonDocument>& document, JsonView value,
                const std::shared_ptr<Outlet>& outlet) {
  auto read = read_message(value);
  if (auto* bad = std::get_if<MessageError>(&read)) {
    return outlet->finish({error_text(bad->id, bad->error), 400, ""});
  }
  auto& message = std::get<Message>(read);
  if (message.kind == Message::Kind::request) {
    return take_request(document, std::move(message), claims_version(value), outlet);
  }
  if (message.method == "notifications/cancelled") {
    in_flight_->cancel(cancelled_id(message));
  } else if (session_) {
    take_legacy(message, *session_);
  }
}

void Pipe::take_request(const std::shared_ptr<const JsonDocument>& document, Message message,
                        bool claims, const std::shared_ptr<Outlet>& outlet) {
  std::shared_ptr<Call> call;
  if (claims) {
    const std::string id = message.id;
    auto opened = open_modern(document, std::move(message), who_, outlet, nullptr);
    if (auto* error = std::get_if<WireError>(&opened)) {
      return outlet->finish({error_text(id, *error), error->status, ""});
    }
    call = std::get<std::shared_ptr<Call>>(std::move(opened));
  } else if (message.method == "initialize") {
    return initialize(message, *outlet);
  } else {
    call = open_legacy(document, std::move(message), session_, kAssumedLegacy, who_, outlet);
  }
  if (admit(call, *in_flight_, in_flight_)) server_.dispatch(call);
}

void Pipe::initialize(const Message& message, Outlet& outlet) {
  auto made = server_.initialize(message, "", who_);
  if (auto* error = std::get_if<WireError>(&made)) {
    return outlet.finish({error_text(message.id, *error), error->status, ""});
  }
  if (session_) server_.forget(*session_);
  session_ = std::get<std::shared_ptr<Session>>(std::move(made));
  session_->own_stream(std::make_shared<PipeOutlet>(sink_));
  outlet.finish({response_text(message.id, server_.initialize_result(*session_)), 200, ""});
}

bool Pipe::idle() { return in_flight_->empty(); }

void Pipe::close() {
  in_flight_->cancel_all();
  if (session_) server_.forget(*std::exchange(session_, nullptr));
}

}  // namespace lode
