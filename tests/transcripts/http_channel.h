// A client over HTTP: well-behaved for plain messages, and literal for written
// requests.
//
// A plain message gets the headers that a client owes: those that repeat a
// modern body, or the session and revision of a legacy one. After
// `notifications/initialized` the session's own stream is opened; a stream that
// the server ends before the answer is resumed; a modern request is cancelled
// by closing its connection.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/json.h"
#include "channel.h"
#include "http_exchange.h"

namespace lode::transcripts {

class HttpChannel final : public Channel {
 public:
  // token: that plain messages are sent with; empty: none.
  HttpChannel(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

  std::optional<int> send(const std::string& message) override;
  std::optional<Arrived> next(const Wanted& wanted, Milliseconds patience) override;
  // Ends every session that began.
  Status finish() override;

  // A request as it is written. Its response is what head(), ended() and
  // hang_up() speak of until the next.
  Status request(const Request& request);
  // Null: no response in time. Waits for the whole body unless it is a stream.
  const HttpExchange* head(Milliseconds patience);
  bool ended(Milliseconds patience);
  void hang_up();
  // Goes away without a word: finish() will end no session.
  void leave() { sessions_.clear(); }

 private:
  // A request under way, and what came of it.
  struct Open {
    std::unique_ptr<HttpExchange> exchange;
    std::string id;  // JSON text, of the request that it carries
    bool modern = false;
    bool literal = false;  // written by request()
    bool given_up = false;
    bool answered = false;
    std::deque<Arrived> messages;
  };

  Open* open(const Request& request);
  // A request of the well-behaved client: with its credential.
  Request authorized(Request request) const;
  Open* post(const std::string& message, const JsonObject* read);
  void wait_until_taken_in();
  void cancel(const JsonObject& notification, bool& closed);
  void open_standing_stream();
  // Takes over what an exchange received.
  void settle(Open& open);
  void learn(Open& open, const Arrived& message);
  void resume(Open& lost);
  Open* find(const Wanted& wanted);
  // Reads what comes until the time is over; true as soon as done() is.
  bool pump(Milliseconds patience, const std::function<bool()>& done);

  const std::uint16_t port_;
  const std::string token_;
  std::list<Open> open_;
  Open* literal_ = nullptr;
  std::string session_;
  std::string revision_;  // negotiated, legacy
  std::set<std::string> sessions_;
};

}  // namespace lode::transcripts
