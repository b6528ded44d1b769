// One client's connection to a server, whatever carries it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lode::transcripts {

using Milliseconds = std::chrono::milliseconds;

// How long an answer may take; generous, for slow machines and sanitizers.
inline constexpr Milliseconds kPatience{5000};
// For a server to start: with sanitizers, on a machine that is busy, it takes seconds.
inline constexpr Milliseconds kStartPatience{60000};

// A message that the server sent.
struct Arrived {
  std::string text;
  int status = 200;          // HTTP: of the response that carried it; 0: looked at already
  std::string event_id;      // HTTP: of a server-sent event
  std::optional<int> retry;  // HTTP: of a server-sent event
};

class Channel {
 public:
  using Wanted = std::function<bool(const Arrived&)>;

  virtual ~Channel() = default;

  // One message of the client. Answers the HTTP status with which a message
  // that needs no answer was acknowledged; nothing where there is none.
  virtual std::optional<int> send(const std::string& message) = 0;

  // The next message; nothing if none comes in time. Where messages come on
  // several streams at once, a wanted one is taken before the others.
  virtual std::optional<Arrived> next(const Wanted& wanted, Milliseconds patience) = 0;

  // Bytes as they are, which the server has read then, and the end of the input.
  virtual Status bytes(std::string_view) { return invalid("no bytes over this transport"); }
  virtual Status end_input() { return invalid("no end of input over this transport"); }

  // Says goodbye. Error: the server did not take it well.
  virtual Status finish() = 0;
};

// Makes a connection to a server in its first state.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual Result<std::unique_ptr<Channel>> connect() = 0;
  // Ends what serves all connections. Error: it did not end well.
  virtual Status close() { return {}; }
};

// How a server is started as a child.
struct Launch {
  std::vector<std::string> arguments;         // the program's path first
  std::vector<std::string> environment{};     // "NAME=value"; empty: ours
  std::string ready{};                        // what its log says before it is talked to
  std::function<std::string()> credential{};  // HTTP: asked once it listens; the client's token
};

// A server in this process.
std::unique_ptr<Transport> make_memory();
// A child, spoken to by its standard input and output; a new one for each
// connection.
std::unique_ptr<Transport> make_stdio(Launch launch);
// A child, spoken to over HTTP on a free port; one for all. The arguments make it
// listen on 127.0.0.1:0.
Result<std::unique_ptr<Transport>> make_http(Launch launch);

}  // namespace lode::transcripts
