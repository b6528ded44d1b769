// Server-sent events. Input: messages, divided by the character RS (0x1e). The
// bits of a message's first byte say what happens to it: see Step.
//
//  - A client that reads by the standard gets exactly the events that were sent:
//    no data, id or line end in them makes another event or field.
//  - A client that loses its connections and comes back with the id of the last
//    event it saw gets every message of a stream once and in order.
#include "transport/sse.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.h"
#include "server/stream.h"

namespace lode::fuzz {
namespace {

constexpr char kSeparator = '\x1e';

struct Step {
  bool with_id = false;      // 1: its own text is its id
  bool with_retry = false;   // 2
  bool after_quiet = false;  // 4: a keep-alive comment stands before it
  bool after_loss = false;   // 8: the connection breaks before it
  std::string_view text;
};

std::vector<Step> steps_of(std::string_view input) {
  std::vector<Step> steps;
  while (!input.empty()) {
    const auto piece = take_until(input, kSeparator);
    const auto bits = piece.empty() ? 0U : static_cast<unsigned>(piece.front());
    steps.push_back({(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0,
                     piece.substr(std::min<std::size_t>(1, piece.size()))});
  }
  return steps;
}

// A client, by "Server-sent events" of the HTML standard, section 9.2.6; the
// names are the standard's.
class EventSource {
 public:
  struct Message {
    std::string data;
    std::string last_event_id;
    bool operator==(const Message&) const = default;
  };

  void read(std::string_view stream) {
    while (!stream.empty()) {
      const auto end = stream.find_first_of("\r\n");
      if (end == std::string_view::npos) return;  // an unfinished line
      line(stream.substr(0, end));
      stream.remove_prefix(end + (stream.substr(end).starts_with("\r\n") ? 2 : 1));
    }
  }

  std::vector<Message> messages;
  std::optional<std::string> reconnection_time;
  std::vector<std::string> unknown_fields;

 private:
  void line(std::string_view text) {
    if (text.empty()) return dispatch();
    if (text.starts_with(':')) return;
    const auto colon = std::min(text.find(':'), text.size());
    auto value = text.substr(std::min(colon + 1, text.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    field(text.substr(0, colon), value);
  }

  void field(std::string_view name, std::string_view value) {
    if (name == "data") {
      data_.append(value).push_back('\n');
    } else if (name == "id") {
      if (value.find('\0') == std::string_view::npos) last_event_id_ = value;
    } else if (name == "retry") {
      reconnection_time = value;
    } else {
      unknown_fields.emplace_back(name);
    }
  }

  void dispatch() {
    if (data_.empty()) return;
    data_.pop_back();
    messages.push_back({std::exchange(data_, {}), last_event_id_});
  }

  std::string data_;
  std::string last_event_id_;
};

// Every line end as LF, which is all that a client can tell.
std::string with_plain_lines(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!pair) out.push_back(text[i] == '\r' ? '\n' : text[i]);
  }
  return out;
}

bool can_be_id(std::string_view text) {
  return !text.empty() && text.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

void check_events(const std::vector<Step>& steps) {
  std::string stream;
  std::vector<EventSource::Message> expected;
  std::optional<std::string> retry;
  std::string id;
  for (const auto& step : steps) {
    if (step.after_quiet) stream += ": \n\n";
    Event event{std::string(step.text), step.with_id ? std::string(step.text) : "", {}};
    if (step.with_retry) event.retry = std::chrono::milliseconds(step.text.size());
    stream += sse_text(event);
    if (step.with_id && can_be_id(step.text)) id = step.text;
    if (step.with_retry) retry = std::to_string(step.text.size());
    expected.push_back({with_plain_lines(step.text), id});
  }
  EventSource client;
  client.read(stream);
  check(client.messages == expected, "a client gets the events that were sent");
  check(client.reconnection_time == retry, "and the retry time");
  check(client.unknown_fields.empty(), "and no other field");
}

// A connection as the client at its other end sees it.
class Connection final : public Outlet {
 public:
  void send(Event event) override { stream += sse_text(event); }
  void finish(Answer answer) override { plain = std::move(answer.body).flat(); }
  void end() override {}
  void on_close(std::function<void()> gone) override { lose = std::move(gone); }

  std::string stream;
  std::optional<std::string> plain;
  std::function<void()> lose;
};

// A client of one stream, on one connection after another.
class Client {
 public:
  explicit Client(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) { connect(); }

  void reconnect() {
    connection_->lose();
    take();
    connect();
  }

  // Everything, when the stream has finished.
  const std::vector<std::string>& all(std::string_view last) {
    take();
    if (received_.empty() || received_.back() != last) reconnect();
    take();
    return received_;
  }

 private:
  void connect() {
    connection_ = std::make_shared<Connection>();
    stream_->attach(connection_, last_);
  }

  void take() {
    EventSource source;
    source.read(std::exchange(connection_->stream, {}));
    for (auto& message : source.messages) {
      const auto place = Stream::parse_id(message.last_event_id);
      check(place && place->stream == stream_->number(), "every event names its stream");
      check(place->message >= last_, "ids grow");
      last_ = place->message;
      if (!message.data.empty()) received_.push_back(std::move(message.data));
    }
    if (auto plain = std::exchange(connection_->plain, {})) received_.push_back(*plain);
  }

  std::shared_ptr<Stream> stream_;
  std::shared_ptr<Connection> connection_;
  std::uint64_t last_ = 0;
  std::vector<std::string> received_;
};

void check_resumption(const std::vector<Step>& steps) {
  const bool primes = steps.size() % 2 == 0;
  const auto stream = std::make_shared<Stream>(7, StreamOptions{.primes = primes});
  Client client(stream);
  std::vector<std::string> sent;
  for (const auto& step : steps) {
    if (step.after_loss) client.reconnect();
    if (step.after_quiet) stream->open();
    if (step.with_retry) stream->release();
    sent.push_back("m" + with_plain_lines(step.text));
    stream->send({sent.back(), "", {}});
  }
  sent.emplace_back("last");
  stream->finish({sent.back(), 200, ""});
  check(client.all("last") == sent, "a client that comes back gets every message once");
  check(!stream->attached(), "a stream that has finished lets go");
  check(!stream->spent() || sent.size() == 1, "and forgets only what was answered plainly");
}

}  // namespace

void run(std::string_view input) {
  const auto steps = steps_of(input);
  check_events(steps);
  check_resumption(steps);
  if (const auto place = Stream::parse_id(input)) {
    const auto text = std::to_string(place->stream) + "-" + std::to_string(place->message);
    const auto again = Stream::parse_id(text);
    check(again && again->stream == place->stream && again->message == place->message,
          "an id reads as the place it names");
  }
}

}  // namespace lode::fuzz
