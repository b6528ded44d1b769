// Keeps a server busy: as many requests in flight as there are connections, the
// next one sent when an answer has come (a closed loop).
//
// One thread, one epoll loop. Over stdio all requests share the one pipe; over
// HTTP each connection has one request at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "process.h"
#include "request.h"

namespace lode::bench {

// What happened between the first request and the last answer.
class Round {
 public:
  Round(const PhaseSpec& phase, const Request& request, const Amount& amount,
        std::uint64_t& counter);

  // Whether one more may be sent.
  bool open(Nanoseconds at) const;
  // The next request: its id, and the number that it varies by.
  struct Next {
    std::uint64_t id;
    std::uint64_t n;
  };
  Next next();
  // An answer's whole text. The clock stopped when its last bytes were read.
  void take(std::string_view text, std::uint64_t id, Nanoseconds sent, Nanoseconds at);
  void fail(std::string why);

  const PhaseSpec& phase() const { return phase_; }
  const Request& request() const { return request_; }

  Nanoseconds began = 0;
  Nanoseconds ended = 0;
  std::uint64_t answers = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes = 0;
  std::string first_error;
  std::vector<Nanoseconds> latencies;

 private:
  const PhaseSpec& phase_;
  const Request& request_;
  const Amount& amount_;
  std::uint64_t& counter_;  // requests of this phase so far, over all its rounds
  std::uint64_t sent_ = 0;
};

class Driver {
 public:
  virtual ~Driver() = default;
  // Sends what a client sends first. Returns when that was answered; ends the
  // program if it is not.
  virtual Nanoseconds greet() = 0;
  virtual void run(Round& round) = 0;
  // Another server's turn: lets go of connections, which must not time out.
  virtual void rest() {}
};

// A server that says nothing for this long has failed.
inline constexpr double kPatience = 60;

}  // namespace lode::bench
